"""What people want done about their contracts."""

from envfactory_dagster.language.embedded.kit import Allow, Ask, Fact, Goal, Step, attempt
from envfactory_dagster.language.embedded.modules.subscriptions.extras import addons_besides
from envfactory_dagster.language.embedded.modules.subscriptions.fragments import (
    BOUND,
    CHANGED,
    FREE,
    label_of,
    offered_besides,
)
from envfactory_dagster.language.embedded.vocabulary import money, words_for_date
from envfactory_dagster.language.embedded.world import View

_FRESH_LABELS = ("Cottage", "Mother", "Holiday flat", "Back room", "Boat", "Second office")
_FIND = """
mine = tools.list_my_$contracts()["$contracts"]
contract = next(c for c in mine if c["label"] == label)
"""


def _find(more: str) -> str:
    """A program that begins by looking up the contract with a label."""
    return "\n".join([*_FIND.strip().splitlines(), *(line[12:] for line in more.strip("\n").splitlines())])


def _change(contract_id: int, *columns: str) -> tuple[Allow, ...]:
    return (Allow("contract", changed=1, columns=columns, ids=(contract_id,)),)


def start_contract(view: View) -> Step | None:
    plan = view.rng.choice(view.select("plan", lambda row: row["status"] == "offered"))
    place = {"place": view.rng.choice(view.rows("place"))["name"]} if view.has("place") else {}
    return Step(
        text='sign me up for {plan} under the label "{label}"' + (" at {place}" if place else ""),
        values={"plan": plan["name"], "label": view.rng.choice(_FRESH_LABELS), "today": view.today, **place},
        solve="""
            wanted = next(p for p in tools.list_$plans()["$plans"] if p["name"] == plan)
            #: if place
            site = next(p for p in tools.list_$places()["$places"] if p["name"] == place)
            begun = tools.start_$contract($plan_id=wanted["id"], $place_id=site["id"], label=label)
            #: end
            #: if !place
            begun = tools.start_$contract($plan_id=wanted["id"], label=label)
            #: end
            tools.get_$contract($contract_id=begun["$contract_id"])
        """,
        goals=(
            Goal(
                "started",
                """
                SELECT count(*) AS n FROM $contracts c JOIN $plans p ON p.id = c.$plan_id WHERE c.$person_id = 1
                AND c.status = 'active' AND c.started_on = :today AND lower(c.label) = lower(:label) AND p.name = :plan
                #: if place
                AND c.$place_id = (SELECT id FROM $places WHERE name = :place)
                #: end
                """,
            ),
        ),
        allows=(Allow("contract", created=1),),
    )


def end_contract(view: View) -> Step | None:
    return Step(
        text='end my $Contract "{label}" today if nothing binds me any more',
        values={"label": label_of(view, FREE), "contract_id": FREE},
        solve=_find("""
            tools.get_$contract($contract_id=contract["id"])
            tools.end_$contract($contract_id=contract["id"])
        """),
        goals=(Goal("ended", "SELECT count(*) AS n FROM $contracts WHERE id = :contract_id AND status = 'ended'"),),
        allows=_change(FREE, "status", "ended_on"),
    )


def other_plan(view: View) -> Step | None:
    """A choice: any plan on offer up to a price will do."""
    plans = offered_besides(view, FREE)
    cents = plans[1]["monthly_cents"]
    return Step(
        text='move my $Contract "{label}" to any other $Plan still offered that costs at most {amount} a month',
        values={
            "label": label_of(view, FREE),
            "amount": money(cents),
            "cents": cents,
            "old_plan": view.row("contract", FREE)["plan_id"],
            "contract_id": FREE,
        },
        solve=_find("""
            plans = tools.list_$plans(most_cents=cents)["$plans"]
            offered = [p for p in plans if p["status"] == "offered" and p["id"] != contract["$plan_id"]]
            #: if queued
            tools.list_$switchs($contract_id=contract["id"])
            tools.request_$switch($contract_id=contract["id"], $plan_id=offered[-1]["id"])
            #: end
            #: if !queued
            tools.change_$plan($contract_id=contract["id"], $plan_id=offered[-1]["id"])
            #: end
        """),
        goals=(
            Goal(
                "on_another_affordable_plan",
                """
                SELECT count(*) AS n FROM $plans p
                #: if queued
                JOIN $switchs x ON x.$plan_id = p.id WHERE x.$contract_id = :contract_id AND x.status = 'requested'
                #: end
                #: if !queued
                JOIN $contracts x ON x.$plan_id = p.id WHERE x.id = :contract_id
                #: end
                AND p.status = 'offered' AND p.monthly_cents <= :cents AND p.id <> :old_plan
                """,
            ),
        ),
        allows=(Allow("switch", created=1),) if view.has("queued") else _change(FREE, "plan_id", "plan_since"),
        otherwise=(("offered[-1]", "offered[0]"),),
    )


def withdraw_switch(view: View) -> Step | None:
    switch = view.need("switch", lambda row: row["contract_id"] == BOUND)
    return Step(
        text='take back the $Switch I asked for on my $Contract "{label}"',
        values={"label": label_of(view, BOUND), "switch_id": switch["id"]},
        solve=_find("""
            asked = tools.list_$switchs($contract_id=contract["id"])["$switchs"]
            waiting = next(s for s in asked if s["status"] == "requested")
            tools.withdraw_$switch($switch_id=waiting["id"])
        """),
        goals=(
            Goal("taken_back", "SELECT count(*) AS n FROM $switchs WHERE id = :switch_id AND status = 'withdrawn'"),
        ),
        allows=(Allow("switch", changed=1, columns=("status",), ids=(switch["id"],)),),
    )


def stop_renewal(view: View) -> Step | None:
    return Step(
        text='see to it that my $Contract "{label}" does not renew itself',
        values={"label": label_of(view, BOUND), "contract_id": BOUND},
        solve=_find("""
            tools.get_$contract($contract_id=contract["id"])
            tools.set_$contract_renewal($contract_id=contract["id"], renews=False)
        """),
        goals=(Goal("renewal_off", "SELECT count(*) AS n FROM $contracts WHERE id = :contract_id AND renews = 0"),),
        allows=_change(BOUND, "renews"),
    )


def plan_pause(view: View) -> Step | None:
    first = view.rng.randint(40, 60)
    starts_on, ends_on = view.day(first), view.day(first + view.rng.randint(6, 12))
    contract_id = view.rng.choice((FREE, BOUND))
    return Step(
        text='pause my $Contract "{label}" from {first} to {last}',
        values={
            "label": label_of(view, contract_id),
            "first": words_for_date(starts_on),
            "last": words_for_date(ends_on),
            "starts_on": starts_on,
            "ends_on": ends_on,
            "contract_id": contract_id,
        },
        solve=_find("""
            tools.list_$pauses($contract_id=contract["id"])
            tools.plan_$pause($contract_id=contract["id"], starts_on=starts_on, ends_on=ends_on)
        """),
        goals=(
            Goal(
                "pause_planned",
                "SELECT count(*) AS n FROM $pauses WHERE $contract_id = :contract_id AND starts_on = :starts_on"
                " AND ends_on = :ends_on AND status = 'planned'",
            ),
        ),
        allows=(Allow("pause", created=1),),
    )


def withdraw_pause(view: View) -> Step | None:
    pause = view.need("pause", lambda row: row["status"] == "planned")
    return Step(
        text='forget about the $Pause planned for my $Contract "{label}", we stay at home',
        values={"label": label_of(view, pause["contract_id"]), "pause_id": pause["id"]},
        solve=_find("""
            pauses = tools.list_$pauses($contract_id=contract["id"])["$pauses"]
            planned = next(p for p in pauses if p["status"] == "planned")
            tools.withdraw_$pause($pause_id=planned["id"])
        """),
        goals=(Goal("withdrawn", "SELECT count(*) AS n FROM $pauses WHERE id = :pause_id AND status = 'withdrawn'"),),
        allows=(Allow("pause", changed=1, columns=("status",), ids=(pause["id"],)),),
    )


def add_addon(view: View) -> Step | None:
    contract_id = view.rng.choice((FREE, BOUND))
    addon_id = view.rng.choice(addons_besides(view, contract_id))
    return Step(
        text='add {addon} to my $Contract "{label}"',
        values={
            "addon": view.row("addon", addon_id)["name"],
            "label": label_of(view, contract_id),
            "contract_id": contract_id,
        },
        solve=_find("""
            offers = tools.list_$addons_for_$contract($contract_id=contract["id"])["$addons"]
            wanted = next(a for a in offers if a["name"] == addon)
            tools.add_$addon($contract_id=contract["id"], $addon_id=wanted["id"])
        """),
        goals=(
            Goal(
                "added",
                "SELECT count(*) AS n FROM $extras e JOIN $addons a ON a.id = e.$addon_id"
                " WHERE e.$contract_id = :contract_id AND a.name = :addon",
            ),
        ),
        allows=(Allow("extra", created=1),),
    )


def drop_addon(view: View) -> Step | None:
    extra = view.need("extra", lambda row: row["contract_id"] == BOUND)
    return Step(
        text='take {addon} off my $Contract "{label}"',
        values={
            "addon": view.row("addon", extra["addon_id"])["name"],
            "label": label_of(view, BOUND),
            "extra_id": extra["id"],
        },
        solve=_find("""
            offers = tools.list_$addons_for_$contract($contract_id=contract["id"])["$addons"]
            unwanted = next(a for a in offers if a["name"] == addon)
            tools.drop_$addon($contract_id=contract["id"], $addon_id=unwanted["id"])
        """),
        goals=(Goal("taken_off", "SELECT count(*) AS n FROM $extras WHERE id = :extra_id", equals=0),),
        allows=(Allow("extra", deleted=1, ids=(extra["id"],)),),
    )


def last_bill(view: View) -> Step | None:
    contract_id = view.rng.choice((FREE, BOUND, CHANGED))
    return Step(
        text='tell me what the latest $Period of my $Contract "{label}" that is final came to, in cents',
        values={"label": label_of(view, contract_id), "contract_id": contract_id},
        solve=_find("""
            periods = tools.list_$periods($contract_id=contract["id"])["$periods"]
            return next(p["total_cents"] for p in periods if p["status"] == "final")
        """),
        facts=(
            Fact(
                "its_total",
                "SELECT total_cents AS value FROM $periods WHERE $contract_id = :contract_id AND status = 'final'"
                " ORDER BY starts_on DESC LIMIT 1",
            ),
        ),
    )


def setup_fee(view: View) -> Step | None:
    period = view.need("period", lambda row: row["contract_id"] == FREE)
    return Step(
        text='tell me how much the set-up fee on the $Period of my $Contract "{label}" from {first} was, in cents',
        values={
            "label": label_of(view, FREE),
            "first": words_for_date(period["starts_on"]),
            "starts_on": period["starts_on"],
            "contract_id": FREE,
        },
        solve=_find("""
            periods = tools.list_$periods($contract_id=contract["id"])["$periods"]
            period = next(p for p in periods if p["starts_on"] == starts_on)
            lines = tools.get_$period($period_id=period["id"])["$feelines"]
            return next(line["amount_cents"] for line in lines if line["kind"] == "extra")
        """),
        facts=(
            Fact(
                "the_fee",
                "SELECT l.amount_cents AS value FROM $feelines l JOIN $periods p ON p.id = l.$period_id"
                " WHERE p.$contract_id = :contract_id AND p.starts_on = :starts_on AND l.kind = 'extra'",
            ),
        ),
    )


def monthly_sum(view: View) -> Step | None:
    return Step(
        text="tell me what the $Plans of my active $Contracts cost a month altogether, in cents",
        values={},
        solve="""
            rows = tools.summarize_my_$contracts()["by_status"]
            return next(row["monthly_cents"] for row in rows if row["status"] == "active")
        """,
        facts=(
            Fact(
                "their_cost",
                "SELECT sum(p.monthly_cents) AS value FROM $contracts c JOIN $plans p ON p.id = c.$plan_id"
                " WHERE c.$person_id = 1 AND c.status = 'active'",
            ),
        ),
    )


def bound_until(view: View) -> Step | None:
    return Step(
        text='tell me until which day my $Contract "{label}" binds me, as YYYY-MM-DD',
        values={"label": label_of(view, BOUND), "contract_id": BOUND},
        solve=_find("""
            return tools.get_$contract($contract_id=contract["id"])["$contract"]["bound_until"]
        """),
        facts=(Fact("the_day", "SELECT bound_until AS value FROM $contracts WHERE id = :contract_id"),),
    )


def units_used(view: View) -> Step | None:
    return Step(
        text='tell me how many units were used under my $Contract "{label}" from {first} until today',
        values={
            "label": label_of(view, FREE),
            "first": words_for_date(view.day(-30)),
            "first_day": view.day(-30),
            "today": view.today,
            "contract_id": FREE,
        },
        solve=_find("""
            return tools.list_$usages($contract_id=contract["id"], first_day=first_day, last_day=today)["units"]
        """),
        facts=(
            Fact(
                "their_sum",
                "SELECT sum(units) AS value FROM $usages WHERE $contract_id = :contract_id"
                " AND on_day >= :first_day AND on_day <= :today",
            ),
        ),
    )


def what_comes_with_it(view: View) -> Step | None:
    plan = view.rng.choice(view.select("plan", lambda row: row["thing_id"] is not None))
    return Step(
        text="tell me what comes with {plan}",
        values={"plan": plan["name"]},
        solve="""
            wanted = next(p for p in tools.list_$plans()["$plans"] if p["name"] == plan)
            return tools.get_$thing_of_$plan($plan_id=wanted["id"])["$thing"]["name"]
        """,
        facts=(
            Fact(
                "its_name",
                "SELECT i.name AS value FROM $plans p JOIN $things i ON i.id = p.$thing_id WHERE p.name = :plan",
            ),
        ),
    )


def refuse_ending_bound(view: View) -> Step | None:
    return Step(
        text='end my $Contract "{label}" today',
        values={"label": label_of(view, BOUND)},
        solve=attempt(
            'tools.end_$contract($contract_id=contract["id"])',
            first=_find('            tools.get_$contract($contract_id=contract["id"])'),
        ),
    )


def refuse_retired_plan(view: View) -> Step | None:
    plan = view.need("plan", lambda row: row["status"] == "retired")
    place = {"place": view.rows("place")[0]["name"]} if view.has("place") else {}
    site = ', $place_id=site["id"]' if place else ""
    return Step(
        text='sign me up for {plan} under the label "Spare room"' + (" at {place}" if place else ""),
        values={"plan": plan["name"], **place},
        solve=attempt(
            f'tools.start_$contract($plan_id=wanted["id"]{site}, label="Spare room")',
            first="""
                tools.list_my_$contracts()
                wanted = next(p for p in tools.list_$plans()["$plans"] if p["name"] == plan)
                #: if place
                site = next(p for p in tools.list_$places()["$places"] if p["name"] == place)
                #: end
            """,
        ),
    )


def refuse_early_change(view: View) -> Step | None:
    plan = offered_besides(view, CHANGED)[0]
    tool = "request_$switch" if view.has("queued") else "change_$plan"
    return Step(
        text='move my $Contract "{label}" to {plan}',
        values={"label": label_of(view, CHANGED), "plan": plan["name"]},
        solve=attempt(
            f'tools.{tool}($contract_id=contract["id"], $plan_id=wanted["id"])',
            first=_find('            wanted = next(p for p in tools.list_$plans()["$plans"] if p["name"] == plan)'),
        ),
    )


def refuse_long_pause(view: View) -> Step | None:
    starts_on, ends_on = view.day(40), view.day(100)
    return Step(
        text='pause my $Contract "{label}" from {first} to {last}, in one go',
        values={
            "label": label_of(view, FREE),
            "first": words_for_date(starts_on),
            "last": words_for_date(ends_on),
            "starts_on": starts_on,
            "ends_on": ends_on,
        },
        solve=attempt(
            'tools.plan_$pause($contract_id=contract["id"], starts_on=starts_on, ends_on=ends_on)',
            first=_find('            tools.list_$pauses($contract_id=contract["id"])'),
        ),
    )


ASKS = (
    Ask("start_contract", start_contract),
    Ask("end_contract", end_contract),
    Ask("other_plan", other_plan, when="full"),
    Ask("withdraw_plan_change", withdraw_switch, when="full queued"),
    Ask("stop_renewal", stop_renewal, when="full"),
    Ask("plan_pause", plan_pause, when="full pauses"),
    Ask("withdraw_planned_pause", withdraw_pause, when="full pauses"),
    Ask("add_addon", add_addon, when="full addons"),
    Ask("drop_addon", drop_addon, when="full addons"),
    Ask("last_bill", last_bill),
    Ask("setup_fee", setup_fee, when="full itemized"),
    Ask("monthly_sum", monthly_sum, when="full"),
    Ask("bound_until", bound_until),
    Ask("units_used", units_used, when="full metered"),
    Ask("what_comes_with_plan", what_comes_with_it, when="full thing"),
    Ask("end_bound_contract", refuse_ending_bound, rule="sub_bound_until"),
    Ask("retired_plan", refuse_retired_plan, rule="sub_retired_plan"),
    Ask("early_plan_change", refuse_early_change, rule="sub_change_interval", when="full"),
    Ask("long_pause", refuse_long_pause, rule="sub_pause_length", when="full pauses"),
)

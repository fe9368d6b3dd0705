"""What the subscriptions module stores: its tables, its rules, and how their rows come about."""

from datetime import date

from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kit import Entity, Row, Rule
from envfactory_dagster.language.embedded.world import View

_PLANS = ("Essential", "Standard", "Comfort", "Family", "Unlimited", "Starter", "Business", "Flex")
_ADDONS = (
    "Priority support",
    "Second household",
    "Extended cover",
    "Weekend extra",
    "Paper statements",
    "Early access",
)
_LABELS = ("Home", "Office", "Parents", "Garden house", "Workshop", "Studio", "Summer house", "Shop floor")
PERIODS = ("draft", "final", "cancelled")

ENTITIES = (
    Entity(
        "plan",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        monthly_cents INTEGER NOT NULL CHECK (monthly_cents > 0),
        term_months INTEGER NOT NULL CHECK (term_months IN (0, 6, 12, 24)),
        #: if full metered
        included_units INTEGER NOT NULL CHECK (included_units >= 0),
        #: end
        #: if full thing
        $thing_id INTEGER REFERENCES $things(id),
        #: end
        status TEXT NOT NULL CHECK (status IN ('offered', 'retired'))
        """,
        "What can be subscribed to, at what price and for how long at least.",
    ),
    Entity(
        "contract",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        $plan_id INTEGER NOT NULL REFERENCES $plans(id),
        #: if full place
        $place_id INTEGER NOT NULL REFERENCES $places(id),
        #: end
        label TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'ended')),
        started_on TEXT NOT NULL,
        bound_until TEXT NOT NULL CHECK (bound_until >= started_on),
        ended_on TEXT,
        renews INTEGER NOT NULL CHECK (renews IN (0, 1)),
        plan_since TEXT NOT NULL,
        CHECK ((ended_on IS NOT NULL) = (status = 'ended')),
        UNIQUE ($person_id, label)
        """,
        "Who subscribed to what, under a label of their own.",
    ),
    Entity(
        "period",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $contract_id INTEGER NOT NULL REFERENCES $contracts(id),
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        starts_on TEXT NOT NULL,
        ends_on TEXT NOT NULL CHECK (ends_on > starts_on),
        total_cents INTEGER NOT NULL CHECK (total_cents >= 0),
        status TEXT NOT NULL CHECK (status IN ('draft', 'final', 'cancelled')),
        UNIQUE ($contract_id, starts_on)
        """,
        "The months that are billed; the running one is a draft.",
    ),
    Entity(
        "feeline",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $period_id INTEGER NOT NULL REFERENCES $periods(id),
        kind TEXT NOT NULL CHECK (kind IN ('base', 'discount', 'extra', 'correction')),
        text TEXT NOT NULL,
        amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0)
        """,
        "What the total of $aPeriod is made of.",
        when="full itemized",
    ),
    Entity(
        "pause",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $contract_id INTEGER NOT NULL REFERENCES $contracts(id),
        starts_on TEXT NOT NULL,
        ends_on TEXT NOT NULL CHECK (ends_on > starts_on),
        status TEXT NOT NULL CHECK (status IN ('planned', 'over', 'withdrawn'))
        """,
        "When nothing is delivered and nothing charged.",
        when="full pauses",
    ),
    Entity(
        "addon",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        monthly_cents INTEGER NOT NULL CHECK (monthly_cents > 0),
        least_plan_cents INTEGER NOT NULL CHECK (least_plan_cents >= 0)
        """,
        "What can be had on top of $aPlan that costs enough a month.",
        when="full addons",
    ),
    Entity(
        "extra",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $contract_id INTEGER NOT NULL REFERENCES $contracts(id),
        $addon_id INTEGER NOT NULL REFERENCES $addons(id),
        since_on TEXT NOT NULL,
        UNIQUE ($contract_id, $addon_id)
        """,
        "Which $Addons $aContract has.",
        when="full addons",
    ),
    Entity(
        "usage",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $contract_id INTEGER NOT NULL REFERENCES $contracts(id),
        on_day TEXT NOT NULL,
        units INTEGER NOT NULL CHECK (units > 0),
        source TEXT NOT NULL CHECK (source IN ('automatic', 'self_reported', 'estimated')),
        UNIQUE ($contract_id, on_day)
        """,
        "How much was used under $aContract.",
        when="full metered",
    ),
    Entity(
        "switch",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $contract_id INTEGER NOT NULL REFERENCES $contracts(id),
        $plan_id INTEGER NOT NULL REFERENCES $plans(id),
        effective_on TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('requested', 'confirmed', 'withdrawn', 'done')),
        requested_at TEXT NOT NULL
        """,
        "Changes of $Plan that take effect at the end of the running month.",
        when="full queued",
    ),
)

RULES = (
    Rule("sub_bound_until", "$aContract cannot be ended before the end of its minimum term."),
    Rule("sub_retired_plan", "$aPlan that is retired cannot be chosen any more."),
    Rule(
        "sub_change_interval",
        "The $Plan of $aContract can be changed once in $changedays days, not more often.",
        when="full",
    ),
    Rule("sub_pause_length", "$aPause lasts at most $pausedays days.", when="full pauses"),
)


def month_end(day: str) -> str:
    """The last day of the month of a day."""
    year, month = int(day[:4]), int(day[5:7])
    following = date(year + month // 12, month % 12 + 1, 1)
    return date.fromordinal(following.toordinal() - 1).isoformat()


def _month_start(view: View, months_ago: int) -> str:
    year, month = int(view.today[:4]), int(view.today[5:7])
    total = year * 12 + month - 1 - months_ago
    return date(total // 12, total % 12 + 1, 1).isoformat()


def generate(view: View) -> None:
    names = view.names("plan", view.size(4, 6), _PLANS)
    base = view.rng.randrange(900, 2_900, 100)
    terms = (0, 12, 6, 24, 12, 0)
    for index, name in enumerate(names):
        view.add(
            "plan",
            name=name,
            monthly_cents=base + index * view.rng.randrange(600, 900, 50),
            term_months=terms[index],
            included_units=50 * (index + 1),
            thing_id=index % len(view.rows("thing")) + 1 if view.has("thing") and index % 3 else None,
            status="retired" if index == len(names) - 1 else "offered",
        )
    _generate_contracts(view)
    for contract in view.rows("contract"):
        _add_periods(view, contract)
    if view.has("full"):
        _generate_extras(view)


def _generate_contracts(view: View) -> None:
    """User 1 has three that run (free to go, bound, changed lately), a paused one and an ended one."""
    labels = view.names("contract", 6, _LABELS)
    mine = (("active", 1, 500, 1, 500), ("active", 2, 120, 1, 120), ("active", 3, 300, 0, 4))
    extra = (("paused", 1, 260, 1, 260), ("ended", 1, 700, 0, 700))
    for (status, plan, age, renews, since), label in zip((*mine, *extra), labels, strict=False):
        _add_contract(view, 1, label, status, plan, age, renews, since)
    for person in range(2, view.size(5, 10)):
        status = view.rng.choice(("active", "active", "paused", "ended"))
        plan, age = view.rng.randint(1, len(view.rows("plan"))), view.rng.randint(150, 600)
        _add_contract(view, person, view.rng.choice(labels), status, plan, age, view.rng.randint(0, 1), age)


def _add_contract(
    view: View, person: int, label: str, status: str, plan: int, age: int, renews: int, since: int
) -> None:
    # the user's second contract is the one whose minimum term has months to go
    bound = view.day(240) if (person, age) == (1, 120) else view.day(30 - age)
    view.add(
        "contract",
        person_id=person,
        plan_id=plan,
        place_id=view.rng.randint(1, len(view.rows("place"))) if view.has("place") else None,
        label=label,
        status=status,
        started_on=view.day(-age),
        bound_until=bound,
        ended_on=view.day(-60) if status == "ended" else None,
        renews=renews,
        plan_since=view.day(-since),
    )


def _add_periods(view: View, contract: Row) -> None:
    """The last months; the running one is a draft."""
    monthly = view.row("plan", contract["plan_id"])["monthly_cents"]
    ended = contract["status"] == "ended"
    months = (5, 4) if ended else (3, 2, 1, 0) if contract["person_id"] == 1 else (1, 0)
    for ago in months:
        starts_on = _month_start(view, ago)
        correction = view.rng.choice((0, 0, -150, 250)) if ago else 0
        period_id = view.add(
            "period",
            contract_id=contract["id"],
            person_id=contract["person_id"],
            starts_on=starts_on,
            ends_on=month_end(starts_on),
            total_cents=monthly + correction,
            status="draft" if ago == 0 else "final",
        )
        if view.has("full") and view.has("itemized"):
            view.add("feeline", period_id=period_id, kind="base", text="Monthly price", amount_cents=monthly)
            if contract["id"] == 1 and ago == 3:
                fee = view.rng.randrange(700, 1_500, 10)
                view.row("period", period_id)["total_cents"] += fee
                view.add("feeline", period_id=period_id, kind="extra", text="Set-up fee", amount_cents=fee)
            if correction:
                kind, text = ("discount", "Loyalty discount") if correction < 0 else ("correction", "Later correction")
                view.add("feeline", period_id=period_id, kind=kind, text=text, amount_cents=correction)


def _generate_extras(view: View) -> None:
    contracts = view.rows("contract")
    if view.has("pauses"):
        for index, contract in enumerate(row for row in contracts if row["status"] != "ended"):
            before = -view.rng.randint(60, 100)
            view.add(
                "pause",
                contract_id=contract["id"],
                starts_on=view.day(before),
                ends_on=view.day(before + 10),
                status="withdrawn" if index % 4 == 3 else "over",
            )
        view.add("pause", contract_id=2, starts_on=view.day(20), ends_on=view.day(30), status="planned")
    if view.has("addons"):
        for index, name in enumerate(view.names("addon", 5, _ADDONS)):
            price = vocabulary.price_cents(view.rng, 200, 700) + 5 * index
            dearest = max(row["monthly_cents"] for row in view.rows("plan"))
            view.add("addon", name=name, monthly_cents=price, least_plan_cents=dearest if index == 4 else 0)
        for contract in contracts:
            for addon in view.rng.sample((1, 2, 3), 1 if contract["person_id"] == 1 else 2):
                view.add("extra", contract_id=contract["id"], addon_id=addon, since_on=view.day(-50))
    if view.has("metered"):
        for contract in contracts[:8]:
            for week in range(1, 4):
                units = view.rng.randint(8, 60)
                source = view.rng.choice(("automatic", "estimated"))
                view.add("usage", contract_id=contract["id"], on_day=view.day(-7 * week), units=units, source=source)
    if view.has("queued"):
        for index, contract in enumerate([contracts[1], contracts[4], *contracts[5:9]]):
            view.add(
                "switch",
                contract_id=contract["id"],
                plan_id=3 if index == 0 else view.rng.randint(1, 3),
                effective_on=month_end(view.today) if index == 0 else view.day(-view.rng.randint(100, 140)),
                status="requested" if index == 0 else "done",
                requested_at=view.moment(-1 if index == 0 else -150, 10),
            )

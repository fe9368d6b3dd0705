"""What people want done about campaigns and pledges."""

from envfactory_dagster.language.embedded.kit import Allow, Ask, Goal, Step
from envfactory_dagster.language.embedded.modules.campaigns.pledging import my_open_pledges, rewards_of, unbacked
from envfactory_dagster.language.embedded.modules.campaigns.support import my_standing, not_joined
from envfactory_dagster.language.embedded.vocabulary import money, words_for_date
from envfactory_dagster.language.embedded.world import View

_FIND_CAMPAIGN = """
            found = next(c for c in tools.search_$campaigns(words=campaign)["$campaigns"] if c["name"] == campaign)
"""
_FIND_MY_PLEDGE = """
            mine = tools.list_my_$pledges(status="open")["$pledges"]
            pledge = next(p for p in mine if p["$campaign_name"] == campaign)
"""
_FIND_MY_STANDING = """
            mine = tools.list_my_$standings()["$standings"]
            gift = next(s for s in mine if s["$campaign_name"] == campaign and s["status"] == "active")
"""


def pledge_amount(view: View) -> Step | None:
    cents = view.rng.randrange(2_000, 15_000, 250)
    return Step(
        text="pledge {amount} to {campaign}, without showing my name",
        values={
            "amount": money(cents),
            "campaign": view.rng.choice(unbacked(view))["name"],
            "cents": cents,
            "now": view.now,
        },
        solve=_FIND_CAMPAIGN
        + """
            tools.get_$campaign($campaign_id=found["id"])
            tools.make_$pledge($campaign_id=found["id"], amount_cents=cents, anonymous=True)
            tools.list_my_$pledges(status="open")
        """,
        goals=(
            Goal(
                "pledged",
                "SELECT count(*) AS n FROM $pledges p JOIN $campaigns c ON c.id = p.$campaign_id"
                " WHERE p.$person_id = 1 AND p.status = 'open' AND p.total_cents = :cents AND p.anonymous = 1"
                " AND c.name = :campaign AND p.pledged_at = :now",
            ),
        ),
        allows=(Allow("pledge", created=1),),
    )


def pledge_to_any_ending(view: View) -> Step | None:
    """A choice: any running campaign that ends soon enough."""
    cents = view.rng.randrange(2_000, 9_000, 250)
    ends_by = sorted(row["ends_on"] for row in unbacked(view))[-1]
    return Step(
        text="pledge {amount}, with my name shown, to any running $Campaign that ends on {date} or earlier and that I "
        "have given nothing to so far",
        values={
            "amount": money(cents),
            "date": words_for_date(ends_by),
            "ends_by": ends_by,
            "cents": cents,
            "now": view.now,
        },
        solve="""
            given = {p["$campaign_id"] for p in tools.list_my_$pledges()["$pledges"]}
            running = tools.search_$campaigns(status="running", ends_by=ends_by)["$campaigns"]
            found = next(c for c in running if c["id"] not in given)
            tools.make_$pledge($campaign_id=found["id"], amount_cents=cents, anonymous=False)
        """,
        goals=(
            Goal(
                "pledged_to_a_fitting_one",
                "SELECT count(*) AS n FROM $pledges p JOIN $campaigns c ON c.id = p.$campaign_id"
                " WHERE p.$person_id = 1 AND p.status = 'open' AND p.total_cents = :cents AND p.anonymous = 0"
                " AND p.pledged_at = :now AND c.status = 'running' AND c.ends_on <= :ends_by AND NOT EXISTS"
                " (SELECT 1 FROM $pledges q WHERE q.$person_id = 1 AND q.$campaign_id = c.id AND q.id <> p.id)",
            ),
        ),
        allows=(Allow("pledge", created=1),),
        otherwise=(("for c in running if", "for c in running[::-1] if"),),
    )


def pledge_for_reward(view: View) -> Step | None:
    campaign = view.rng.choice(unbacked(view))
    cheap = rewards_of(view, campaign["id"])[0]
    return Step(
        text="pledge exactly what it takes to {campaign} to get the $Reward “{reward}”, with my name shown",
        values={
            "campaign": campaign["name"],
            "reward": cheap["title"],
            "cents": cheap["price_cents"],
            "now": view.now,
        },
        solve=_FIND_CAMPAIGN
        + """
            offered = tools.list_$rewards($campaign_id=found["id"])["$rewards"]
            wanted = next(r for r in offered if r["title"] == reward)
            tools.make_$pledge(
                $campaign_id=found["id"], amount_cents=wanted["price_cents"], $reward_id=wanted["id"]
            )
        """,
        goals=(
            Goal(
                "pledged_for_it",
                "SELECT count(*) AS n FROM $pledges p JOIN $rewards r ON r.id = p.$reward_id"
                " JOIN $campaigns c ON c.id = p.$campaign_id WHERE p.$person_id = 1 AND p.status = 'open'"
                " AND p.anonymous = 0 AND p.total_cents = :cents AND r.title = :reward AND c.name = :campaign"
                " AND p.pledged_at = :now",
            ),
        ),
        allows=(Allow("pledge", created=1),),
    )


def raise_pledge(view: View) -> Step | None:
    pledge = view.rng.choice(my_open_pledges(view))
    cents = pledge["total_cents"] + view.rng.randrange(1_000, 6_000, 500)
    return Step(
        text="raise my $Pledge to {campaign} to {amount}",
        values={
            "campaign": view.row("campaign", pledge["campaign_id"])["name"],
            "amount": money(cents),
            "cents": cents,
            "pledge_id": pledge["id"],
        },
        solve=_FIND_MY_PLEDGE
        + """
            tools.get_$campaign($campaign_id=pledge["$campaign_id"])
            tools.change_$pledge($pledge_id=pledge["id"], amount_cents=cents)
        """,
        goals=(
            Goal(
                "raised",
                "SELECT count(*) AS n FROM $pledges WHERE id = :pledge_id AND total_cents = :cents AND status = 'open'",
            ),
        ),
        allows=(Allow("pledge", changed=1, columns=("total_cents",), ids=(pledge["id"],)),),
    )


def cancel_pledge(view: View) -> Step | None:
    pledge = my_open_pledges(view)[-1]
    return Step(
        text="cancel the $Pledge I made on {date}",
        values={
            "date": words_for_date(pledge["pledged_at"][:10]),
            "day": pledge["pledged_at"][:10],
            "pledge_id": pledge["id"],
        },
        solve="""
            mine = tools.list_my_$pledges(status="open")["$pledges"]
            pledge = next(p for p in mine if p["pledged_at"][:10] == day)
            tools.get_$campaign($campaign_id=pledge["$campaign_id"])
            tools.cancel_$pledge($pledge_id=pledge["id"])
        """,
        goals=(Goal("cancelled", "SELECT count(*) AS n FROM $pledges WHERE id = :pledge_id AND status = 'cancelled'"),),
        allows=(Allow("pledge", changed=1, columns=("status",), ids=(pledge["id"],)),),
    )


def join_an_audience(view: View) -> Step | None:
    audience = view.rng.choice(not_joined(view))
    return Step(
        text="sign me up for the $Audience {audience}",
        values={"audience": audience["name"]},
        solve="""
            found = next(a for a in tools.list_$audiences()["$audiences"] if a["name"] == audience)
            tools.join_$audience($audience_id=found["id"])
        """,
        goals=(
            Goal(
                "joined",
                "SELECT count(*) AS n FROM $joinings j JOIN $audiences a ON a.id = j.$audience_id"
                " WHERE j.$person_id = 1 AND a.name = :audience",
            ),
        ),
        allows=(Allow("joining", created=1),),
    )


def leave_an_audience(view: View) -> Step | None:
    joining = view.rng.choice(view.mine("joining"))
    return Step(
        text="take me off the $Audience {audience}",
        values={"audience": view.row("audience", joining["audience_id"])["name"], "joining_id": joining["id"]},
        solve="""
            found = next(a for a in tools.list_$audiences()["$audiences"] if a["name"] == audience)
            tools.leave_$audience($audience_id=found["id"])
        """,
        goals=(Goal("left", "SELECT count(*) AS n FROM $joinings WHERE id = :joining_id", equals=0),),
        allows=(Allow("joining", deleted=1, ids=(joining["id"],)),),
    )


def start_giving_monthly(view: View) -> Step | None:
    cents = view.rng.randrange(500, 5_000, 250)
    return Step(
        text="start $aStanding of {amount} to {campaign}, on day {day_of_month} of every month",
        values={
            "amount": money(cents),
            "campaign": view.row("campaign", 3)["name"],
            "day_of_month": view.rng.randint(2, 27),
            "cents": cents,
        },
        solve="""
            tools.list_my_$standings()
        """
        + _FIND_CAMPAIGN
        + """
            tools.start_$standing($campaign_id=found["id"], monthly_cents=cents, day_of_month=day_of_month)
        """,
        goals=(
            Goal(
                "started",
                "SELECT count(*) AS n FROM $standings s JOIN $campaigns c ON c.id = s.$campaign_id"
                " WHERE s.$person_id = 1 AND s.status = 'active' AND s.monthly_cents = :cents"
                " AND s.day_of_month = :day_of_month AND c.name = :campaign",
            ),
        ),
        allows=(Allow("standing", created=1),),
    )


def change_monthly(view: View) -> Step | None:
    gift = view.rng.choice(my_standing(view))
    cents = gift["monthly_cents"] + view.rng.randrange(250, 2_000, 250)
    return Step(
        text="have my $Standing to {campaign} give {amount} a month from now on",
        values={
            "campaign": view.row("campaign", gift["campaign_id"])["name"],
            "amount": money(cents),
            "cents": cents,
            "gift_id": gift["id"],
        },
        solve=_FIND_MY_STANDING
        + """
            tools.change_$standing($standing_id=gift["id"], monthly_cents=cents)
            tools.list_my_$standings()
        """,
        goals=(Goal("changed", "SELECT count(*) AS n FROM $standings WHERE id = :gift_id AND monthly_cents = :cents"),),
        allows=(Allow("standing", changed=1, columns=("monthly_cents",), ids=(gift["id"],)),),
    )


def end_monthly(view: View) -> Step | None:
    gift = my_standing(view)[0]
    return Step(
        text="end my $Standing to {campaign}",
        values={"campaign": view.row("campaign", gift["campaign_id"])["name"], "gift_id": gift["id"]},
        solve=_FIND_MY_STANDING
        + """
            tools.end_$standing($standing_id=gift["id"])
        """,
        goals=(Goal("ended", "SELECT count(*) AS n FROM $standings WHERE id = :gift_id AND status = 'ended'"),),
        allows=(Allow("standing", changed=1, columns=("status",), ids=(gift["id"],)),),
    )


ASKS = (
    Ask("pledge_amount", pledge_amount),
    Ask("pledge_to_any_ending", pledge_to_any_ending),
    Ask("pledge_for_reward", pledge_for_reward, when="rewards"),
    Ask("raise_pledge", raise_pledge),
    Ask("cancel_pledge", cancel_pledge),
    Ask("join_an_audience", join_an_audience, when="full audiences"),
    Ask("leave_an_audience", leave_an_audience, when="full audiences"),
    Ask("start_giving_monthly", start_giving_monthly, when="full standing"),
    Ask("change_monthly_gift", change_monthly, when="full standing"),
    Ask("end_monthly_gift", end_monthly, when="full standing"),
)

"""Around a campaign: who runs it, what it gives and tells its supporters, who follows it, monthly giving, totals."""

from typing import Any

from envfactory_dagster.language.embedded.kit import Row, Tool, choice, ident, integer, many, row_of, text
from envfactory_dagster.language.embedded.modules.campaigns.pledging import FIND_CAMPAIGN, unbacked
from envfactory_dagster.language.embedded.world import View


def my_standing(view: View) -> list[Row]:
    """Active monthly gifts of user 1, the oldest first."""
    return view.mine("standing", lambda row: row["status"] == "active")


def not_joined(view: View) -> list[Row]:
    """Audiences that user 1 does not belong to."""
    joined = {row["audience_id"] for row in view.mine("joining")}
    return view.select("audience", lambda row: row["id"] not in joined)


def _begun(view: View) -> dict[str, Any]:
    return {"campaign_id": 1}


_EXISTS = """
            if env.one("SELECT id FROM $campaigns WHERE id = ?", [$campaign_id]) is None:
                raise env.Error(f"there is no $Campaign {$campaign_id}")
"""
_FIND_STANDING = """
            standing = env.one(
                "SELECT id, status, started_on, monthly_cents FROM $standings WHERE id = ? AND $person_id = ?",
                [$standing_id, env.user_id],
            )
            if standing is None:
                raise env.Error(f"you have no $Standing {$standing_id}")
            if standing["status"] != "active":
                raise env.Error("this $Standing has ended already")
"""
_MONTHLY = integer("How much every month, in cents.", 100, 1_000_000)

_AROUND = (
    Tool(
        name="get_$organiser",
        about="Get $aOrganiser with the number of its $Campaigns that are running.",
        effect="read",
        when="full",
        params={"$organiser_id": ident("organiser")},
        returns={"$organiser": row_of("organiser", "id", "name", "city", "contact"), "running": integer()},
        code="""
            row = env.one("SELECT id, name, city, contact FROM $organisers WHERE id = ?", [$organiser_id])
            if row is None:
                raise env.Error(f"there is no $Organiser {$organiser_id}")
            counted = env.one(
                "SELECT count(*) AS n FROM $campaigns WHERE $organiser_id = ? AND status = 'running'", [$organiser_id]
            )
            return {"$organiser": row, "running": counted["n"]}
        """,
        good=lambda view: {"organiser_id": 1},
        bad=lambda view: {"organiser_id": view.missing("organiser")},
    ),
    Tool(
        name="list_$rewards",
        about="List the $Rewards of $aCampaign, cheapest first, with how many are left of each.",
        effect="read",
        when="rewards",
        params={"$campaign_id": ident("campaign")},
        returns={"$rewards": many(row_of("reward", "id", "title", "price_cents", "pieces", left=integer()))},
        code=_EXISTS
        + """
            rows = env.query(
                "SELECT r.id, r.title, r.price_cents, r.pieces, r.pieces - (SELECT count(*) FROM $pledges p"
                " WHERE p.$reward_id = r.id AND p.status <> 'cancelled') AS left FROM $rewards r"
                " WHERE r.$campaign_id = ? ORDER BY r.price_cents, r.id",
                [$campaign_id],
            )
            return {"$rewards": rows}
        """,
        good=_begun,
        bad=lambda view: {"campaign_id": view.missing("campaign")},
    ),
    Tool(
        name="list_$milestones",
        about="List the $Milestones of $aCampaign in order, with the sum each needs.",
        effect="read",
        when="full milestones",
        params={"$campaign_id": ident("campaign")},
        returns={"$milestones": many(row_of("milestone", "number", "title", "at_cents"))},
        code=_EXISTS
        + """
            rows = env.query(
                "SELECT number, title, at_cents FROM $milestones WHERE $campaign_id = ? ORDER BY number",
                [$campaign_id],
            )
            return {"$milestones": rows}
        """,
        good=_begun,
        bad=lambda view: {"campaign_id": view.missing("campaign")},
    ),
    Tool(
        name="list_$posts",
        about="List what the supporters of $aCampaign were told, newest first.",
        effect="read",
        when="full posts",
        params={"$campaign_id": ident("campaign")},
        returns={"$posts": many(row_of("post", "id", "title", "posted_at"))},
        code=_EXISTS
        + """
            rows = env.query(
                "SELECT id, title, posted_at FROM $posts WHERE $campaign_id = ? ORDER BY posted_at DESC, id",
                [$campaign_id],
            )
            return {"$posts": rows}
        """,
        good=_begun,
        bad=lambda view: {"campaign_id": view.missing("campaign")},
    ),
    Tool(
        name="summarize_my_$pledges",
        about="Count the signed-in $Person's $Pledges by status, with their sum in cents.",
        effect="read",
        when="full",
        params={},
        returns={"by_status": many(row_of("pledge", "status", n=integer(), cents=integer()))},
        code="""
            rows = env.query(
                "SELECT status, count(*) AS n, sum(total_cents) AS cents FROM $pledges"
                " WHERE $person_id = ? GROUP BY status ORDER BY status",
                [env.user_id],
            )
            return {"by_status": rows}
        """,
        good=lambda view: {},
    ),
)

_AUDIENCES = (
    Tool(
        name="list_$audiences",
        about="List every $Audience with the number of its members and whether the signed-in $Person is one.",
        effect="read",
        when="full audiences",
        params={},
        returns={"$audiences": many(row_of("audience", "id", "name", "topic", members=integer(), joined=integer()))},
        code="""
            rows = env.query(
                "SELECT a.id, a.name, a.topic, count(j.id) AS members,"
                " coalesce(sum(j.$person_id = ?), 0) AS joined FROM $audiences a"
                " LEFT JOIN $joinings j ON j.$audience_id = a.id GROUP BY a.id, a.name, a.topic ORDER BY a.name",
                [env.user_id],
            )
            return {"$audiences": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="join_$audience",
        about="Make the signed-in $Person a member of $aAudience.",
        effect="create",
        when="full audiences",
        params={"$audience_id": ident("audience")},
        returns={"$joining_id": integer()},
        code="""
            if env.one("SELECT id FROM $audiences WHERE id = ?", [$audience_id]) is None:
                raise env.Error(f"there is no $Audience {$audience_id}")
            there = env.one(
                "SELECT id FROM $joinings WHERE $audience_id = ? AND $person_id = ?", [$audience_id, env.user_id]
            )
            if there is not None:
                raise env.Error("you belong to it already")
            joining_id = env.insert(
                "INSERT INTO $joinings ($audience_id, $person_id, joined_on) VALUES (?, ?, ?)",
                [$audience_id, env.user_id, env.now[:10]],
            )
            return {"$joining_id": joining_id}
        """,
        good=lambda view: {"audience_id": not_joined(view)[0]["id"]},
        bad=lambda view: {"audience_id": view.mine("joining")[0]["audience_id"]},
    ),
    Tool(
        name="leave_$audience",
        about="End the signed-in $Person's membership of $aAudience.",
        effect="delete",
        when="full audiences",
        params={"$audience_id": ident("audience")},
        returns={"left": integer()},
        code="""
            left = env.execute(
                "DELETE FROM $joinings WHERE $audience_id = ? AND $person_id = ?", [$audience_id, env.user_id]
            )
            if left == 0:
                raise env.Error(f"you do not belong to $Audience {$audience_id}")
            return {"left": left}
        """,
        good=lambda view: {"audience_id": view.mine("joining")[0]["audience_id"]},
        bad=lambda view: {"audience_id": not_joined(view)[0]["id"]},
    ),
)

_STANDING = (
    Tool(
        name="list_my_$standings",
        about="List the signed-in $Person's $Standings, newest first, with the $Campaign of each.",
        effect="read",
        when="full standing",
        params={},
        returns={
            "$standings": many(
                row_of(
                    "standing",
                    "id",
                    "campaign_id",
                    "monthly_cents",
                    "day_of_month",
                    "started_on",
                    "status",
                    **{"$campaign_name": text()},
                )
            )
        },
        code="""
            rows = env.query(
                "SELECT s.id, s.$campaign_id, s.monthly_cents, s.day_of_month, s.started_on, s.status,"
                " c.name AS $campaign_name FROM $standings s JOIN $campaigns c ON c.id = s.$campaign_id"
                " WHERE s.$person_id = ? ORDER BY s.started_on DESC, s.id DESC",
                [env.user_id],
            )
            return {"$standings": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="start_$standing",
        about="Give to $aCampaign every month from now on, for the signed-in $Person.",
        effect="create",
        when="full standing",
        params={
            "$campaign_id": ident("campaign"),
            "monthly_cents": _MONTHLY,
            "day_of_month": integer("On which day of the month.", 1, 28),
        },
        returns={"$standing_id": integer()},
        code=FIND_CAMPAIGN
        + """
            there = env.one(
                "SELECT id FROM $standings WHERE $person_id = ? AND $campaign_id = ? AND status = 'active'",
                [env.user_id, $campaign_id],
            )
            if there is not None:
                raise env.Error(f"you have $aStanding for {campaign['name']} already")
            standing_id = env.insert(
                "INSERT INTO $standings ($person_id, $campaign_id, monthly_cents, day_of_month, started_on, status)"
                " VALUES (?, ?, ?, ?, ?, 'active')",
                [env.user_id, $campaign_id, monthly_cents, day_of_month, env.now[:10]],
            )
            return {"$standing_id": standing_id}
        """,
        good=lambda view: {"campaign_id": unbacked(view)[0]["id"], "monthly_cents": 1_500, "day_of_month": 5},
        bad=lambda view: {"campaign_id": view.missing("campaign"), "monthly_cents": 1_500, "day_of_month": 5},
    ),
    Tool(
        name="change_$standing",
        about="Change how much one of the signed-in $Person's active $Standings gives.",
        effect="change",
        when="full standing",
        params={"$standing_id": ident("standing"), "monthly_cents": _MONTHLY},
        returns={"$standing_id": integer(), "monthly_cents": integer()},
        code=_FIND_STANDING
        + """
            env.execute("UPDATE $standings SET monthly_cents = ? WHERE id = ?", [monthly_cents, $standing_id])
            return {"$standing_id": $standing_id, "monthly_cents": monthly_cents}
        """,
        good=lambda view: {"standing_id": my_standing(view)[0]["id"], "monthly_cents": 7_777},
        bad=lambda view: {"standing_id": view.missing("standing"), "monthly_cents": 7_777},
    ),
    Tool(
        name="end_$standing",
        about="End one of the signed-in $Person's active $Standings.",
        effect="change",
        when="full standing",
        imports="from datetime import date",
        params={"$standing_id": ident("standing")},
        returns={"$standing_id": integer(), "status": choice("", "ended")},
        code=_FIND_STANDING
        + """
            #: if pledge_standing_days
            days = (date.fromisoformat(env.now[:10]) - date.fromisoformat(standing["started_on"])).days
            if days < $standingdays:
                raise env.Error(f"this $Standing began {days} days ago and runs for at least $standingdays days")
            #: end
            env.execute("UPDATE $standings SET status = 'ended' WHERE id = ?", [$standing_id])
            return {"$standing_id": $standing_id, "status": "ended"}
        """,
        good=lambda view: {"standing_id": my_standing(view)[0]["id"]},
        bad=lambda view: {"standing_id": view.need("standing", lambda row: row["status"] == "ended")["id"]},
    ),
)

SUPPORT = (*_AROUND, *_AUDIENCES, *_STANDING)

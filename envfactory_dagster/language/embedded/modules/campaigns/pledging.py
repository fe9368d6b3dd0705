"""Finding campaigns, pledging to them, changing one's mind."""

from typing import Any

from envfactory_dagster.language.embedded.kit import (
    Row,
    Tool,
    choice,
    day,
    ident,
    integer,
    many,
    optional,
    row_of,
    text,
)
from envfactory_dagster.language.embedded.world import View

STATUSES = ("planned", "running", "funded", "closed")


def my_open_pledges(view: View) -> list[Row]:
    """Pledges of user 1 that are not paid yet: the old one, then the fresh one."""
    return view.mine("pledge", lambda row: row["status"] == "open")


def unbacked(view: View) -> list[Row]:
    """Running campaigns that user 1 has not pledged to."""
    backed = {row["campaign_id"] for row in view.mine("pledge")}
    return view.select("campaign", lambda row: row["status"] == "running" and row["id"] not in backed)


def rewards_of(view: View, campaign: int) -> list[Row]:
    """The cheap reward of a campaign, and the rare one of which none is left."""
    return view.select("reward", lambda row: row["campaign_id"] == campaign)


FIND_MINE = """
            pledge = env.one(
                "SELECT p.id, p.status, p.total_cents, p.pledged_at, p.$campaign_id, c.least_cents FROM $pledges p"
                " JOIN $campaigns c ON c.id = p.$campaign_id WHERE p.id = ? AND p.$person_id = ?",
                [$pledge_id, env.user_id],
            )
            if pledge is None:
                raise env.Error(f"you have no $Pledge {$pledge_id}")
            if pledge["status"] != "open":
                raise env.Error(f"this $Pledge is {pledge['status']} already")
"""
FIND_CAMPAIGN = """
            campaign = env.one("SELECT name, least_cents, status FROM $campaigns WHERE id = ?", [$campaign_id])
            if campaign is None:
                raise env.Error(f"there is no $Campaign {$campaign_id}")
            #: if pledge_running
            if campaign["status"] != "running":
                raise env.Error(f"{campaign['name']} is {campaign['status']}, not running")
            #: end
"""
_TOO_LATE = """
                raise env.Error(f"this $Pledge was made {days} days ago, more than the $canceldays allowed")
"""
_DAYS = """
            days = (date.fromisoformat(env.now[:10]) - date.fromisoformat(pledge["pledged_at"][:10])).days
"""
_CAMPAIGN = row_of("campaign", "id", "name", "target_cents", "least_cents", "ends_on", "status", raised_cents=integer())


def pledging_tool(when: str, reward: dict[str, Any]) -> Tool:
    return Tool(
        name="make_$pledge",
        about="Pledge an amount to $aCampaign for the signed-in $Person.",
        effect="create",
        when=when,
        params={
            "$campaign_id": ident("campaign"),
            "amount_cents": integer("How much, in cents.", 100, 10_000_000),
            "anonymous": {"type": "boolean", "description": "Whether the name stays hidden.", "default": False},
            "message": optional(text("A word to the organisers.", 200)),
            **reward,
        },
        returns={"$pledge_id": integer(), "total_cents": integer()},
        code=FIND_CAMPAIGN
        + """
            #: if pledge_least
            if amount_cents < campaign["least_cents"]:
                raise env.Error(f"{campaign['name']} takes no less than {campaign['least_cents']} cents")
            #: end
            #: if rewards
            if $reward_id is not None:
                reward = env.one(
                    "SELECT title, price_cents, pieces FROM $rewards WHERE id = ? AND $campaign_id = ?",
                    [$reward_id, $campaign_id],
                )
                if reward is None:
                    raise env.Error(f"{campaign['name']} has no $Reward {$reward_id}")
                if amount_cents < reward["price_cents"]:
                    raise env.Error(f"{reward['title']} is for those who give {reward['price_cents']} cents")
                #: if pledge_reward_left
                taken = env.one(
                    "SELECT count(*) AS n FROM $pledges WHERE $reward_id = ? AND status <> 'cancelled'", [$reward_id]
                )
                if taken["n"] >= reward["pieces"]:
                    raise env.Error(f"none is left of {reward['title']}")
                #: end
            pledge_id = env.insert(
                "INSERT INTO $pledges ($person_id, $campaign_id, $reward_id, total_cents, anonymous, message, status,"
                " pledged_at) VALUES (?, ?, ?, ?, ?, ?, 'open', ?)",
                [env.user_id, $campaign_id, $reward_id, amount_cents, int(anonymous), message, env.now],
            )
            #: end
            #: if !rewards
            pledge_id = env.insert(
                "INSERT INTO $pledges ($person_id, $campaign_id, total_cents, anonymous, message, status, pledged_at)"
                " VALUES (?, ?, ?, ?, ?, 'open', ?)",
                [env.user_id, $campaign_id, amount_cents, int(anonymous), message, env.now],
            )
            #: end
            return {"$pledge_id": pledge_id, "total_cents": amount_cents}
        """,
        good=lambda view: {"campaign_id": unbacked(view)[0]["id"], "amount_cents": 4_000},
        bad=lambda view: {"campaign_id": view.missing("campaign"), "amount_cents": 4_000},
    )


PLEDGING = (
    Tool(
        name="search_$campaigns",
        about="Find $Campaigns by words of their name, status and end, with what each has raised.",
        effect="read",
        params={
            "words": optional(text("Part of the name, in any case.", 60)),
            "status": optional(choice("Only $Campaigns of this status.", *STATUSES)),
            "ends_by": optional(day("Only those that end on this day or earlier, as YYYY-MM-DD.")),
            "order_by": {**choice("How to sort.", "name", "ends_on", "raised"), "default": "name"},
        },
        returns={"$campaigns": many(_CAMPAIGN)},
        code="""
            rows = env.query(
                "SELECT c.id, c.name, c.target_cents, c.least_cents, c.ends_on, c.status,"
                " (SELECT coalesce(sum(p.total_cents), 0) FROM $pledges p"
                " WHERE p.$campaign_id = c.id AND p.status <> 'cancelled') AS raised_cents FROM $campaigns c"
                " WHERE (:words IS NULL OR c.name LIKE '%' || :words || '%')"
                " AND (:status IS NULL OR c.status = :status) AND (:ends_by IS NULL OR c.ends_on <= :ends_by)"
                " ORDER BY CASE WHEN :order_by = 'raised' THEN -raised_cents ELSE 0 END,"
                " CASE WHEN :order_by = 'ends_on' THEN c.ends_on ELSE c.name END",
                {"words": words, "status": status, "ends_by": ends_by, "order_by": order_by},
            )
            return {"$campaigns": rows}
        """,
        good=lambda view: {"status": "running", "order_by": "raised"},
    ),
    Tool(
        name="get_$campaign",
        about="Get one $Campaign with what it has raised and how many $Persons back it.",
        effect="read",
        params={"$campaign_id": ident("campaign")},
        returns={
            "$campaign": row_of(
                "campaign",
                "id",
                "name",
                "organiser_id",
                "audience_id",
                "place_id",
                "target_cents",
                "least_cents",
                "starts_on",
                "ends_on",
                "status",
            ),
            "raised_cents": integer(),
            "backers": integer(),
        },
        code="""
            row = env.one(
                "SELECT id, name, target_cents, least_cents, starts_on, ends_on, status"
                #: if full
                ", $organiser_id"
                #: end
                #: if full audiences
                ", $audience_id"
                #: end
                #: if place
                ", $place_id"
                #: end
                " FROM $campaigns WHERE id = ?",
                [$campaign_id],
            )
            if row is None:
                raise env.Error(f"there is no $Campaign {$campaign_id}")
            given = env.one(
                "SELECT coalesce(sum(total_cents), 0) AS cents, count(DISTINCT $person_id) AS backers FROM $pledges"
                " WHERE $campaign_id = ? AND status <> 'cancelled'",
                [$campaign_id],
            )
            return {"$campaign": row, "raised_cents": given["cents"], "backers": given["backers"]}
        """,
        good=lambda view: {"campaign_id": 1},
        bad=lambda view: {"campaign_id": view.missing("campaign")},
    ),
    pledging_tool("!rewards", {}),
    pledging_tool(
        "rewards", {"$reward_id": optional(ident("reward", "Id of the $Reward that is wished for, if any."))}
    ),
    Tool(
        name="list_my_$pledges",
        about="List the signed-in $Person's $Pledges, newest first, optionally of one status.",
        effect="read",
        params={"status": optional(choice("Only $Pledges of this status.", "open", "paid", "cancelled"))},
        returns={
            "$pledges": many(
                row_of(
                    "pledge",
                    "id",
                    "campaign_id",
                    "reward_id",
                    "total_cents",
                    "anonymous",
                    "status",
                    "pledged_at",
                    **{"$campaign_name": text()},
                )
            ),
            "total": integer(),
        },
        code="""
            rows = env.query(
                "SELECT p.id, p.$campaign_id, p.total_cents, p.anonymous, p.status, p.pledged_at,"
                " c.name AS $campaign_name"
                #: if rewards
                ", p.$reward_id"
                #: end
                " FROM $pledges p JOIN $campaigns c ON c.id = p.$campaign_id WHERE p.$person_id = :me"
                " AND (:status IS NULL OR p.status = :status) ORDER BY p.pledged_at DESC, p.id DESC",
                {"me": env.user_id, "status": status},
            )
            return {"$pledges": rows, "total": len(rows)}
        """,
        good=lambda view: {"status": "open"},
    ),
    Tool(
        name="change_$pledge",
        about="Change the amount of one of the signed-in $Person's open $Pledges.",
        effect="change",
        imports="from datetime import date",
        params={"$pledge_id": ident("pledge"), "amount_cents": integer("The new amount, in cents.", 100, 10_000_000)},
        returns={"$pledge_id": integer(), "total_cents": integer()},
        code=FIND_MINE
        + """
            #: if pledge_least
            if amount_cents < pledge["least_cents"]:
                raise env.Error(f"the least amount is {pledge['least_cents']} cents")
            #: end
            #: if pledge_cancel_days
"""
        + _DAYS
        + """
            if amount_cents < pledge["total_cents"] and days > $canceldays:
"""
        + _TOO_LATE
        + """
            #: end
            #: if rewards
            reward = env.one(
                "SELECT r.title, r.price_cents FROM $rewards r JOIN $pledges p ON p.$reward_id = r.id WHERE p.id = ?",
                [$pledge_id],
            )
            if reward is not None and amount_cents < reward["price_cents"]:
                raise env.Error(f"{reward['title']} is for those who give {reward['price_cents']} cents")
            #: end
            env.execute("UPDATE $pledges SET total_cents = ? WHERE id = ?", [amount_cents, $pledge_id])
            return {"$pledge_id": $pledge_id, "total_cents": amount_cents}
        """,
        good=lambda view: {"pledge_id": my_open_pledges(view)[-1]["id"], "amount_cents": 9_000},
        bad=lambda view: {
            "pledge_id": view.need("pledge", lambda row: row["person_id"] != 1)["id"],
            "amount_cents": 9_000,
        },
    ),
    Tool(
        name="cancel_$pledge",
        about="Cancel one of the signed-in $Person's open $Pledges.",
        effect="change",
        imports="from datetime import date",
        params={"$pledge_id": ident("pledge")},
        returns={"$pledge_id": integer(), "status": choice("", "cancelled")},
        code=FIND_MINE
        + """
            #: if pledge_cancel_days
"""
        + _DAYS
        + """
            if days > $canceldays:
"""
        + _TOO_LATE
        + """
            #: end
            env.execute("UPDATE $pledges SET status = 'cancelled' WHERE id = ?", [$pledge_id])
            return {"$pledge_id": $pledge_id, "status": "cancelled"}
        """,
        good=lambda view: {"pledge_id": my_open_pledges(view)[-1]["id"]},
        bad=lambda view: {"pledge_id": view.need("pledge", lambda row: row["status"] == "paid")["id"]},
    ),
    Tool(
        name="set_$pledge_anonymity",
        about="Hide or show one's own name with $aPledge.",
        effect="change",
        principal="user",
        when="full",
        params={
            "$pledge_id": ident("pledge"),
            "anonymous": {"type": "boolean", "description": "Whether the name stays hidden."},
        },
        returns={"$pledge_id": integer(), "anonymous": {"type": "boolean"}},
        code=FIND_MINE
        + """
            env.execute("UPDATE $pledges SET anonymous = ? WHERE id = ?", [int(anonymous), $pledge_id])
            return {"$pledge_id": $pledge_id, "anonymous": anonymous}
        """,
        good=lambda view: {
            "pledge_id": my_open_pledges(view)[0]["id"],
            "anonymous": not my_open_pledges(view)[0]["anonymous"],
        },
        bad=lambda view: {"pledge_id": view.missing("pledge"), "anonymous": True},
    ),
)

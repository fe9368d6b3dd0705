"""What can be done with people and memberships."""

from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kit import Tool, choice, ident, integer, many, row_of, text
from envfactory_dagster.language.embedded.modules.people.rows import CHANNELS

PROFILE_TOOLS = (
    Tool(
        name="get_my_profile",
        about="Get the signed-in $Person with contact details and account status.",
        effect="read",
        params={},
        returns={
            "$person": row_of(
                "person", "id", "name", "email", "phone", "city", "preferred_channel", "joined_on", "status", "place_id"
            )
        },
        code="""
            row = env.one(
                "SELECT id, name, email, phone, city, preferred_channel, joined_on, status"
                #: if full places
                ", $place_id"
                #: end
                " FROM $persons WHERE id = ?",
                [env.user_id],
            )
            return {"$person": row}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="update_contact_details",
        about="Change the signed-in $Person's phone number and preferred channel.",
        effect="change",
        params={
            "phone": {**text("The new phone number, such as +1-555-100-2000.", 20), "pattern": r"^\+[0-9-]{8,18}$"},
            "preferred_channel": choice("How to reach the $Person from now on.", *CHANNELS),
        },
        returns={"phone": text(), "preferred_channel": choice("", *CHANNELS)},
        code="""
            taken = env.one("SELECT id FROM $persons WHERE phone = ? AND id <> ?", [phone, env.user_id])
            if taken is not None:
                raise env.Error("this phone number belongs to another $Person")
            #: if people_frozen_account
            me = env.one("SELECT status FROM $persons WHERE id = ?", [env.user_id])
            if me["status"] != "active":
                raise env.Error(f"contact details cannot be changed while the account is {me['status']}")
            #: end
            env.execute(
                "UPDATE $persons SET phone = ?, preferred_channel = ? WHERE id = ?",
                [phone, preferred_channel, env.user_id],
            )
            return {"phone": phone, "preferred_channel": preferred_channel}
        """,
        good=lambda view: {"phone": vocabulary.phone(view.rng), "preferred_channel": "post"},
        bad=lambda view: {"phone": view.row("person", 2)["phone"], "preferred_channel": "post"},
    ),
    Tool(
        name="list_my_referrals",
        about="List the $Persons who joined because the signed-in $Person referred them.",
        effect="read",
        when="full referrals",
        params={},
        returns={"$persons": many(row_of("person", "id", "name", "joined_on", "status")), "total": integer()},
        code="""
            rows = env.query(
                "SELECT id, name, joined_on, status FROM $persons WHERE referred_by = ? ORDER BY joined_on, id",
                [env.user_id],
            )
            return {"$persons": rows, "total": len(rows)}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="list_$places",
        about="List every $Place with its city and address.",
        effect="read",
        when="full places",
        params={},
        returns={"$places": many(row_of("place", "id", "name", "city", "address"))},
        code="""
            return {"$places": env.query("SELECT id, name, city, address FROM $places ORDER BY name", [])}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="set_home_$place",
        about="Make another $Place the home of the signed-in $Person.",
        effect="change",
        when="full places",
        params={"$place_id": ident("place")},
        returns={"$place_id": integer(), "name": text()},
        code="""
            place = env.one("SELECT id, name FROM $places WHERE id = ?", [$place_id])
            if place is None:
                raise env.Error(f"there is no $Place {$place_id}")
            env.execute("UPDATE $persons SET $place_id = ? WHERE id = ?", [$place_id, env.user_id])
            return {"$place_id": place["id"], "name": place["name"]}
        """,
        good=lambda view: {"place_id": 1 + view.row("person", 1)["place_id"] % 4},
        bad=lambda view: {"place_id": view.missing("place")},
    ),
)

_MEMBERSHIP_ROW = row_of("membership", "id", "tier_id", "status", "starts_on", "pauses_used", tier_name=text())

MEMBERSHIP_TOOLS = (
    Tool(
        name="list_$tiers",
        about="List every $Tier, lowest first, with its monthly price in cents and whether it takes new $Persons.",
        effect="read",
        when="full",
        params={},
        returns={"$tiers": many(row_of("tier", "id", "name", "monthly_cents", "rank", "open_to_new"))},
        code="""
            return {
                "$tiers": env.query("SELECT id, name, monthly_cents, rank, open_to_new FROM $tiers ORDER BY rank", [])
            }
        """,
        good=lambda view: {},
    ),
    Tool(
        name="get_my_$membership",
        about="Get the current $Membership of the signed-in $Person, with its $Tier.",
        effect="read",
        when="full",
        params={},
        returns={"$membership": _MEMBERSHIP_ROW},
        code="""
            row = env.one(
                "SELECT m.id, m.$tier_id, m.status, m.starts_on, m.pauses_used, t.name AS tier_name"
                " FROM $memberships m JOIN $tiers t ON t.id = m.$tier_id"
                " WHERE m.$person_id = ? AND m.status <> 'ended'",
                [env.user_id],
            )
            if row is None:
                raise env.Error("you have no current $Membership")
            return {"$membership": row}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="change_$tier",
        about="Move the signed-in $Person's current $Membership to another $Tier.",
        effect="change",
        when="full",
        params={"$tier_id": ident("tier", "Id of the $Tier to move to.")},
        returns={"$membership_id": integer(), "$tier_id": integer(), "monthly_cents": integer()},
        code="""
            tier = env.one("SELECT id, monthly_cents, open_to_new FROM $tiers WHERE id = ?", [$tier_id])
            if tier is None:
                raise env.Error(f"there is no $Tier {$tier_id}")
            #: if people_closed_tier
            if not tier["open_to_new"]:
                raise env.Error("this $Tier is closed to new $Persons")
            #: end
            current = env.one(
                "SELECT id, $tier_id FROM $memberships WHERE $person_id = ? AND status <> 'ended'", [env.user_id]
            )
            if current is None:
                raise env.Error("you have no current $Membership")
            if current["$tier_id"] == $tier_id:
                raise env.Error("this is your $Tier already")
            env.execute("UPDATE $memberships SET $tier_id = ? WHERE id = ?", [$tier_id, current["id"]])
            return {
                "$membership_id": current["id"],
                "$tier_id": $tier_id,
                "monthly_cents": tier["monthly_cents"],
            }
        """,
        good=lambda view: {"tier_id": 3},
        bad=lambda view: {"tier_id": view.missing("tier")},
    ),
    Tool(
        name="set_$membership_pause",
        about="Pause the signed-in $Person's current $Membership, or resume it.",
        effect="change",
        when="full",
        params={"action": choice("What to do.", "pause", "resume")},
        returns={"$membership_id": integer(), "status": choice("", "active", "paused")},
        code="""
            current = env.one(
                "SELECT id, status, pauses_used FROM $memberships WHERE $person_id = ? AND status <> 'ended'",
                [env.user_id],
            )
            if current is None:
                raise env.Error("you have no current $Membership")
            if action == "resume":
                if current["status"] != "paused":
                    raise env.Error("the $Membership is not paused")
                env.execute("UPDATE $memberships SET status = 'active' WHERE id = ?", [current["id"]])
                return {"$membership_id": current["id"], "status": "active"}
            if current["status"] != "active":
                raise env.Error("only an active $Membership can be paused")
            #: if people_pause_limit
            if current["pauses_used"] >= $pauses:
                raise env.Error("this $Membership has been paused $pauses times already")
            #: end
            env.execute(
                "UPDATE $memberships SET status = 'paused', pauses_used = pauses_used + 1 WHERE id = ?",
                [current["id"]],
            )
            return {"$membership_id": current["id"], "status": "paused"}
        """,
        good=lambda view: {"action": "pause"},
        bad=lambda view: {"action": "resume"},
    ),
)

TOOLS = (*PROFILE_TOOLS, *MEMBERSHIP_TOOLS)

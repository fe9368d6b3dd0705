"""What some themes have besides: itemized months, pauses, add-ons, usage, changes of plan that wait."""

from envfactory_dagster.language.embedded.kit import Tool, choice, day, ident, integer, many, row_of, text
from envfactory_dagster.language.embedded.modules.subscriptions.contracts import not_mine
from envfactory_dagster.language.embedded.modules.subscriptions.fragments import (
    BOUND,
    FIND_MINE,
    FIND_PLAN,
    FREE,
    MAY_CHANGE,
    NOT_ENDED,
    offered_besides,
)
from envfactory_dagster.language.embedded.world import View


def addons_besides(view: View, contract_id: int) -> list[int]:
    """Add-ons anybody may have and this contract lacks."""
    had = {row["addon_id"] for row in view.rows("extra") if row["contract_id"] == contract_id}
    return [row["id"] for row in view.rows("addon") if row["id"] not in had and row["least_plan_cents"] == 0]


_ITEMIZED = (
    Tool(
        name="get_$period",
        about="Get one $Period of the signed-in $Person's $Contracts with the lines its total is made of.",
        effect="read",
        when="full itemized",
        params={"$period_id": ident("period")},
        returns={
            "$period": row_of("period", "id", "contract_id", "starts_on", "ends_on", "total_cents", "status"),
            "$feelines": many(row_of("feeline", "id", "kind", "text", "amount_cents")),
        },
        code="""
            period = env.one(
                "SELECT id, $contract_id, starts_on, ends_on, total_cents, status FROM $periods"
                " WHERE id = ? AND $person_id = ?",
                [$period_id, env.user_id],
            )
            if period is None:
                raise env.Error(f"you have no $Period {$period_id}")
            lines = env.query(
                "SELECT id, kind, text, amount_cents FROM $feelines WHERE $period_id = ? ORDER BY id", [$period_id]
            )
            return {"$period": period, "$feelines": lines}
        """,
        good=lambda view: {"period_id": view.mine("period")[0]["id"]},
        bad=lambda view: {"period_id": view.need("period", lambda row: row["person_id"] != 1)["id"]},
    ),
)

_PAUSES = (
    Tool(
        name="list_$pauses",
        about="List the $Pauses of one of the signed-in $Person's $Contracts, latest first.",
        effect="read",
        when="full pauses",
        params={"$contract_id": ident("contract")},
        returns={"$pauses": many(row_of("pause", "id", "starts_on", "ends_on", "status"))},
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT id, starts_on, ends_on, status FROM $pauses WHERE $contract_id = ? ORDER BY starts_on DESC, id",
                [$contract_id],
            )
            return {"$pauses": rows}
        """,
        good=lambda view: {"contract_id": BOUND},
        bad=not_mine,
    ),
    Tool(
        name="plan_$pause",
        about="Plan $aPause of one of the signed-in $Person's $Contracts; it may not overlap another one planned.",
        effect="create",
        when="full pauses",
        imports="from datetime import date",
        params={
            "$contract_id": ident("contract"),
            "starts_on": day("The first day, still to come, as YYYY-MM-DD."),
            "ends_on": day("The last day, as YYYY-MM-DD."),
        },
        returns={"$pause_id": integer(), "days": integer()},
        code=FIND_MINE
        + NOT_ENDED
        + """
            if starts_on <= env.now[:10] or ends_on <= starts_on:
                raise env.Error("$aPause starts after today and ends after it starts")
            days = (date.fromisoformat(ends_on) - date.fromisoformat(starts_on)).days + 1
            #: if sub_pause_length
            if days > $pausedays:
                raise env.Error(f"{days} days are too long, $aPause lasts at most $pausedays days")
            #: end
            clash = env.one(
                "SELECT starts_on FROM $pauses WHERE $contract_id = ? AND status = 'planned'"
                " AND starts_on <= ? AND ends_on >= ?",
                [$contract_id, ends_on, starts_on],
            )
            if clash is not None:
                raise env.Error(f"$aPause from {clash['starts_on']} is planned already")
            pause_id = env.insert(
                "INSERT INTO $pauses ($contract_id, starts_on, ends_on, status) VALUES (?, ?, ?, 'planned')",
                [$contract_id, starts_on, ends_on],
            )
            return {"$pause_id": pause_id, "days": days}
        """,
        good=lambda view: {"contract_id": FREE, "starts_on": view.day(5), "ends_on": view.day(12)},
        bad=lambda view: {"contract_id": FREE, "starts_on": view.day(-5), "ends_on": view.day(2)},
    ),
    Tool(
        name="withdraw_$pause",
        about="Withdraw a planned $Pause of one of the signed-in $Person's $Contracts.",
        effect="change",
        when="full pauses",
        params={"$pause_id": ident("pause")},
        returns={"$pause_id": integer(), "status": choice("", "withdrawn")},
        code="""
            changed = env.execute(
                "UPDATE $pauses SET status = 'withdrawn' WHERE id = ? AND status = 'planned'"
                " AND $contract_id IN (SELECT id FROM $contracts WHERE $person_id = ?)",
                [$pause_id, env.user_id],
            )
            if changed == 0:
                raise env.Error(f"you have no planned $Pause {$pause_id}")
            return {"$pause_id": $pause_id, "status": "withdrawn"}
        """,
        good=lambda view: {"pause_id": view.need("pause", lambda row: row["status"] == "planned")["id"]},
        bad=lambda view: {"pause_id": view.missing("pause")},
    ),
)

_ADDONS = (
    Tool(
        name="list_$addons_for_$contract",
        about="List every $Addon, cheapest first, and whether one of the signed-in $Person's $Contracts has it.",
        effect="read",
        when="full addons",
        params={"$contract_id": ident("contract")},
        returns={
            "$addons": many(row_of("addon", "id", "name", "monthly_cents", "least_plan_cents", booked=integer())),
        },
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT a.id, a.name, a.monthly_cents, a.least_plan_cents, count(e.id) AS booked FROM $addons a"
                " LEFT JOIN $extras e ON e.$addon_id = a.id AND e.$contract_id = ?"
                " GROUP BY a.id, a.name, a.monthly_cents, a.least_plan_cents ORDER BY a.monthly_cents, a.id",
                [$contract_id],
            )
            return {"$addons": rows}
        """,
        good=lambda view: {"contract_id": FREE},
        bad=not_mine,
    ),
    Tool(
        name="add_$addon",
        about="Add $aAddon to one of the signed-in $Person's $Contracts, if its $Plan costs enough a month for it.",
        effect="create",
        when="full addons",
        params={"$contract_id": ident("contract"), "$addon_id": ident("addon")},
        returns={"$extra_id": integer(), "monthly_cents": integer()},
        code=FIND_MINE
        + NOT_ENDED
        + """
            addon = env.one("SELECT monthly_cents, least_plan_cents FROM $addons WHERE id = ?", [$addon_id])
            if addon is None:
                raise env.Error(f"there is no $Addon {$addon_id}")
            if contract["monthly_cents"] < addon["least_plan_cents"]:
                raise env.Error(f"this needs $aPlan of {addon['least_plan_cents']} cents a month at least")
            if env.one("SELECT id FROM $extras WHERE $contract_id = ? AND $addon_id = ?", [$contract_id, $addon_id]):
                raise env.Error("this $Contract has that $Addon already")
            extra_id = env.insert(
                "INSERT INTO $extras ($contract_id, $addon_id, since_on) VALUES (?, ?, ?)",
                [$contract_id, $addon_id, env.now[:10]],
            )
            return {"$extra_id": extra_id, "monthly_cents": addon["monthly_cents"]}
        """,
        good=lambda view: {"contract_id": FREE, "addon_id": addons_besides(view, FREE)[0]},
        bad=lambda view: {"contract_id": FREE, "addon_id": view.missing("addon")},
    ),
    Tool(
        name="drop_$addon",
        about="Take $aAddon off one of the signed-in $Person's $Contracts.",
        effect="delete",
        when="full addons",
        params={"$contract_id": ident("contract"), "$addon_id": ident("addon")},
        returns={"$contract_id": integer(), "$addon_id": integer()},
        code=FIND_MINE
        + """
            changed = env.execute(
                "DELETE FROM $extras WHERE $contract_id = ? AND $addon_id = ?", [$contract_id, $addon_id]
            )
            if changed == 0:
                raise env.Error(f"this $Contract has no $Addon {$addon_id}")
            return {"$contract_id": $contract_id, "$addon_id": $addon_id}
        """,
        good=lambda view: {
            "contract_id": FREE,
            "addon_id": view.need("extra", lambda row: row["contract_id"] == FREE)["addon_id"],
        },
        bad=lambda view: {"contract_id": FREE, "addon_id": addons_besides(view, FREE)[0]},
    ),
)

_METERED = (
    Tool(
        name="list_$usages",
        about="List what was used under one of the signed-in $Person's $Contracts between two days, with the sum.",
        effect="read",
        when="full metered",
        params={
            "$contract_id": ident("contract"),
            "first_day": day("The first day, as YYYY-MM-DD."),
            "last_day": day("The last day, as YYYY-MM-DD."),
        },
        returns={"$usages": many(row_of("usage", "id", "on_day", "units", "source")), "units": integer()},
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT id, on_day, units, source FROM $usages WHERE $contract_id = ? AND on_day >= ? AND on_day <= ?"
                " ORDER BY on_day",
                [$contract_id, first_day, last_day],
            )
            return {"$usages": rows, "units": sum(row["units"] for row in rows)}
        """,
        good=lambda view: {"contract_id": BOUND, "first_day": view.day(-60), "last_day": view.today},
        bad=lambda view: {**not_mine(view), "first_day": view.day(-60), "last_day": view.today},
    ),
    Tool(
        name="report_$usage",
        about="Report what one used today under one's own $Contract.",
        effect="create",
        principal="user",
        when="full metered",
        params={"$contract_id": ident("contract"), "units": integer("How many units.", 1, 10_000)},
        returns={"$usage_id": integer(), "on_day": text()},
        code=FIND_MINE
        + """
            if env.one("SELECT id FROM $usages WHERE $contract_id = ? AND on_day = ?", [$contract_id, env.now[:10]]):
                raise env.Error("today is recorded already")
            usage_id = env.insert(
                "INSERT INTO $usages ($contract_id, on_day, units, source) VALUES (?, ?, ?, 'self_reported')",
                [$contract_id, env.now[:10], units],
            )
            return {"$usage_id": usage_id, "on_day": env.now[:10]}
        """,
        good=lambda view: {"contract_id": BOUND, "units": 12},
        bad=lambda view: {"contract_id": view.missing("contract"), "units": 12},
    ),
)

_QUEUED = (
    Tool(
        name="list_$switchs",
        about="List the $Switchs of one of the signed-in $Person's $Contracts, latest first.",
        effect="read",
        when="full queued",
        params={"$contract_id": ident("contract")},
        returns={
            "$switchs": many(
                row_of("switch", "id", "plan_id", "effective_on", "status", "requested_at", **{"$plan_name": text()})
            )
        },
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT s.id, s.$plan_id, s.effective_on, s.status, s.requested_at, p.name AS $plan_name"
                " FROM $switchs s JOIN $plans p ON p.id = s.$plan_id WHERE s.$contract_id = ?"
                " ORDER BY s.requested_at DESC, s.id",
                [$contract_id],
            )
            return {"$switchs": rows}
        """,
        good=lambda view: {"contract_id": BOUND},
        bad=not_mine,
    ),
    Tool(
        name="request_$switch",
        about="Ask for another $Plan for one of the signed-in $Person's $Contracts, from the end of this month on.",
        effect="create",
        when="full queued",
        imports="from datetime import datetime, timedelta",
        params={"$contract_id": ident("contract"), "$plan_id": ident("plan", "Id of the new $Plan.")},
        returns={"$switch_id": integer(), "effective_on": text()},
        code=FIND_MINE
        + NOT_ENDED
        + FIND_PLAN
        + MAY_CHANGE
        + """
            waiting = env.one(
                "SELECT id FROM $switchs WHERE $contract_id = ? AND status IN ('requested', 'confirmed')",
                [$contract_id],
            )
            if waiting is not None:
                raise env.Error("$aSwitch of this $Contract is waiting already")
            following = datetime.fromisoformat(env.now[:8] + "01") + timedelta(days=32)
            effective_on = (following.replace(day=1) - timedelta(days=1)).date().isoformat()
            switch_id = env.insert(
                "INSERT INTO $switchs ($contract_id, $plan_id, effective_on, status, requested_at)"
                " VALUES (?, ?, ?, 'requested', ?)",
                [$contract_id, $plan_id, effective_on, env.now],
            )
            return {"$switch_id": switch_id, "effective_on": effective_on}
        """,
        good=lambda view: {"contract_id": FREE, "plan_id": offered_besides(view, FREE)[0]["id"]},
        bad=lambda view: {"contract_id": FREE, "plan_id": view.missing("plan")},
    ),
    Tool(
        name="withdraw_$switch",
        about="Withdraw $aSwitch of one of the signed-in $Person's $Contracts that is not done yet.",
        effect="change",
        when="full queued",
        params={"$switch_id": ident("switch")},
        returns={"$switch_id": integer(), "status": choice("", "withdrawn")},
        code="""
            changed = env.execute(
                "UPDATE $switchs SET status = 'withdrawn' WHERE id = ? AND status IN ('requested', 'confirmed')"
                " AND $contract_id IN (SELECT id FROM $contracts WHERE $person_id = ?)",
                [$switch_id, env.user_id],
            )
            if changed == 0:
                raise env.Error(f"you have no $Switch {$switch_id} that is waiting")
            return {"$switch_id": $switch_id, "status": "withdrawn"}
        """,
        good=lambda view: {"switch_id": view.need("switch", lambda row: row["contract_id"] == BOUND)["id"]},
        bad=lambda view: {"switch_id": view.missing("switch")},
    ),
    Tool(
        name="confirm_$switch",
        about="Confirm one's own requested $Switch, so that it will take effect.",
        effect="change",
        principal="user",
        when="full queued",
        params={"$switch_id": ident("switch")},
        returns={"$switch_id": integer(), "status": choice("", "confirmed")},
        code="""
            changed = env.execute(
                "UPDATE $switchs SET status = 'confirmed' WHERE id = ? AND status = 'requested'"
                " AND $contract_id IN (SELECT id FROM $contracts WHERE $person_id = ?)",
                [$switch_id, env.user_id],
            )
            if changed == 0:
                raise env.Error(f"you have no $Switch {$switch_id} to confirm")
            return {"$switch_id": $switch_id, "status": "confirmed"}
        """,
        good=lambda view: {"switch_id": view.need("switch", lambda row: row["contract_id"] == BOUND)["id"]},
        bad=lambda view: {"switch_id": view.missing("switch")},
    ),
)

EXTRAS = (*_ITEMIZED, *_PAUSES, *_ADDONS, *_METERED, *_QUEUED)

"""Plans, contracts and what they cost."""

from typing import Any

from envfactory_dagster.language.embedded.kit import (
    Schema,
    Tool,
    boolean,
    choice,
    ident,
    integer,
    many,
    optional,
    row_of,
    text,
)
from envfactory_dagster.language.embedded.modules.subscriptions.fragments import (
    BOUND,
    CONTRACT,
    ENDED,
    FIND_MINE,
    FIND_PLAN,
    FREE,
    MAY_CHANGE,
    NOT_ENDED,
    SELECT_CONTRACTS,
    offered_besides,
)
from envfactory_dagster.language.embedded.world import View

_DATES = "from datetime import datetime, timedelta"


def not_mine(view: View) -> dict[str, Any]:
    return {"contract_id": view.need("contract", lambda row: row["person_id"] != 1)["id"]}


def _starting(when: str, place: Schema) -> Tool:
    """`start_$contract`, with or without the site it is for among its parameters."""
    chosen = {"place_id": 1} if place else {}
    return Tool(
        name="start_$contract",
        about="Start $aContract for $aPlan today for the signed-in $Person, who is bound for the term of the $Plan.",
        effect="create",
        when=when,
        imports=_DATES,
        params={
            "$plan_id": ident("plan"),
            **place,
            "label": text("What the $Person calls it; not the label of another $Contract of theirs.", 60),
        },
        returns={"$contract_id": integer(), "bound_until": text()},
        code=FIND_PLAN
        + """
            if env.one("SELECT id FROM $contracts WHERE $person_id = ? AND label = ?", [env.user_id, label]):
                raise env.Error(f"you have $aContract with the label {label} already")
            today = env.now[:10]
            last = datetime.fromisoformat(env.now) + timedelta(days=30 * plan["term_months"])
            bound_until = last.date().isoformat()
            #: if full place
            if env.one("SELECT id FROM $places WHERE id = ?", [$place_id]) is None:
                raise env.Error(f"there is no $Place {$place_id}")
            contract_id = env.insert(
                "INSERT INTO $contracts ($person_id, $plan_id, $place_id, label, status, started_on, bound_until,"
                " renews, plan_since) VALUES (?, ?, ?, ?, 'active', ?, ?, 1, ?)",
                [env.user_id, $plan_id, $place_id, label, today, bound_until, today],
            )
            #: end
            #: if !place
            contract_id = env.insert(
                "INSERT INTO $contracts ($person_id, $plan_id, label, status, started_on, bound_until, renews,"
                " plan_since) VALUES (?, ?, ?, 'active', ?, ?, 1, ?)",
                [env.user_id, $plan_id, label, today, bound_until, today],
            )
            #: end
            return {"$contract_id": contract_id, "bound_until": bound_until}
        """,
        good=lambda view: {"plan_id": 1, "label": "Cottage", **chosen},
        bad=lambda view: {"plan_id": view.missing("plan"), "label": "Cottage", **chosen},
    )


_LOOKUPS = (
    Tool(
        name="list_$plans",
        about="List the $Plans, cheapest first, with those that are retired; a term of 0 months binds nobody.",
        effect="read",
        params={"most_cents": optional(integer("Only $Plans up to this price a month, in cents.", 1))},
        returns={
            "$plans": many(
                row_of("plan", "id", "name", "monthly_cents", "term_months", "included_units", "thing_id", "status")
            )
        },
        code="""
            rows = env.query(
                "SELECT id, name, monthly_cents, term_months, status"
                #: if full metered
                ", included_units"
                #: end
                #: if full thing
                ", $thing_id"
                #: end
                " FROM $plans WHERE (:most IS NULL OR monthly_cents <= :most) ORDER BY monthly_cents, id",
                {"most": most_cents},
            )
            return {"$plans": rows}
        """,
        good=lambda view: {"most_cents": 100_000},
    ),
    Tool(
        name="get_$thing_of_$plan",
        about="Get the $Thing that comes with $aPlan.",
        effect="read",
        when="full thing",
        params={"$plan_id": ident("plan")},
        returns={"$thing": row_of("thing", "id", "name")},
        code="""
            row = env.one(
                "SELECT i.id, i.name FROM $plans p JOIN $things i ON i.id = p.$thing_id WHERE p.id = ?", [$plan_id]
            )
            if row is None:
                raise env.Error(f"nothing comes with $Plan {$plan_id}")
            return {"$thing": row}
        """,
        good=lambda view: {"plan_id": 2},
        bad=lambda view: {"plan_id": view.missing("plan")},
    ),
    Tool(
        name="list_my_$contracts",
        about="List the signed-in $Person's $Contracts with $Plan and price, latest first, optionally of one status.",
        effect="read",
        params={"status": optional(choice("Only $Contracts of this status.", "active", "paused", "ended"))},
        returns={"$contracts": many(CONTRACT)},
        code="""
            rows = env.query("""
        + SELECT_CONTRACTS
        + """
                " WHERE c.$person_id = :me AND (:status IS NULL OR c.status = :status)"
                " ORDER BY c.started_on DESC, c.id",
                {"me": env.user_id, "status": status},
            )
            return {"$contracts": rows}
        """,
        good=lambda view: {"status": "active"},
    ),
    Tool(
        name="get_$contract",
        about="Get one of the signed-in $Person's $Contracts with its $Plan and price.",
        effect="read",
        params={"$contract_id": ident("contract")},
        returns={"$contract": CONTRACT},
        code=FIND_MINE + '            return {"$contract": contract}\n',
        good=lambda view: {"contract_id": FREE},
        bad=not_mine,
    ),
    Tool(
        name="list_$periods",
        about="List the $Periods of one of the signed-in $Person's $Contracts, latest first; a draft is running.",
        effect="read",
        params={"$contract_id": ident("contract")},
        returns={"$periods": many(row_of("period", "id", "starts_on", "ends_on", "total_cents", "status"))},
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT id, starts_on, ends_on, total_cents, status FROM $periods WHERE $contract_id = ?"
                " ORDER BY starts_on DESC",
                [$contract_id],
            )
            return {"$periods": rows}
        """,
        good=lambda view: {"contract_id": BOUND},
        bad=not_mine,
    ),
    Tool(
        name="summarize_my_$contracts",
        about="Add up what the signed-in $Person's $Contracts cost a month by status, and all final $Periods.",
        effect="read",
        when="full",
        params={},
        returns={
            "by_status": many(row_of("contract", "status", n=integer(), monthly_cents=integer())),
            "billed_cents": integer(),
        },
        code="""
            rows = env.query(
                "SELECT c.status, count(*) AS n, sum(p.monthly_cents) AS monthly_cents FROM $contracts c"
                " JOIN $plans p ON p.id = c.$plan_id WHERE c.$person_id = ? GROUP BY c.status ORDER BY c.status",
                [env.user_id],
            )
            billed = env.one(
                "SELECT coalesce(sum(total_cents), 0) AS cents FROM $periods"
                " WHERE $person_id = ? AND status = 'final'",
                [env.user_id],
            )
            return {"by_status": rows, "billed_cents": billed["cents"]}
        """,
        good=lambda view: {},
    ),
)

_CHANGES = (
    _starting("!place", {}),
    _starting("full place", {"$place_id": ident("place", "Id of the $Place it is for.")}),
    Tool(
        name="end_$contract",
        about="End one of the signed-in $Person's $Contracts today.",
        effect="change",
        params={"$contract_id": ident("contract")},
        returns={"$contract_id": integer(), "ended_on": text()},
        code=FIND_MINE
        + NOT_ENDED
        + """
            #: if sub_bound_until
            if env.now[:10] < contract["bound_until"]:
                raise env.Error(f"the minimum term of this $Contract runs until {contract['bound_until']}")
            #: end
            env.execute(
                "UPDATE $contracts SET status = 'ended', ended_on = ? WHERE id = ?", [env.now[:10], $contract_id]
            )
            return {"$contract_id": $contract_id, "ended_on": env.now[:10]}
        """,
        good=lambda view: {"contract_id": FREE},
        bad=lambda view: {"contract_id": ENDED},
    ),
    Tool(
        name="change_$plan",
        about="Give one of the signed-in $Person's $Contracts another $Plan from today on.",
        effect="change",
        when="full !queued",
        imports=_DATES,
        params={"$contract_id": ident("contract"), "$plan_id": ident("plan", "Id of the new $Plan.")},
        returns={"$contract_id": integer(), "$plan_id": integer(), "monthly_cents": integer()},
        code=FIND_MINE
        + NOT_ENDED
        + FIND_PLAN
        + MAY_CHANGE
        + """
            env.execute(
                "UPDATE $contracts SET $plan_id = ?, plan_since = ? WHERE id = ?",
                [$plan_id, env.now[:10], $contract_id],
            )
            return {"$contract_id": $contract_id, "$plan_id": $plan_id, "monthly_cents": plan["monthly_cents"]}
        """,
        good=lambda view: {"contract_id": FREE, "plan_id": offered_besides(view, FREE)[0]["id"]},
        bad=lambda view: {"contract_id": FREE, "plan_id": view.missing("plan")},
    ),
    Tool(
        name="set_$contract_renewal",
        about="Say whether one of the signed-in $Person's $Contracts renews itself at the end of its term.",
        effect="change",
        when="full",
        params={"$contract_id": ident("contract"), "renews": boolean("Whether it renews itself.")},
        returns={"$contract_id": integer(), "renews": boolean()},
        code=FIND_MINE
        + NOT_ENDED
        + """
            env.execute("UPDATE $contracts SET renews = ? WHERE id = ?", [int(renews), $contract_id])
            return {"$contract_id": $contract_id, "renews": renews}
        """,
        good=lambda view: {"contract_id": FREE, "renews": False},
        bad=lambda view: {"contract_id": ENDED, "renews": False},
    ),
    Tool(
        name="rename_$contract",
        about="Give one's own $Contract another label.",
        effect="change",
        principal="user",
        when="full",
        params={"$contract_id": ident("contract"), "label": text("The new label.", 60)},
        returns={"$contract_id": integer(), "label": text()},
        code=FIND_MINE
        + """
            if env.one("SELECT id FROM $contracts WHERE $person_id = ? AND label = ?", [env.user_id, label]):
                raise env.Error(f"you have $aContract with the label {label} already")
            env.execute("UPDATE $contracts SET label = ? WHERE id = ?", [label, $contract_id])
            return {"$contract_id": $contract_id, "label": label}
        """,
        good=lambda view: {"contract_id": BOUND, "label": "Upstairs"},
        bad=lambda view: {"contract_id": view.missing("contract"), "label": "Upstairs"},
    ),
)

CONTRACTS = (*_LOOKUPS, *_CHANGES)

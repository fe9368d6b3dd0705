"""What the option `swaps` adds: offering one's shifts to others and taking theirs."""

from envfactory_dagster.language.embedded.kit import Tool, choice, ident, integer, many, row_of, text
from envfactory_dagster.language.embedded.modules.scheduling.fragments import (
    FIND_MINE,
    MAY_WORK,
    TIMES,
    TO_COME,
    coming,
    open_offers,
)

SWAPPING = (
    Tool(
        name="list_open_$swaps",
        about="List the $Shifts that somebody wants to pass on, the signed-in $Person's own among them.",
        effect="read",
        when="full swaps",
        params={},
        returns={
            "$swaps": many(
                row_of(
                    "swap",
                    "id",
                    "stint_id",
                    "note",
                    "offered_at",
                    offered_by=text(),
                    starts_at=text(),
                    ends_at=text(),
                    mine=integer(),
                    **{"$shift_id": integer(), "$duty_name": text()},
                )
            )
        },
        code="""
            rows = env.query(
                "SELECT w.id, w.$stint_id, w.note, w.offered_at, p.name AS offered_by, s.starts_at, s.ends_at,"
                " s.id AS $shift_id, d.name AS $duty_name, a.$person_id = ? AS mine FROM $swaps w"
                " JOIN $stints a ON a.id = w.$stint_id JOIN $persons p ON p.id = a.$person_id"
                " JOIN $shifts s ON s.id = a.$shift_id JOIN $dutys d ON d.id = s.$duty_id"
                " WHERE w.status = 'open' AND s.starts_at > ? ORDER BY s.starts_at, w.id",
                [env.user_id, env.now],
            )
            return {"$swaps": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="offer_$swap",
        about="Offer a $Shift the signed-in $Person is down for to everybody else.",
        effect="create",
        when="full swaps",
        params={"$stint_id": ident("stint"), "note": text("Why, in a few words.", 200)},
        returns={"$swap_id": integer(), "status": choice("", "open")},
        code=FIND_MINE
        + TO_COME
        + """
            if env.one("SELECT id FROM $swaps WHERE $stint_id = ? AND status = 'open'", [$stint_id]):
                raise env.Error("this is offered to others already")
            swap_id = env.insert(
                "INSERT INTO $swaps ($stint_id, note, status, offered_at) VALUES (?, ?, 'open', ?)",
                [$stint_id, note, env.now],
            )
            return {"$swap_id": swap_id, "status": "open"}
        """,
        good=lambda view: {"stint_id": coming(view)[0]["id"], "note": "My sister visits."},
        bad=lambda view: {"stint_id": view.missing("stint"), "note": "My sister visits."},
    ),
    Tool(
        name="take_$swap",
        about="Take over a $Shift that somebody else offers: the signed-in $Person works it instead.",
        effect="change",
        when="full swaps",
        imports=TIMES,
        params={"$swap_id": ident("swap")},
        returns={"$swap_id": integer(), "$stint_id": integer(), "status": choice("", "taken")},
        code="""
            swap = env.one("SELECT $stint_id, status FROM $swaps WHERE id = ?", [$swap_id])
            if swap is None or swap["status"] != "open":
                raise env.Error(f"there is no open $Swap {$swap_id}")
            shift = env.one(
                "SELECT s.id, s.$duty_id, s.starts_at, s.ends_at FROM $stints a JOIN $shifts s"
                " ON s.id = a.$shift_id WHERE a.id = ?",
                [swap["$stint_id"]],
            )
            if shift["starts_at"] <= env.now:
                raise env.Error("this $Shift has begun already")
"""
        + MAY_WORK
        + """
            env.execute("UPDATE $swaps SET status = 'taken', taker_id = ? WHERE id = ?", [env.user_id, $swap_id])
            env.execute("UPDATE $stints SET status = 'released' WHERE id = ?", [swap["$stint_id"]])
            stint_id = env.insert(
                "INSERT INTO $stints ($shift_id, $person_id, status, taken_at) VALUES (?, ?, 'assigned', ?)",
                [shift["id"], env.user_id, env.now],
            )
            return {"$swap_id": $swap_id, "$stint_id": stint_id, "status": "taken"}
        """,
        good=lambda view: {"swap_id": open_offers(view)[0]["id"]},
        bad=lambda view: {"swap_id": view.missing("swap")},
    ),
    Tool(
        name="withdraw_$swap",
        about="Withdraw an open $Swap of the signed-in $Person, who then keeps the $Shift.",
        effect="change",
        when="full swaps",
        params={"$swap_id": ident("swap")},
        returns={"$swap_id": integer(), "status": choice("", "withdrawn")},
        code="""
            swap = env.one(
                "SELECT w.id, w.status FROM $swaps w JOIN $stints a ON a.id = w.$stint_id"
                " WHERE w.id = ? AND a.$person_id = ?",
                [$swap_id, env.user_id],
            )
            if swap is None or swap["status"] != "open":
                raise env.Error(f"you have no open $Swap {$swap_id}")
            env.execute("UPDATE $swaps SET status = 'withdrawn' WHERE id = ?", [$swap_id])
            return {"$swap_id": $swap_id, "status": "withdrawn"}
        """,
        good=lambda view: {"swap_id": 1},
        bad=lambda view: {"swap_id": open_offers(view)[0]["id"]},
    ),
)

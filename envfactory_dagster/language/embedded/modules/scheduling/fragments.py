"""Pieces that several tools of this module share: finding rows of a world, and fragments of code."""

from envfactory_dagster.language.embedded.kit import Row, row_of, text
from envfactory_dagster.language.embedded.world import View

TIMES = "from datetime import datetime, timedelta"
STATUSES = ("assigned", "confirmed", "released", "worked", "missed")
SHIFT = row_of("shift", "id", "duty_id", "place_id", "starts_at", "ends_at", "hours", **{"$duty_name": text()})

MINE = row_of("stint", "id", "shift_id", "status", starts_at=text(), ends_at=text(), **{"$duty_name": text()})
SELECT_MINE = """
                "SELECT a.id, a.$shift_id, a.status, s.starts_at, s.ends_at, d.name AS $duty_name FROM $stints a"
                " JOIN $shifts s ON s.id = a.$shift_id JOIN $dutys d ON d.id = s.$duty_id"
"""
FIND_MINE = (
    """
            row = env.one("""
    + SELECT_MINE
    + """
                " WHERE a.id = ? AND a.$person_id = ?",
                [$stint_id, env.user_id],
            )
            if row is None:
                raise env.Error(f"you have no $Stint {$stint_id}")
"""
)
TO_COME = """
            if row["status"] not in ("assigned", "confirmed") or row["starts_at"] <= env.now:
                raise env.Error(f"this $Stint is {row['status']} and not to come any more")
"""
# May the signed-in person work the shift `shift` (id, starts_at, ends_at, $duty_id)?
MAY_WORK = """
            busy = env.query(
                "SELECT s.id, s.starts_at, s.ends_at FROM $stints a JOIN $shifts s ON s.id = a.$shift_id"
                " WHERE a.$person_id = ? AND a.status IN ('assigned', 'confirmed') AND s.ends_at > ?",
                [env.user_id, env.now],
            )
            if any(other["id"] == shift["id"] for other in busy):
                raise env.Error("you are down for this $Shift already")
            #: if shift_most
            if len(busy) >= $mostshifts:
                raise env.Error("you have $mostshifts $Shifts to come already, the most allowed")
            #: end
            pause = timedelta(hours=0)
            #: if shift_rest
            pause = timedelta(hours=$rest)
            #: end
            first = (datetime.fromisoformat(shift["starts_at"]) - pause).isoformat()
            last = (datetime.fromisoformat(shift["ends_at"]) + pause).isoformat()
            for other in busy:
                if first < other["ends_at"] and other["starts_at"] < last:
                    raise env.Error(f"not enough hours of rest: you have another $Shift at {other['starts_at']}")
            #: if shift_skill
            lacking = env.one(
                "SELECT q.name FROM $dutys d JOIN $skills q ON q.id = d.$skill_id WHERE d.id = ? AND NOT EXISTS"
                " (SELECT 1 FROM $holdings h WHERE h.$skill_id = q.id AND h.$person_id = ? AND h.expires_on >= ?)",
                [shift["$duty_id"], env.user_id, shift["starts_at"][:10]],
            )
            if lacking is not None:
                raise env.Error(f"this $Shift requires the $Skill {lacking['name']}, which you do not hold")
            #: end
"""


def start_of(view: View, stint: Row) -> str:
    start: str = view.row("shift", stint["shift_id"])["starts_at"]
    return start


def coming(view: View) -> list[Row]:
    """Assignments of user 1 that can still be given up and are not offered to others."""
    offered = {row["stint_id"] for row in view.rows("swap")} if view.has("full") and view.has("swaps") else set()
    return view.mine(
        "stint",
        lambda row: row["status"] == "assigned" and start_of(view, row) > view.moment(3) and row["id"] not in offered,
    )


def free_shifts(view: View) -> list[Row]:
    """Shifts that user 1 may take: after all of the own ones, with places left and no skill lacking."""
    taken: dict[int, int] = {}
    for stint in view.rows("stint"):
        if stint["status"] in ("assigned", "confirmed"):
            taken[stint["shift_id"]] = taken.get(stint["shift_id"], 0) + 1
    return view.select(
        "shift",
        lambda shift: (
            shift["starts_at"] > view.moment(8, 0)
            and shift["needed"] > taken.get(shift["id"], 0)
            and shift["duty_id"] != 3
        ),
    )


def open_offers(view: View) -> list[Row]:
    """Open swap offers of others whose shift user 1 may take."""
    free = {row["id"] for row in view.select("shift", lambda row: row["duty_id"] != 3)}
    mine = {row["id"] for row in view.mine("stint")}
    offers = view.select("swap", lambda row: row["status"] == "open" and row["stint_id"] not in mine)
    return [row for row in offers if view.row("stint", row["stint_id"])["shift_id"] in free]

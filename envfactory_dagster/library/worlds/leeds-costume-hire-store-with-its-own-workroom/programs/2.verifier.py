from datetime import date, timedelta


def _add(world, day, count):
    days_off = {r["day"] for r in world.initial.query("SELECT day FROM bank_holidays")}
    moving = date.fromisoformat(day)
    while count > 0:
        moving += timedelta(days=1)
        if moving.weekday() < 5 and moving.isoformat() not in days_off:
            count -= 1
    return moving.isoformat()


def _is_free(world, piece):
    rest = {"washable": 3, "dry_clean": 5, "fur_feather_wool": 8}[piece["cleaning_class"]]
    if piece["condition"] == "D":
        return False
    for other in world.initial.query(
        "SELECT h.collection_date, h.due_date, h.returned_at FROM hire_lines l JOIN hires h ON h.id = l.hire_id"
        " WHERE l.piece_id = ? AND l.status = 'active' AND h.status <> 'cancelled'",
        [piece["id"]],
    ):
        last = (other["returned_at"] or other["due_date"])[:10]
        if _add(world, last, rest) <= "2025-02-03" or other["collection_date"] >= _add(world, "2025-02-10", rest):
            continue
        return False
    return world.initial.one(
        "SELECT id FROM cleaning_repair_jobs WHERE piece_id = ? AND back_on_rail_on > '2025-02-03'", [piece["id"]]
    ) is None


def _coats(world):
    rows = world.initial.query(
        "SELECT p.id, p.number, p.cleaning_class, p.condition, p.replacement_value_cents FROM pieces p"
        " JOIN piece_measurements m ON m.piece_id = p.id AND m.measure = 'chest'"
        " WHERE p.description LIKE 'Bow Street runner%' AND m.smallest_inches <= 39 AND m.largest_inches >= 39"
        " ORDER BY p.replacement_value_cents, p.id"
    )
    return [r for r in rows if _is_free(world, r)]


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_holds_for_the_school_and_the_week(world) -> bool:
    """There is a new hold of Beckside School for the Dickens evening and the week asked for."""
    school = world.initial.one("SELECT id FROM customers WHERE name = 'Beckside School'")["id"]
    hires = _new(world, "hires")
    return (
        len(hires) == 1
        and hires[0]["customer_id"] == school
        and "dickens" in hires[0]["show_title"].lower()
        and hires[0]["collection_date"] == "2025-02-03"
        and hires[0]["due_date"] == "2025-02-10"
        and hires[0]["bank_holiday_id"] is None
        and hires[0]["status"] == "held"
        and hires[0]["hold_lapses_at"] == _add(world, "2024-11-12", 5) + "T16:00:00"
        and hires[0]["hold_renewed_at"] is None
        and hires[0]["confirmed_at"] is None
    )


def goal_holds_the_right_coat(world) -> bool:
    """The one line of the new hold is the coat that costs least to replace among those that would do."""
    hires = _new(world, "hires")
    lines = _new(world, "hire_lines")
    return (
        len(hires) == 1
        and len(lines) == 1
        and lines[0]["hire_id"] == hires[0]["id"]
        and lines[0]["piece_id"] == _coats(world)[0]["id"]
        and lines[0]["set_id"] is None
        and lines[0]["accessory_id"] is None
        and lines[0]["fee_cents"] == 1870
        and lines[0]["status"] == "active"
    )


def goal_says_how_many_would_do(world) -> bool:
    """Says how many coats can be brought to 39 and are free that week."""
    return world.report.says("coats_that_would_do", len(_coats(world)))


def goal_says_number_of_the_coat(world) -> bool:
    """Says the number of the coat that was put on hold."""
    return world.report.says("coat_number", _coats(world)[0]["number"])


def goal_says_replacement_value(world) -> bool:
    """Says what the coat would cost to replace."""
    return world.report.says("replacement_value", _coats(world)[0]["replacement_value_cents"])


def goal_says_the_fee(world) -> bool:
    """Says what the hire costs for the week after the school discount."""
    return world.report.says("fee", (2200 * 85 + 50) // 100)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_hold_only(world) -> bool:
    """Changed nothing but one new hire with at most one new line."""
    return (
        all(c["table"] in ("hires", "hire_lines") and c["before"] is None for c in world.changes)
        and len(_new(world, "hires")) <= 1
        and len(_new(world, "hire_lines")) <= 1
    )

from datetime import date, timedelta


def _add_working_days(world, day, count):
    off = {r["day"] for r in world.initial.query("SELECT day FROM bank_holidays")}
    moving = date.fromisoformat(day)
    while count > 0:
        moving += timedelta(days=1)
        if moving.weekday() < 5 and moving.isoformat() not in off:
            count -= 1
    return moving.isoformat()


def _free(world, pieces, first, last):
    for piece in pieces:
        rest = {"washable": 3, "dry_clean": 5, "fur_feather_wool": 8}[piece["cleaning_class"]]
        if piece["condition"] == "D":
            return False
        for other in world.initial.query(
            "SELECT h.collection_date, h.due_date, h.returned_at FROM hire_lines l JOIN hires h ON h.id = l.hire_id"
            " WHERE (l.piece_id = ? OR l.set_id = ?) AND l.status = 'active' AND h.status <> 'cancelled'",
            [piece["id"], piece["set_id"]],
        ):
            back = (other["returned_at"] or other["due_date"])[:10]
            if _add_working_days(world, back, rest) <= first or other["collection_date"] >= _add_working_days(world, last, rest):
                continue
            return False
        if world.initial.one(
            "SELECT id FROM cleaning_repair_jobs WHERE piece_id = ? AND back_on_rail_on > ?", [piece["id"], first]
        ):
            return False
    return True


def _coat(world):
    rows = world.initial.query(
        "SELECT p.id, p.condition, p.cleaning_class, p.set_id, p.alterations_left, m.current_inches FROM pieces p"
        " JOIN piece_measurements m ON m.piece_id = p.id AND m.measure = 'chest'"
        " WHERE p.garment = 'tailcoat' AND p.period = 'Victorian' AND p.description LIKE '%black%'"
        " AND m.smallest_inches <= 44 AND m.largest_inches >= 44"
        " AND (m.current_inches = 44 OR p.alterations_left IS NULL OR p.alterations_left > 0)"
    )
    free = [r for r in rows if _free(world, [r], "2024-06-03", "2024-06-10")]
    return min(free, key=lambda r: max(0, 44 - r["current_inches"]))["id"]


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _desmond(world):
    return world.initial.one("SELECT id FROM people WHERE full_name = 'Desmond Pryce'")["id"]


def goal_holds_for_the_players(world) -> bool:
    """The Players have one new hold from 3 to 10 June 2024."""
    players = world.initial.one("SELECT id FROM customers WHERE name = 'Headingley Lamplight Players'")["id"]
    rows = _new(world, "hires")
    return (
        len(rows) == 1
        and rows[0]["customer_id"] == players
        and rows[0]["status"] == "held"
        and rows[0]["collection_date"] == "2024-06-03"
        and rows[0]["due_date"] == "2024-06-10"
    )


def goal_holds_the_right_tailcoat(world) -> bool:
    """The new hold has one line, the free black Victorian tailcoat that needs the least letting out to reach 44."""
    hires, lines = _new(world, "hires"), _new(world, "hire_lines")
    return (
        len(hires) == 1
        and len(lines) == 1
        and lines[0]["hire_id"] == hires[0]["id"]
        and lines[0]["piece_id"] == _coat(world)
        and lines[0]["status"] == "active"
    )


def goal_desmond_wears_it(world) -> bool:
    """Desmond Pryce is the wearer of the tailcoat."""
    lines = _new(world, "hire_lines")
    return len(lines) == 1 and lines[0]["piece_id"] == _coat(world) and lines[0]["wearer_person_id"] == _desmond(world)


def goal_books_his_fitting(world) -> bool:
    """Desmond has one booked fitting for the tailcoat on 9 or 10 May 2024."""
    lines, fittings = _new(world, "hire_lines"), _new(world, "fittings")
    return (
        len(lines) == 1
        and lines[0]["piece_id"] == _coat(world)
        and len(fittings) == 1
        and fittings[0]["hire_line_id"] == lines[0]["id"]
        and fittings[0]["person_id"] == _desmond(world)
        and fittings[0]["status"] == "booked"
        and fittings[0]["starts_at"][:10] in ("2024-05-09", "2024-05-10")
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_hold_and_one_fitting_only(world) -> bool:
    """Changed nothing but one new hire of the Players with one line and one fitting for it."""
    if any(c["before"] is not None or c["table"] not in ("hires", "hire_lines", "fittings") for c in world.changes):
        return False
    hires, lines, fittings = _new(world, "hires"), _new(world, "hire_lines"), _new(world, "fittings")
    if len(hires) > 1 or len(lines) > 1 or len(fittings) > 1:
        return False
    return (
        all(r["status"] == "held" and r["collector_person_id"] is None and r["hold_renewed_at"] is None for r in hires)
        and all(r["fee_cents"] == 2200 and r["hire_id"] in [h["id"] for h in hires] for r in lines)
        and all(r["fee_cents"] == 0 and r["hire_line_id"] in [l["id"] for l in lines] for r in fittings)
    )

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


def _old(world):
    return world.initial.query(
        "SELECT l.piece_id, l.set_id, l.accessory_id, COALESCE(p.description, s.name, a.description) AS description"
        " FROM hire_lines l JOIN hires h ON h.id = l.hire_id JOIN customers c ON c.id = h.customer_id"
        " LEFT JOIN pieces p ON p.id = l.piece_id LEFT JOIN sets s ON s.id = l.set_id"
        " LEFT JOIN accessories a ON a.id = l.accessory_id WHERE c.name = 'Beckside School' AND h.show_title = 'Oliver!'"
        " AND substr(h.collection_date, 1, 4) = '2019' AND l.status = 'active' ORDER BY l.id"
    )


def _to_be_had(world, line):
    if line["accessory_id"] is not None:
        return world.initial.one(
            "SELECT l.id FROM hire_lines l JOIN hires h ON h.id = l.hire_id WHERE l.accessory_id = ? AND l.status = 'active'"
            " AND h.status IN ('held', 'confirmed', 'out') AND h.collection_date <= '2025-03-10' AND h.due_date >= '2025-03-03'",
            [line["accessory_id"]],
        ) is None
    pieces = world.initial.query(
        "SELECT id, condition, cleaning_class, set_id FROM pieces WHERE id = ? OR set_id = ?", [line["piece_id"], line["set_id"]]
    )
    return _free(world, pieces, "2025-03-03", "2025-03-10")


def _key(row):
    return (row["piece_id"], row["set_id"], row["accessory_id"])


def _kept(world):
    return {_key(l) for l in _old(world) if _to_be_had(world, l)}


def _more_runners(world):
    old = [l["piece_id"] for l in _old(world)]
    rows = world.initial.query(
        "SELECT id, condition, cleaning_class, set_id FROM pieces WHERE description LIKE 'Bow Street runner%coat%' ORDER BY id"
    )
    return {r["id"] for r in rows if r["id"] not in old and _free(world, [r], "2025-03-03", "2025-03-10")}


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _fee(row):
    base = 4800 if row["set_id"] is not None else 400 if row["accessory_id"] is not None else 2200
    return (base * 85 + 50) // 100


def goal_holds_for_the_school_and_the_week(world) -> bool:
    """Beckside School has one new hold for Oliver! from 3 to 10 March 2025."""
    school = world.initial.one("SELECT id FROM customers WHERE name = 'Beckside School'")["id"]
    rows = _new(world, "hires")
    return (
        len(rows) == 1
        and rows[0]["customer_id"] == school
        and "oliver" in rows[0]["show_title"].lower()
        and rows[0]["collection_date"] == "2025-03-03"
        and rows[0]["due_date"] == "2025-03-10"
        and rows[0]["status"] == "held"
    )


def goal_holds_all_that_can_be_had_of_the_old_list(world) -> bool:
    """Everything of the 2019 list that can be had that week is on the new hold, each once."""
    lines = [_key(r) for r in _new(world, "hire_lines") if r["status"] == "active"]
    return len(lines) > 0 and all(lines.count(k) == 1 for k in _kept(world))


def goal_holds_two_more_runner_coats(world) -> bool:
    """Two more free Bow Street runner coats are on the new hold, and nothing that is not on the old list besides."""
    kept = _kept(world)
    more = [r for r in _new(world, "hire_lines") if _key(r) not in kept]
    return len(more) == 2 and len({r["piece_id"] for r in more}) == 2 and all(r["piece_id"] in _more_runners(world) for r in more)


def goal_says_what_is_missing(world) -> bool:
    """Says what of the old list is missing."""
    return world.report.says("missing", [l["description"] for l in _old(world) if not _to_be_had(world, l)])


def goal_says_the_cost(world) -> bool:
    """Says what the new hire would cost with the school discount."""
    old = sum(_fee(l) for l in _old(world) if _key(l) in _kept(world))
    return world.report.says("cost", old + 2 * ((2200 * 85 + 50) // 100))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_hold_only(world) -> bool:
    """Changed nothing but one new hire with lines of its own, no more than are wanted, at the right fees."""
    if any(c["before"] is not None or c["table"] not in ("hires", "hire_lines") for c in world.changes):
        return False
    hires, lines = _new(world, "hires"), _new(world, "hire_lines")
    if len(hires) > 1 or len(lines) > len(_kept(world)) + 2:
        return False
    return all(r["status"] == "held" and r["collector_person_id"] is None and r["hold_renewed_at"] is None for r in hires) and all(
        r["hire_id"] in [h["id"] for h in hires]
        and r["status"] == "active"
        and r["wearer_person_id"] is None
        and r["fee_cents"] == _fee(r)
        for r in lines
    )

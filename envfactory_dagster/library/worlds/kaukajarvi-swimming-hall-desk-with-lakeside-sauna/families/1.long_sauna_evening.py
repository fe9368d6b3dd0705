import datetime

PAIRS = (
    ("Friday", 5, "17:00", "19:00"),
    ("Friday", 5, "19:00", "20:30"),
    ("Saturday", 6, "13:00", "15:00"),
    ("Saturday", 6, "15:00", "17:00"),
    ("Saturday", 6, "17:00", "18:30"),
    ("Sunday", 7, "13:00", "15:00"),
    ("Sunday", 7, "15:00", "17:00"),
    ("Sunday", 7, "17:00", "18:30"),
)
NUMBERS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _first_on(day, number):
    """The first such weekday from a day on."""
    return day + datetime.timedelta(days=(number - day.isoweekday()) % 7)


def _slot(world, number, starts):
    return world.one(
        "SELECT s.id, s.price_id, p.price_cents FROM sauna_slots s JOIN prices p ON p.id = s.price_id"
        " WHERE s.sauna = 'small' AND s.opening_hours_id = ? AND s.starts_time = ?",
        [number, starts],
    )


def _taken_by(world, slot, day):
    """Who has a slot on a day, or None."""
    row = world.one(
        "SELECT customer_id FROM sauna_turns WHERE sauna_slot_id = ? AND held_on = ? AND status <> 'cancelled'", [slot, day]
    )
    return None if row is None else row["customer_id"]


def instances(world, rng):
    """A weekday with two turns, one after the other, and a day from which on the first such evening is wanted."""
    today = datetime.date.fromisoformat(world.clock[:10])
    others = [
        r["id"]
        for r in world.query(
            "SELECT id FROM customers WHERE id <> 1 AND guardian_id IS NULL AND birth_date < '2000-01-01' ORDER BY id"
        )
    ]
    turn = world.one("SELECT max(id) AS n FROM sauna_turns")["n"]
    payment = world.one("SELECT max(id) AS n FROM payments")["n"]
    for _ in range(2000):
        weekday, number, early, late = rng.choice(PAIRS)
        slots = [_slot(world, number, early), _slot(world, number, late)]
        if any(s is None for s in slots):
            continue
        p = {"weekday": weekday, "early": early, "late": late, "slots": [s["id"] for s in slots]}
        if rng.random() < 0.2:
            first = today + datetime.timedelta(days=rng.randint(61, 95))
            p.update({"first": first.isoformat(), "day": None})
            yield {"p": p, "kind": "refusal", "rule": "private_sauna_turn"}
            continue
        first = today + datetime.timedelta(days=rng.randint(3, 38))
        blocked = rng.randint(1, 4)
        turns, payments = [], []
        day, found = _first_on(first, number), None
        for week in range(9):
            ahead = (day - today).days
            if ahead > 60:
                break
            holders = [_taken_by(world, s["id"], day.isoformat()) for s in slots]
            if 1 in holders:
                break
            if all(h is None for h in holders):
                if week >= blocked:
                    found = day
                    break
                if ahead > 58:
                    break
                slot = rng.choice(slots)
                booked = today - datetime.timedelta(days=rng.randint(1, min(15, 60 - ahead)))
                moment = f"{booked.isoformat()}T{rng.randint(10, 19)}:{rng.choice(('05', '20', '35', '50'))}:00"
                who = rng.choice(others)
                turns.append(
                    {
                        "id": turn + 1 + len(turns),
                        "code": f"RS-0{9500 + len(turns)}",
                        "sauna_slot_id": slot["id"],
                        "held_on": day.isoformat(),
                        "customer_id": who,
                        "price_cents": slot["price_cents"],
                        "status": "booked",
                        "booked_at": moment,
                    }
                )
                payments.append(
                    {
                        "id": payment + 1 + len(payments),
                        "receipt_number": f"R-0{8500 + len(payments)}",
                        "customer_id": who,
                        "price_id": slot["price_id"],
                        "kind": "payment",
                        "method": "bank_card",
                        "amount_cents": slot["price_cents"],
                        "paid_at": moment,
                        "sauna_turn_id": turns[-1]["id"],
                    }
                )
            day += datetime.timedelta(days=7)
        if found is None or found == _first_on(first, number):
            continue
        own = world.one(
            "SELECT count(*) AS n FROM sauna_turns WHERE customer_id = 1 AND held_on = ? AND status = 'booked'", [found.isoformat()]
        )
        if own["n"]:
            continue
        p.update({"first": first.isoformat(), "day": found.isoformat()})
        instance = {"p": p}
        if turns:
            instance["given"] = {"sauna_turns": turns, "payments": payments}
        yield instance


def solve(tools, p):
    number = NUMBERS.index(p["weekday"]) + 1
    day = _first_on(datetime.date.fromisoformat(p["first"]), number)
    for _ in range(9):
        try:
            free = tools.search_free_sauna_turns(first_day=day.isoformat(), last_day=day.isoformat(), sauna="small")["free_turns"]
        except tools.Error:
            free = []
        at = {f["starts_time"]: f for f in free}
        if p["early"] in at and p["late"] in at:
            for starts in (p["early"], p["late"]):
                tools.book_sauna_turn(sauna_slot_id=at[starts]["sauna_slot_id"], held_on=day.isoformat(), method="bank_card")
            return {
                "outcome": "done",
                "answers": {"day": day.isoformat()},
                "reason": None,
                "message": f"The small sauna is yours on {p['weekday']} {day.isoformat()} at {p['early']} and at {p['late']}.",
            }
        day += datetime.timedelta(days=7)
    day = _first_on(datetime.date.fromisoformat(p["first"]), number)
    earlier = day - datetime.timedelta(days=95)
    near = tools.search_free_sauna_turns(first_day=earlier.isoformat(), last_day=day.isoformat(), sauna="small")["free_turns"]
    slot = next(f for f in near if f["weekday"] == p["weekday"] and f["starts_time"] == p["early"])
    try:
        tools.book_sauna_turn(sauna_slot_id=slot["sauna_slot_id"], held_on=day.isoformat(), method="bank_card")
    except tools.Error:
        pass
    return {
        "outcome": "refused",
        "answers": {"day": None},
        "reason": "private_sauna_turn",
        "message": "This cannot be booked yet: a private sauna turn can be booked at most 60 days ahead. Nothing has been booked.",
    }


def _refused(world):
    return world.report.outcome == "refused" and world.report.reason == "private_sauna_turn"


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_has_both_turns_on_the_first_day(world, p):
    """Has both turns on the first day on which both were free, or has been refused by the rule."""
    if p["day"] is None:
        return _refused(world)
    rows = world.final.query(
        "SELECT sauna_slot_id FROM sauna_turns WHERE customer_id = 1 AND held_on = ? AND status = 'booked' ORDER BY sauna_slot_id",
        [p["day"]],
    )
    return [r["sauna_slot_id"] for r in rows] == sorted(p["slots"])


def goal_paid_each_with_the_bank_card(world, p):
    """Paid each of the two once, in full, with the bank card, or has been refused by the rule."""
    if p["day"] is None:
        return _refused(world)
    turns = {r["id"]: r["price_cents"] for r in _new(world, "sauna_turns") if r["held_on"] == p["day"]}
    paid = sorted((r["sauna_turn_id"] or 0, r["method"], r["amount_cents"]) for r in _new(world, "payments"))
    return len(turns) == 2 and paid == sorted((i, "bank_card", cents) for i, cents in turns.items())


def goal_says_the_day(world, p):
    """Says which day it is, or leaves it empty where it is refused."""
    if p["day"] is None:
        return _refused(world) and world.report.says("day", None)
    return world.report.says("day", p["day"])


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the rule forbids it."""
    if world.report.outcome is None:
        return True
    if p["day"] is None:
        return _refused(world)
    return world.report.outcome == "done" and world.report.reason is None


def guard_books_nothing_else(world, p):
    """Changed nothing but two new sauna turns of the person on that day and their payments."""
    turns, payments = _new(world, "sauna_turns"), _new(world, "payments")
    if len(turns) + len(payments) != len(world.changes):
        return False
    if p["day"] is None:
        return not world.changes
    ids = {r["id"] for r in turns}
    return (
        len(turns) <= 2
        and len(payments) <= 2
        and all(
            r["customer_id"] == 1 and r["held_on"] == p["day"] and r["sauna_slot_id"] in p["slots"] and r["status"] == "booked"
            and r["moved_at"] is None and r["cancelled_at"] is None
            for r in turns
        )
        and all(r["customer_id"] == 1 and r["kind"] == "payment" and r["sauna_turn_id"] in ids for r in payments)
    )

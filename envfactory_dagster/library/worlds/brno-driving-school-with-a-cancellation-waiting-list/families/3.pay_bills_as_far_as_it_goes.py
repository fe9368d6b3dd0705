import datetime

TOP_UP_CENTS = (("manual", 130000), ("automatic", 145000))


def _bills(world):
    """The user's open bills by due date: id, day, what is outstanding."""
    rows = world.query(
        "SELECT c.id, c.due_on, c.amount_cents - c.credited_cents - COALESCE(SUM(y.amount_cents), 0) AS rest FROM charges c"
        " LEFT JOIN payments y ON y.charge_id = c.id WHERE c.pupil_id = 1 GROUP BY c.id HAVING rest > 0 ORDER BY c.due_on, c.id")
    return [(row["id"], row["due_on"], row["rest"]) for row in rows]


def _covered(bills, budget, until):
    """The bills that are paid in the end; None where two bills of one day leave it open."""
    paid, rest = [], budget
    for day in sorted({bill[1] for bill in bills if bill[1] <= until}):
        group = [bill for bill in bills if bill[1] == day]
        if sum(bill[2] for bill in group) > rest:
            return None if min(bill[2] for bill in group) <= rest else paid
        paid, rest = paid + group, rest - sum(bill[2] for bill in group)
    return paid


def instances(world, rng):
    """Some more bills of the user's, for simulator hours and top-up lessons, and money for the first few of all."""
    standing = _bills(world)
    course = world.one(
        "SELECT instructor_id, transmission, COALESCE(expires_on, '9999-12-31') AS ends FROM course_packages WHERE pupil_id = 1"
        " AND kind IN ('full_course', 'student_course') AND status = 'active' LIMIT 1")
    busy = {row["day"] for row in world.query(
        "SELECT substr(starts_at, 1, 10) AS day FROM driving_lessons WHERE pupil_id = 1 AND status = 'booked'"
        " UNION SELECT substr(starts_at, 1, 10) FROM simulator_sessions WHERE pupil_id = 1 AND status = 'booked'")}
    taken = {row["starts_at"] for row in world.query("SELECT starts_at FROM simulator_sessions WHERE status IN ('booked', 'driven')")}
    closed = {row["day"] for row in world.query("SELECT day FROM calendar_days WHERE is_public_holiday + is_closed > 0")}
    tops = [world.one("SELECT MAX(id) AS top FROM course_packages")["top"], world.one("SELECT MAX(id) AS top FROM simulator_sessions")["top"],
            world.one("SELECT MAX(id) AS top FROM charges")["top"]]
    now = datetime.datetime.fromisoformat(world.clock)
    while True:
        package_id, session_id, charge_id = tops
        given = {"course_packages": [], "simulator_sessions": [], "charges": []}
        for _ in range(rng.choice([0, 1, 1, 2])):
            bought = now - datetime.timedelta(days=rng.randrange(2, 12), minutes=rng.randrange(5, 90))
            package_id, charge_id, price = package_id + 1, charge_id + 1, dict(TOP_UP_CENTS)[course["transmission"]]
            given["course_packages"].append({
                "id": package_id, "pupil_id": 1, "instructor_id": course["instructor_id"], "kind": "top_up_lesson",
                "transmission": course["transmission"], "hours_included": 2, "price_cents": price,
                "bought_at": bought.isoformat(timespec="seconds"), "status": "active"})
            given["charges"].append({
                "id": charge_id, "pupil_id": 1, "kind": "top_up", "course_package_id": package_id, "amount_cents": price,
                "charged_at": bought.isoformat(timespec="seconds"), "due_on": (bought.date() + datetime.timedelta(days=14)).isoformat(),
                "credited_cents": 0})
        for ahead in sorted(rng.sample(range(2, 25), rng.choice([2, 2, 3, 4]))):
            day = (now.date() + datetime.timedelta(days=ahead)).isoformat()
            start = f"{day}T{rng.choice([9, 10, 13, 14, 16, 17, 18]):02d}:00:00"
            if day in busy or day in closed or start in taken or datetime.date.fromisoformat(day).weekday() == 6:
                continue
            session_id, charge_id = session_id + 1, charge_id + 1
            booked = (now - datetime.timedelta(days=rng.randrange(1, 5), minutes=rng.randrange(5, 90))).isoformat(timespec="seconds")
            given["simulator_sessions"].append({"id": session_id, "pupil_id": 1, "starts_at": start, "status": "booked", "booked_at": booked})
            given["charges"].append({
                "id": charge_id, "pupil_id": 1, "kind": "simulator", "simulator_session_id": session_id, "amount_cents": 35000,
                "charged_at": booked, "due_on": day, "credited_cents": 0})
        bills = sorted(standing + [(row["id"], row["due_on"], row["amount_cents"]) for row in given["charges"]], key=lambda bill: bill[1])
        if len(bills) < 5:
            continue
        until = (now.date() + datetime.timedelta(days=rng.randrange(6, 30))).isoformat()
        budget = rng.randrange(sum(bill[2] for bill in bills[:3]) // 10000, sum(bill[2] for bill in bills) // 10000 + 10) * 10000
        paid = _covered(bills, budget, until)
        if paid is None or len(paid) < 3 or len(paid) == len(bills):
            continue
        yield {
            "p": {"budget": budget, "until": until, "bills": [bill[0] for bill in paid], "total": sum(bill[2] for bill in paid),
                  "due": bills[len(paid)][1]},
            "given": {table: rows for table, rows in given.items() if rows},
        }


def solve(tools, p):
    charges = tools.list_charges(only_outstanding=True)["charges"]
    bills = sorted((c for c in charges if c["outstanding_cents"] > 0), key=lambda c: c["due_on"])
    rest, paid, following = p["budget"], 0, None
    for bill in bills:
        if bill["outstanding_cents"] > rest or bill["due_on"] > p["until"]:
            following = bill["due_on"]
            break
        tools.pay_charge(charge_id=bill["id"])
        rest -= bill["outstanding_cents"]
        paid += bill["outstanding_cents"]
    return {
        "outcome": "done",
        "answers": {"paid": paid, "next_due": following},
        "reason": None,
        "message": f"Paid altogether: {paid // 100} CZK. The next bill has to be paid by {following}.",
    }


def goal_first_bills_are_paid(world, p):
    """Nothing is left of the bills that the money covers."""
    left = {bill[0] for bill in _bills(world.final)}
    return not left & set(p["bills"])


def goal_says_what_was_paid(world, p):
    """Says how much was paid altogether."""
    return world.report.says("paid", p["total"])


def goal_says_when_the_next_is_due(world, p):
    """Says by when the next bill has to be paid."""
    return world.report.says("next_due", p["due"])


def guard_pays_these_bills_only(world, p):
    """Adds payments of what was left of these bills and changes nothing else."""
    before = {bill[0]: bill[2] for bill in _bills(world.initial)}
    paid = {}
    for change in world.changes:
        if change["table"] != "payments" or change["before"] is not None or change["after"]["charge_id"] not in p["bills"]:
            return False
        paid[change["after"]["charge_id"]] = paid.get(change["after"]["charge_id"], 0) + change["after"]["amount_cents"]
    return all(before[bill] >= cents for bill, cents in paid.items())


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

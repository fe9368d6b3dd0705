import datetime

QUESTIONS = ("Where is the old burial ground of the parish?", "Is there a list of the tenants of 1860?", "Which school did the children of the mill attend?", "Who owned the corn store on the quay?", "Are there plans of the courthouse?", "When was the bridge rebuilt?", "Was there a dispensary in the village?", "Is the fair mentioned in the council minutes?", "Who was the postmaster in 1905?")
ANSWERS = ("Yes, see the second volume of the series.", "There is nothing in our papers.", "A copy was sent by post.", "Named in the roll book of that year.")


def _back(day, days):
    return (datetime.date.fromisoformat(day) - datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """A reader with seven to eleven enquiries in every state, and a day between them."""
    today = world.clock[:10]
    readers = world.query("SELECT r.id, r.forenames || ' ' || r.surname AS name, r.town, r.telephone FROM readers r WHERE r.role = 'reader' ORDER BY r.id", [])
    top = world.one("SELECT max(id) AS top FROM enquiries", [])["top"]
    for _ in range(2000):
        reader, number = rng.choice(readers), rng.randrange(7, 12)
        rows = []
        for place, age in enumerate(sorted(rng.sample(range(4, 75), number), reverse=True)):
            status = rng.choice(["answered", "answered", "answered", "open", "fee_agreed", "closed"])
            came = _back(today, age)
            done = _back(today, age - 2) + "T11:20:00" if status in ("answered", "closed") else None
            rows.append({"id": top + 1 + place, "enquiry_no": f"E-{30001 + place}", "reader_id": reader["id"], "enquirer_name": reader["name"], "contact": reader["telephone"], "channel": rng.choice(["desk", "telephone", "letter"]), "question": rng.choice(QUESTIONS), "status": status, "received_on": came, "search_minutes": rng.randrange(5, 31), "fee_cents": 1500 if status == "fee_agreed" else None, "answer": rng.choice(ANSWERS) if done else None, "answered_at": done, "closed_at": _back(today, age - 3) + "T09:40:00" if status == "closed" else None, "passed_to": None})
        day = _back(today, rng.randrange(8, 50))
        due = [r for r in rows if r["status"] == "answered" and r["received_on"] <= day]
        later = [r for r in rows if r["status"] == "answered" and r["received_on"] > day]
        waiting = [r for r in rows if r["status"] in ("open", "fee_agreed")]
        if len(due) < 2 or not later or not waiting or len(due) == len(waiting):
            continue
        yield {"p": {"name": reader["name"], "town": reader["town"], "day": day, "reader": reader["id"]}, "given": {"enquiries": rows}}


def solve(tools, p):
    found = tools.find_readers(surname=p["name"].split()[-1])["readers"]
    ticket = next(r["ticket_no"] for r in found if r["name"] == p["name"] and r["town"] == p["town"])
    enquiries = tools.get_reader(ticket_no=ticket, include=["enquiries"])["enquiries"]
    closed, waiting = 0, 0
    for enquiry in enquiries:
        if enquiry["status"] in ("open", "fee_to_agree"):
            waiting += 1
        elif enquiry["status"] == "answered" and enquiry["received_on"] <= p["day"]:
            tools.save_enquiry(action="close", enquiry_id=enquiry["enquiry_id"])
            closed += 1
    return {
        "outcome": "done",
        "answers": {"closed": closed, "waiting": waiting},
        "reason": None,
        "message": f"{closed} answered enquiries of {p['name']} are closed; {waiting} are still waiting for an answer.",
    }


def _due(world, p):
    return [
        r["id"]
        for r in world.initial.query("SELECT id FROM enquiries WHERE reader_id = ? AND status = 'answered' AND received_on <= ? ORDER BY id", [p["reader"], p["day"]])
    ]


def goal_closes_the_answered_ones(world, p):
    """Every answered enquiry of the reader that came in by that day is closed."""
    for key in _due(world, p):
        row = world.final.one("SELECT status, closed_at IS NOT NULL AS stamped FROM enquiries WHERE id = ?", [key])
        if row != {"status": "closed", "stamped": 1}:
            return False
    return True


def goal_says_how_many_were_closed(world, p):
    """Says how many enquiries were closed."""
    return world.report.says("closed", len(_due(world, p)))


def goal_says_how_many_wait(world, p):
    """Says how many enquiries of the reader still wait for an answer."""
    row = world.initial.one("SELECT count(*) AS n FROM enquiries WHERE reader_id = ? AND status IN ('open', 'fee_agreed')", [p["reader"]])
    return world.report.says("waiting", row["n"])


def guard_closes_no_other(world, p):
    """Changed nothing but the state of those enquiries."""
    due = _due(world, p)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "enquiries" or before is None or after is None or before["id"] not in due:
            return False
        if any(before[c] != after[c] for c in before if c not in ("status", "closed_at")):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

import datetime

DESK_DAYS = (1, 5)


def _day(text, days=0):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def _desk_day(text, step):
    """The next day from this one on, forwards or backwards, on which the library is staffed."""
    day = datetime.date.fromisoformat(text)
    while day.weekday() not in DESK_DAYS:
        day += datetime.timedelta(days=step)
    return day.isoformat()


def _sets(world, edition_id, today):
    """Copies of an edition that are out or booked, with the first and the last day of each set."""
    sets = [
        (row["copies"], row["out_on"], max(row["due_on"], today))
        for row in world.query(
            "SELECT copies, out_on, due_on FROM loans WHERE edition_id = ? AND status = 'out'", [edition_id]
        )
    ]
    for row in world.query(
        "SELECT copies, wanted_from, concert_date FROM bookings WHERE edition_id = ? AND status = 'open'", [edition_id]
    ):
        sets.append((row["copies"], row["wanted_from"], _day(row["concert_date"], 14)))
    return sets


def _most(sets, first_day, last_day):
    days = [first_day] + [first for _, first, _ in sets if first_day < first <= last_day]
    return max(sum(copies for copies, first, last in sets if first <= day <= last) for day in days)



def _past_loans(world, rng, today):
    """One to three sets that the choir had some months ago, with charges of which some are unpaid."""
    choir = world.one("SELECT singers, paid_to FROM choirs WHERE id = 1")
    collectors = world.query("SELECT id FROM collectors WHERE choir_id = 1 ORDER BY id")
    editions = world.query(
        "SELECT e.id, e.work_id, e.copies_owned FROM editions e JOIN works w ON w.id = e.work_id"
        " WHERE w.note LIKE 'SATB%' AND w.season = 'general' AND e.id NOT IN (SELECT edition_id FROM loans)"
        " ORDER BY e.id"
    )
    loan_id = world.one("SELECT max(id) AS n FROM loans")["n"] + 1
    charge_id = world.one("SELECT max(id) AS n FROM charges")["n"] + 1
    loans, charges = [], []
    out_on = _desk_day(_day(today, -rng.randint(262, 285)), 1)
    for _ in range(rng.randint(2, 3)):
        edition = rng.choice(editions)
        if edition["id"] in [one["edition_id"] for one in loans]:
            continue
        copies = min(choir["singers"] + rng.randint(-6, 3), edition["copies_owned"])
        concert = datetime.date.fromisoformat(_day(out_on, rng.randint(18, 24)))
        while concert.weekday() not in (5, 6):
            concert += datetime.timedelta(days=1)
        due_on = _day(concert.isoformat(), 14)
        late = rng.random() < 0.5
        back_on = _desk_day(_day(due_on, rng.randint(2, 9)), 1) if late else _desk_day(due_on, -1)
        lost = 0 if late else rng.randint(0, 2)
        loan = {
            "id": loan_id + len(loans), "choir_id": 1, "edition_id": edition["id"], "copies": copies,
            "concert_date": concert.isoformat(), "out_on": out_on, "due_on": due_on, "extended": 0,
            "collector_id": rng.choice(collectors)["id"], "entered_by": "nuala", "status": "returned",
            "back_on": back_on, "copies_lost": lost,
        }
        loans.append(loan)
        rows = [("hire", copies * (80 if choir["paid_to"] >= out_on else 160), out_on)]
        if late:
            days = (datetime.date.fromisoformat(back_on) - datetime.date.fromisoformat(due_on)).days
            rows.append(("late", 500 * ((days + 6) // 7), back_on))
        if lost:
            rows.append(("lost", 1400 * lost, back_on))
        for kind, amount, day in rows:
            paid = kind == "hire" and rng.random() < 0.3
            charges.append({
                "id": charge_id + len(charges), "choir_id": 1, "loan_id": loan["id"], "kind": kind,
                "amount_cents": amount, "charged_on": day, "status": "paid" if paid else "unpaid",
                "paid_on": day if paid else "",
            })
        out_on = _desk_day(_day(back_on, rng.randint(3, 10)), 1)
    return loans, charges


def instances(world, rng):
    """A day of handing over and an amount that pays at least four charges from before it."""
    today = world.clock[:10]
    unpaid = world.query(
        "SELECT id, amount_cents, charged_on FROM charges WHERE choir_id = 1 AND status = 'unpaid' ORDER BY charged_on, id"
    )
    while True:
        loans, charges = _past_loans(world, rng, today)
        rows = [dict(one) for one in unpaid] + [
            {"id": one["id"], "amount_cents": one["amount_cents"], "charged_on": one["charged_on"]}
            for one in charges if one["status"] == "unpaid"
        ]
        rows.sort(key=lambda one: (one["charged_on"], one["id"]))
        day = _day(today, -rng.randint(1, 130))
        old = [one for one in rows if one["charged_on"] < day]
        if len(old) < 4 or len(old) == len(rows):
            continue
        count = rng.randint(4, len(old))
        if count < len(old) and old[count - 1]["charged_on"] == old[count]["charged_on"]:
            continue
        paid = sum(one["amount_cents"] for one in old[:count])
        room = old[count]["amount_cents"] if count < len(old) else 2500
        balance = paid + rng.randrange(0, room, 50)
        if balance >= paid + room:
            continue
        yield {
            "p": {"day": day, "balance": balance},
            "given": {"loans": loans, "charges": charges},
        }


def solve(tools, p):
    rest, paid, left, stopped = p["balance"], 0, 0, False
    for charge in tools.list_charges(status="unpaid")["charges"]:
        if charge["charged_on"] >= p["day"]:
            continue
        stopped = stopped or charge["amount_cents"] > rest
        if stopped:
            left += charge["amount_cents"]
        else:
            tools.pay_charge(charge_id=charge["id"])
            paid += charge["amount_cents"]
            rest -= charge["amount_cents"]
    return {
        "outcome": "done",
        "answers": {"paid": paid, "left": left},
        "reason": None,
        "message": f"\u20ac{paid / 100:.2f} of the old charges is paid and \u20ac{left / 100:.2f} of them is left.",
    }


def _plan(world, p):
    """Ids of the charges to be paid, their sum, and the sum of the old ones that are left."""
    rest, ids, paid, left = p["balance"], [], 0, 0
    for row in world.initial.query(
        "SELECT id, amount_cents FROM charges WHERE choir_id = 1 AND status = 'unpaid' AND charged_on < ?"
        " ORDER BY charged_on, id",
        [p["day"]],
    ):
        if left or row["amount_cents"] > rest:
            left += row["amount_cents"]
        else:
            ids.append(row["id"])
            paid += row["amount_cents"]
            rest -= row["amount_cents"]
    return ids, paid, left


def goal_pays_the_oldest(world, p):
    """The oldest charges from before that day are paid, as far as the money goes."""
    return all(
        world.final.one("SELECT status FROM charges WHERE id = ?", [charge_id])["status"] == "paid"
        for charge_id in _plan(world, p)[0]
    )


def goal_says_what_is_paid(world, p):
    """Says what was paid in all."""
    return world.report.says("paid", _plan(world, p)[1])


def goal_says_what_is_left(world, p):
    """Says what remains of the old charges."""
    return world.report.says("left", _plan(world, p)[2])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_those_charges(world, p):
    """Changed nothing but status and day of payment of the charges to be paid."""
    ids = _plan(world, p)[0]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "charges" or before is None or after is None or before["id"] not in ids:
            return False
        if any(before[name] != after[name] for name in before if name not in ("status", "paid_on")):
            return False
    return True

import datetime

TITLES = (
    "Nine Ferrymen", "Saffron Bazaar", "Fox and Bellows", "The Paper Fleet", "Quarry Town",
    "Almanac of Bees", "Ropewalk", "Millrace", "Cider Press", "Snow Post",
)
PIECES = ("red dice", "wooden barrel", "yellow pawn", "bridge card", "grey boulder", "copper coin", "blue meeple")
PARTS = ("turned from beech, painted to match", "cast in resin", "taken from a second-hand set", "cut from 3 mm card")


def _moment(day, clock):
    return day.isoformat() + "T" + clock


def _plan(charges, limit):
    """The charges to be paid, oldest first, and what is owed then."""
    owed = sum(c["amount_cents"] for c in charges)
    pay = []
    for charge in charges:
        if owed <= limit:
            break
        if charge["waiting"]:
            continue
        pay.append(charge)
        owed -= charge["amount_cents"]
    return pay, owed


def _expected(world, p):
    charges = world.initial.query(
        "SELECT rc.id, rc.amount_cents, t.name, EXISTS (SELECT 1 FROM spare_parts sp WHERE sp.member_id = 1"
        " AND sp.piece_report_id = rc.piece_report_id AND sp.status = 'offered') AS waiting"
        " FROM replacement_charges rc JOIN piece_reports pr ON pr.id = rc.piece_report_id"
        " JOIN copies c ON c.id = pr.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE rc.member_id = 1 AND rc.status = 'unpaid' ORDER BY rc.charged_at, rc.id"
    )
    return _plan(charges, p["limit"])


def instances(world, rng):
    """Several unpaid charges of the user, some with a spare part still waiting, and a limit that needs some of them paid."""
    top = world.one(
        "SELECT (SELECT max(id) FROM titles) AS titles, (SELECT max(id) FROM copies) AS copies,"
        " (SELECT max(id) FROM loans) AS loans, (SELECT max(id) FROM piece_reports) AS reports,"
        " (SELECT max(id) FROM replacement_charges) AS charges, (SELECT max(id) FROM spare_parts) AS parts"
    )
    there = world.query(
        "SELECT x.amount_cents, x.charged_at, EXISTS (SELECT 1 FROM spare_parts s WHERE s.piece_report_id = x.piece_report_id"
        " AND s.member_id = 1 AND s.status = 'offered') AS waiting FROM replacement_charges x"
        " WHERE x.member_id = 1 AND x.status = 'unpaid'"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    for _ in range(600):
        names = rng.sample(TITLES, rng.randint(2, 4))
        pieces = rng.sample(PIECES, len(names))
        backs = rng.sample(range(6, 150), len(names))
        given = {"titles": [], "copies": [], "loans": [], "piece_reports": [], "replacement_charges": []}
        parts = []
        charges = [dict(c) for c in there]
        for i, name in enumerate(names):
            back = today - datetime.timedelta(days=backs[i])
            out = back - datetime.timedelta(days=rng.choice((7, 14, 21)))
            returned = _moment(back, f"20:{rng.randint(10, 49)}:00")
            n = i + 1
            amount = 10 * rng.randint(15, 80)
            given["titles"].append(
                {"id": top["titles"] + n, "name": name, "kind": "board_game", "piece_count": rng.randint(60, 240)}
            )
            label = "".join(w[0] for w in name.split()).upper() + str(rng.randint(2, 9)) + f"-{n}X"
            given["copies"].append(
                {"id": top["copies"] + n, "title_id": top["titles"] + n, "label": label, "status": "table_only"}
            )
            given["loans"].append({
                "id": top["loans"] + n, "member_id": 1, "copy_id": top["copies"] + n, "status": "returned",
                "borrowed_at": _moment(out, "19:30:00"), "due_day": (out + datetime.timedelta(days=21)).isoformat(),
                "renewals": 0, "returned_at": returned, "returned_short": 1,
            })
            given["piece_reports"].append({
                "id": top["reports"] + n, "copy_id": top["copies"] + n, "loan_id": top["loans"] + n, "piece": pieces[i],
                "pieces_missing": 1, "status": "open", "reported_at": returned, "resolved_at": None,
            })
            given["replacement_charges"].append({
                "id": top["charges"] + n, "member_id": 1, "piece_report_id": top["reports"] + n, "amount_cents": amount,
                "status": "unpaid", "charged_at": returned, "paid_at": None,
            })
            what = rng.choice(("none", "none", "none", "offered", "rejected", "other"))
            if what != "none":
                offered = back + datetime.timedelta(days=rng.randint(1, 3))
                parts.append({
                    "id": top["parts"] + 1 + len(parts), "member_id": 2 if what == "other" else 1,
                    "piece_report_id": top["reports"] + n, "description": f"{pieces[i]}, {rng.choice(PARTS)}",
                    "status": "rejected" if what == "rejected" else "offered", "offered_at": _moment(offered, "18:05:00"),
                    "decided_at": _moment(offered + datetime.timedelta(days=1), "19:15:00") if what == "rejected" else None,
                })
            charges.append({"amount_cents": amount, "charged_at": returned, "waiting": what == "offered"})
        if parts:
            given["spare_parts"] = parts
        charges.sort(key=lambda c: c["charged_at"])
        payable = [c for c in charges if not c["waiting"]]
        if len(payable) < 3 or len(payable) == len(charges):
            continue
        total = sum(c["amount_cents"] for c in charges)
        count = rng.randint(1, len(payable) - 1)
        upper = total - sum(c["amount_cents"] for c in payable[: count - 1])
        lower = upper - payable[count - 1]["amount_cents"]
        limit = 10 * rng.randint(lower // 10 + 1, upper // 10)
        if not lower < limit < upper or limit <= 0 or upper <= limit:
            continue
        pay, owed = _plan(charges, limit)
        if len(pay) != count or owed == sum(c["amount_cents"] for c in pay):
            continue
        yield {"p": {"limit": limit}, "given": given}


def solve(tools, p):
    charges = tools.list_my_replacement_charges(status="unpaid")["replacement_charges"]
    charges.sort(key=lambda c: (c["charged_at"], c["id"]))
    waiting = {s["piece_report_id"] for s in tools.list_my_spare_parts(status="offered")["spare_parts"]}
    owed = sum(c["amount_cents"] for c in charges)
    paid = []
    for charge in charges:
        if owed <= p["limit"]:
            break
        if charge["piece_report_id"] in waiting:
            continue
        done = tools.pay_replacement_charge(replacement_charge_id=charge["id"])["replacement_charge"]
        paid.append(done)
        owed -= done["amount_cents"]
    total = sum(c["amount_cents"] for c in paid)
    names = [c["title_name"] for c in paid]
    return {
        "outcome": "done",
        "answers": {"paid_total": total, "still_owed": owed, "paid_for": names},
        "reason": None,
        "message": f"I paid {total / 100:.2f} euros in all, for {', '.join(names)}; you still owe {owed / 100:.2f} euros.",
    }


def goal_paid_the_oldest(world, p):
    """The oldest charges that may be paid are paid, as many as it takes to come down to the limit."""
    pay, _ = _expected(world, p)
    for charge in pay:
        row = world.final.one("SELECT status, paid_at FROM replacement_charges WHERE id = ?", [charge["id"]])
        if row is None or row["status"] != "paid" or row["paid_at"] is None:
            return False
    return len(pay) > 0


def goal_says_paid_total(world, p):
    """Says how much was paid in all."""
    pay, _ = _expected(world, p)
    return world.report.says("paid_total", sum(c["amount_cents"] for c in pay))


def goal_says_still_owed(world, p):
    """Says how much is still owed."""
    _, owed = _expected(world, p)
    return world.report.says("still_owed", owed)


def goal_says_paid_for(world, p):
    """Names the titles for which a charge was paid."""
    pay, _ = _expected(world, p)
    return world.report.says("paid_for", [c["name"] for c in pay])


def guard_pays_no_other_charge(world, p):
    """Changed nothing but those charges, from unpaid to paid."""
    pay, _ = _expected(world, p)
    wanted = {c["id"] for c in pay}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "replacement_charges" or before is None or after is None or after["id"] not in wanted:
            return False
        if after["status"] != "paid" or after["paid_at"] is None:
            return False
        if any(before[c] != after[c] for c in before if c not in ("status", "paid_at")):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, without a reason for declining."""
    return world.report.outcome in (None, "done") and world.report.reason is None

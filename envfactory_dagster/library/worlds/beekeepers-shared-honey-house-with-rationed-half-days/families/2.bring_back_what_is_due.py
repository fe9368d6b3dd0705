import datetime

WORDS = (
    ("wax melters", "melter", "Wax melter with a steel basket", "WM-4"),
    ("sublimators", "sublimator", "Sublimator with a long pan", "SB-4"),
    ("uncapping trays", "uncapping_tray", "Uncapping tray with a lid", "UT-4"),
    ("refractometers", "refractometer", "Refractometer in a case", "RF-4"),
    ("hive scales", "hive_scale", "Hive scale with a hook", "HS-4"),
    ("swarm boxes", "swarm_box", "Swarm box with a grid", "SW-4"),
)


def instances(world, rng):
    """Several loans of the user, some overdue, with a day up to which things come back and a kind that is dirty."""
    today = datetime.date.fromisoformat(world.clock[:10])
    top = world.one(
        "SELECT (SELECT MAX(id) FROM equipment_items) AS items, (SELECT MAX(id) FROM loans) AS loans,"
        " (SELECT MAX(id) FROM ledger_entries) AS entries",
        [],
    )
    open_now = world.query(
        "SELECT l.due_on, e.kind FROM loans l JOIN equipment_items e ON e.id = l.equipment_item_id"
        " WHERE l.member_id = 1 AND l.status IN ('out', 'late') ORDER BY l.id",
        [],
    )
    for attempt in range(4000):
        items, loans, entries = [], [], []
        seen = list(open_now)
        deposits = 0
        for number in range(rng.randint(4, 9)):
            words, kind, name, tag = rng.choice(WORDS)
            due = today + datetime.timedelta(days=rng.randint(-5, 16))
            while due.weekday() > 4:
                due += datetime.timedelta(days=1)
            lent = min(due, today) - datetime.timedelta(days=rng.randint(6, 11))
            deposit = 6000 if kind == "melter" else 4000 if kind == "sublimator" else 2500
            items.append(
                {
                    "id": top["items"] + number + 1,
                    "tag": tag + "%d" % number,
                    "kind": kind,
                    "name": name + ", number %d" % (number + 3),
                    "deposit_cents": deposit,
                    "status": "in_service",
                }
            )
            loans.append(
                {
                    "id": top["loans"] + number + 1,
                    "loan_no": "LN-4%04d" % (number + 1),
                    "member_id": 1,
                    "equipment_item_id": top["items"] + number + 1,
                    "lent_on": lent.isoformat(),
                    "due_on": due.isoformat(),
                    "deposit_cents": deposit,
                    "status": "late" if due < today else "out",
                }
            )
            deposits += deposit
            seen.append({"due_on": due.isoformat(), "kind": kind})
        first = min(l["lent_on"] for l in loans)
        entries.append(
            {
                "id": top["entries"] + 1,
                "member_id": 1,
                "kind": "payment",
                "amount_cents": deposits + 100 * rng.randint(0, 30),
                "entered_at": first + "T07:10:00",
            }
        )
        for number, loan in enumerate(loans):
            entries.append(
                {
                    "id": top["entries"] + number + 2,
                    "member_id": 1,
                    "kind": "deposit",
                    "amount_cents": -loan["deposit_cents"],
                    "loan_id": loan["id"],
                    "entered_at": loan["lent_on"] + "T09:%02d:00" % (10 + number),
                }
            )
        day = (today + datetime.timedelta(days=rng.randint(0, 12))).isoformat()
        back = [s for s in seen if s["due_on"] <= day]
        words, kind = rng.choice(WORDS)[:2]
        dirty = [s for s in back if s["kind"] == kind]
        if not dirty or len(dirty) == len(back) or len(back) == len(seen) or len(back) < 3:
            continue
        yield {
            "p": {"day": day, "dirty": words, "kind": kind},
            "given": {"equipment_items": items, "loans": loans, "ledger_entries": entries},
        }


def solve(tools, p):
    dirty = next(w[1] for w in WORDS if w[0] == p["dirty"])
    count = 0
    credited = 0
    kept = 0
    for status in ("late", "out"):
        for loan in tools.list_loans(status=status)["loans"]:
            if loan["due_on"] > p["day"]:
                continue
            condition = "unwashed" if loan["kind"] == dirty else "clean"
            back = tools.returnEquipment(loanId=loan["loan_no"], condition=condition)
            count += 1
            kept += back["kept_cents"]
            credited += back["deposit_cents"] - back["kept_cents"]
    return {
        "outcome": "done",
        "answers": {"items": count, "credited": credited, "kept": kept},
        "reason": None,
        "message": (
            f"{count} items are taken back; {credited / 100:.2f} EUR of the deposits are credited "
            f"and {kept / 100:.2f} EUR are kept."
        ),
    }


def _wanted(world, p):
    """What has to come of each loan that is due by the day, by its id."""
    rows = world.initial.query(
        "SELECT l.id, l.deposit_cents, e.kind FROM loans l JOIN equipment_items e ON e.id = l.equipment_item_id"
        " WHERE l.member_id = 1 AND l.status IN ('out', 'late') AND l.due_on <= ? ORDER BY l.id",
        [p["day"]],
    )
    wanted = {}
    for row in rows:
        kept = min(1000, row["deposit_cents"]) if row["kind"] == p["kind"] else 0
        condition = "unwashed" if row["kind"] == p["kind"] else "clean"
        wanted[row["id"]] = (condition, kept, row["deposit_cents"] - kept)
    return wanted


def _credits(world):
    """The new ledger entries."""
    return [c["after"] for c in world.changes if c["table"] == "ledger_entries" and c["before"] is None]


def goal_takes_back_all_that_is_due(world, p):
    """Every loan due by that day is returned in the condition that was said, with what is kept for it."""
    for loan_id, (condition, kept, credit) in _wanted(world, p).items():
        row = world.final.one("SELECT status, condition, kept_cents FROM loans WHERE id = ?", [loan_id])
        if (row["status"], row["condition"], row["kept_cents"]) != ("returned", condition, kept):
            return False
    return True


def goal_credits_the_deposits(world, p):
    """What is left of each deposit is credited once on the user's ledger."""
    found = sorted((e["loan_id"], e["amount_cents"]) for e in _credits(world) if e["member_id"] == 1)
    return found == sorted((loan_id, w[2]) for loan_id, w in _wanted(world, p).items() if w[2] > 0)


def goal_says_how_many_items(world, p):
    """Says how many items were taken back."""
    return world.report.says("items", len(_wanted(world, p)))


def goal_says_what_is_credited(world, p):
    """Says how much of the deposits is credited."""
    return world.report.says("credited", sum(w[2] for w in _wanted(world, p).values()))


def goal_says_what_is_kept(world, p):
    """Says how much of the deposits is kept."""
    return world.report.says("kept", sum(w[1] for w in _wanted(world, p).values()))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_credits_nothing_else(world, p):
    """Added no row but the right credit for each of these loans, at most one for each."""
    wanted = _wanted(world, p)
    if any(c["before"] is None and c["table"] != "ledger_entries" for c in world.changes):
        return False
    for entry in _credits(world):
        if entry["member_id"] != 1 or entry["kind"] != "deposit" or entry["loan_id"] not in wanted:
            return False
        if entry["amount_cents"] != wanted[entry["loan_id"]][2]:
            return False
    loans = [e["loan_id"] for e in _credits(world)]
    return len(loans) == len(set(loans))


def guard_changes_only_these_loans(world, p):
    """Changed no row but these loans, only what the right return fills in, and deleted none."""
    wanted = _wanted(world, p)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            continue
        if change["table"] != "loans" or before["id"] not in wanted or after["condition"] != wanted[before["id"]][0]:
            return False
        free = ("status", "returned_on", "condition", "kept_cents")
        if any(before[name] != after[name] for name in before if name not in free):
            return False
    return True

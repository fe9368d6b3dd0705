import datetime


def _plan(world):
    """Works out what is paid and what is left over."""
    today = datetime.date(2026, 6, 21)
    money = 16000
    charges = world.initial.query(
        "SELECT id, pitch_cents + electricity_cents + surcharge_cents AS cents FROM fee_charges"
        " WHERE trader_id = 1 AND kind = 'spunta_day' AND status = 'open' AND period_from < '2026-06-21' ORDER BY id"
    )
    money -= sum(c["cents"] for c in charges)
    waiting = []
    for row in world.initial.query(
        "SELECT r.id AS id, r.served_on AS served_on, r.reduced_cents AS reduced_cents, k.early_discount AS early_discount FROM breach_reports r"
        " JOIN breach_kinds k ON k.id = r.breach_kind_id WHERE r.trader_id = 1 AND r.status = 'served' ORDER BY r.id"
    ):
        served = datetime.date.fromisoformat(row["served_on"])
        early, last = served + datetime.timedelta(days=5), served + datetime.timedelta(days=60)
        if row["early_discount"] and today <= early:
            waiting.append((early, row["reduced_cents"] * 70 // 100, last, row))
        elif today <= last:
            waiting.append((last, row["reduced_cents"], last, row))
    waiting.sort(key=lambda w: w[0])
    paid = {}
    while waiting and waiting[0][1] <= money:
        first = waiting.pop(0)
        money -= first[1]
        paid[first[3]["id"]] = first[1]
    return charges, paid, money, waiting


def goal_says_the_money_left(world) -> bool:
    """Says what is left of the 160 euro."""
    return world.report.says("money_left", _plan(world)[2])


def goal_says_what_is_still_to_find(world) -> bool:
    """Says what the fines that are left come to."""
    waiting = _plan(world)[3]
    return world.report.says("still_to_find", sum(w[3]["reduced_cents"] for w in waiting) if waiting else None)


def goal_says_by_when(world) -> bool:
    """Says by when that has to be paid."""
    waiting = _plan(world)[3]
    return world.report.says("find_it_by", min(w[2] for w in waiting).isoformat() if waiting else None)


def goal_market_day_paid(world) -> bool:
    """The market day that was still owed is paid by card."""
    for charge in _plan(world)[0]:
        row = world.final.one("SELECT status, paid_by, surcharge_cents FROM fee_charges WHERE id = ?", [charge["id"]])
        if row["status"] != "paid" or row["paid_by"] != "card" or row["surcharge_cents"] != 0:
            return False
    return True


def goal_fines_paid_in_order(world) -> bool:
    """The fines for which the money lasts are paid, at the sum that holds today."""
    for report_id, cents in _plan(world)[1].items():
        row = world.final.one("SELECT status, paid_on, paid_cents FROM breach_reports WHERE id = ?", [report_id])
        if row["status"] != "paid" or row["paid_on"] != "2026-06-21" or row["paid_cents"] != cents:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the payments for which the money lasts."""
    charges, paid, _, _ = _plan(world)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        changed = {k for k in before if before[k] != after[k]}
        if change["table"] == "fee_charges" and before["id"] in [c["id"] for c in charges]:
            if not changed <= {"status", "paid_at", "paid_by"}:
                return False
        elif change["table"] == "breach_reports" and before["id"] in paid:
            if not changed <= {"status", "paid_on", "paid_cents"}:
                return False
        else:
            return False
    return True

def _nachtbus(world):
    """The ids of the two seats for Nachtbus 41 on 6 November."""
    rows = world.initial.query(
        "SELECT k.id FROM tickets k JOIN screenings s ON s.id = k.screening_id JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE k.account_id = 1 AND k.status = 'valid' AND t.name = 'Nachtbus 41' AND substr(s.starts_at, 1, 10) = '2025-11-06'", [])
    return [r["id"] for r in rows]


def _new_vouchers(world):
    return [c["after"] for c in world.changes if c["table"] == "vouchers" and c["before"] is None]


def _new_tickets(world):
    return [c["after"] for c in world.changes if c["table"] == "tickets" and c["before"] is None]


def goal_seats_are_handed_in(world) -> bool:
    """Both seats for Nachtbus 41 are returned for vouchers, not money."""
    ids = _nachtbus(world)
    rows = [world.final.one("SELECT status, refunded_money_cents, refund_voucher_id FROM tickets WHERE id = ?", [i]) for i in ids]
    return len(ids) == 2 and all(r["status"] == "returned" and not r["refunded_money_cents"] and r["refund_voucher_id"] is not None for r in rows)


def goal_full_value_came_back(world) -> bool:
    """The new refund vouchers of the person are worth 16 euros."""
    vouchers = _new_vouchers(world)
    return sum(v["value_cents"] for v in vouchers) == 1600 and all(v["account_id"] == 1 and v["origin"] == "refund" for v in vouchers)


def goal_two_seats_for_one_evening(world) -> bool:
    """Has two seats at one evening showing of Kraaienwinter from 10 to 16 November."""
    tickets = _new_tickets(world)
    if len(tickets) != 2 or len({t["screening_id"] for t in tickets}) != 1:
        return False
    show = world.initial.one(
        "SELECT s.starts_at, s.kind, t.name FROM screenings s JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id WHERE s.id = ?",
        [tickets[0]["screening_id"]])
    return (show["name"] == "Kraaienwinter" and show["kind"] == "public" and "2025-11-10" <= show["starts_at"][:10] <= "2025-11-16"
            and show["starts_at"][11:16] >= "17:00" and all(t["account_id"] == 1 and t["status"] == "valid" for t in tickets))


def goal_paid_by_that_voucher_alone(world) -> bool:
    """The two seats are paid in full by what the returned seats brought."""
    ids = [v["id"] for v in _new_vouchers(world)]
    tickets = _new_tickets(world)
    return len(tickets) == 2 and all(
        t["voucher_id"] in ids and t["voucher_cents"] == t["price_cents"] and t["payment_id"] is None and t["pass_id"] is None for t in tickets)


def guard_changes_nothing_else(world) -> bool:
    """Touched only those two seats, the vouchers they brought, two new seats and the discount of the membership."""
    if len(_new_vouchers(world)) > 2 or len(_new_tickets(world)) > 2:
        return False
    ids = _nachtbus(world)
    for c in world.changes:
        before, after = c["before"], c["after"]
        if after is None:
            return False
        if c["table"] == "vouchers" and before is None and after["account_id"] == 1:
            continue
        if c["table"] == "tickets" and before is None and after["account_id"] == 1:
            continue
        if c["table"] == "tickets" and before is not None and before["id"] in ids:
            if all(before[f] == after[f] for f in before if f not in ("status", "returned_at", "refunded_money_cents", "refund_voucher_id")):
                continue
        if c["table"] == "memberships" and before is not None and before["account_id"] == 1:
            if all(before[f] == after[f] for f in before if f != "discount_enjoyed_cents"):
                continue
        return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

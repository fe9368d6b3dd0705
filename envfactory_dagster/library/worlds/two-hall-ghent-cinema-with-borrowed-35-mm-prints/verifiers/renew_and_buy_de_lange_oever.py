def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _voucher(world):
    return world.initial.one(
        "SELECT id, left_cents FROM vouchers WHERE account_id = 1 AND origin = 'refund' AND left_cents > 0 AND expires_on >= '2026-03-18'")


def _show(world):
    return world.initial.one(
        "SELECT s.id FROM screenings s JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE t.name = 'De lange oever' AND s.kind = 'public' AND s.starts_at = '2026-03-28T20:00:00'")


def goal_membership_is_renewed(world) -> bool:
    """Has one new single membership from 25 March 2026 to 24 March 2027."""
    rows = _new(world, "memberships")
    return len(rows) == 1 and rows[0]["account_id"] == 1 and rows[0]["kind"] == "single" and (
        rows[0]["starts_on"], rows[0]["ends_on"]) == ("2026-03-25", "2027-03-24")


def goal_membership_is_paid(world) -> bool:
    """The renewal of 35 euros is paid by Bancontact."""
    rows = _new(world, "memberships")
    if len(rows) != 1:
        return False
    payment = world.final.one("SELECT account_id, amount_cents, method FROM payments WHERE id = ?", [rows[0]["payment_id"]])
    return payment is not None and payment["account_id"] == 1 and payment["amount_cents"] == 3500 and payment["method"] == "bancontact"


def goal_two_seats_at_member_price(world) -> bool:
    """Has two seats at the members' price for 28 March at 20:00."""
    rows = _new(world, "tickets")
    return len(rows) == 2 and all(
        t["account_id"] == 1 and t["screening_id"] == _show(world)["id"] and t["tariff"] == "member" and t["price_cents"] == 800 and t["status"] == "valid" for t in rows)


def goal_refund_voucher_is_used_up(world) -> bool:
    """The refund voucher is used up, for these seats."""
    voucher = _voucher(world)
    used = sum(t["voucher_cents"] for t in _new(world, "tickets") if t["voucher_id"] == voucher["id"])
    return used == voucher["left_cents"] and world.final.one("SELECT left_cents FROM vouchers WHERE id = ?", [voucher["id"]])["left_cents"] == 0


def goal_rest_is_paid_by_bancontact(world) -> bool:
    """What is left of the price of the seats is paid by Bancontact."""
    tickets = _new(world, "tickets")
    rest = sum(t["price_cents"] for t in tickets) - _voucher(world)["left_cents"]
    ids = {t["payment_id"] for t in tickets if t["payment_id"] is not None}
    paid = [p for p in _new(world, "payments") if p["id"] in ids]
    return len(tickets) == 2 and sum(p["amount_cents"] for p in paid) == rest and all(p["account_id"] == 1 and p["method"] == "bancontact" for p in paid)


def guard_changes_nothing_else(world) -> bool:
    """Added one membership, two seats and their payments, and drew on that voucher alone."""
    if len(_new(world, "memberships")) > 1 or len(_new(world, "tickets")) > 2 or len(_new(world, "payments")) > 3:
        return False
    for c in world.changes:
        if c["after"] is None:
            return False
        if c["before"] is None:
            if c["table"] not in ("memberships", "tickets", "payments") or c["after"]["account_id"] != 1:
                return False
        elif c["table"] != "vouchers" or c["before"]["id"] != _voucher(world)["id"] or any(
                c["before"][f] != c["after"][f] for f in c["before"] if f != "left_cents"):
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

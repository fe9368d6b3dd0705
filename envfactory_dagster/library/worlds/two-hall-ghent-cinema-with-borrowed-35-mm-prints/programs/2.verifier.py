from datetime import date, datetime, timedelta

NOW = "2026-03-18T11:00:00"


def _tickets(world):
    """The user's tickets from tomorrow on, with what each brings back today."""
    member = world.initial.one("SELECT id FROM memberships WHERE account_id = 1 AND starts_on <= ? AND ends_on >= ?", [NOW[:10], NOW[:10]]) is not None
    rows = world.initial.query(
        "SELECT k.*, s.starts_at, t.name AS film FROM tickets k JOIN screenings s ON s.id = k.screening_id JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE k.account_id = 1 AND k.status = 'valid' AND substr(s.starts_at, 1, 10) > ?", [NOW[:10]])
    for k in rows:
        left = datetime.fromisoformat(k["starts_at"]) - datetime.fromisoformat(NOW)
        days = (date.fromisoformat(NOW[:10]) - date.fromisoformat(k["bought_at"][:10])).days
        k["money"] = k["new"] = k["old"] = 0
        if k["pass_id"] is not None:
            continue
        early = left > timedelta(hours=24)
        percent = (100 if days <= 60 else 80) if early else (80 if member else 0)
        paid = k["price_cents"] - k["voucher_cents"]
        k["old"] = k["voucher_cents"] * percent // 100
        if early and days <= 14:
            k["money"] = max(0, paid - (0 if member else 100))
        else:
            k["new"] = paid * percent // 100
    return rows


def _best(world):
    return max(_tickets(world), key=lambda k: k["new"])


def goal_says_money_total(world) -> bool:
    """Says how much money all tickets would bring."""
    return world.report.says("money_total", sum(k["money"] for k in _tickets(world)))


def goal_says_new_vouchers_total(world) -> bool:
    """Says how much all tickets would bring in new vouchers."""
    return world.report.says("new_vouchers_total", sum(k["new"] for k in _tickets(world)))


def goal_says_old_vouchers_total(world) -> bool:
    """Says how much would go back on used vouchers."""
    return world.report.says("old_vouchers_total", sum(k["old"] for k in _tickets(world)))


def goal_says_film_handed_in(world) -> bool:
    """Says which film's ticket was handed in."""
    return world.report.says("film_handed_in", _best(world)["film"])


def goal_best_ticket_is_returned(world) -> bool:
    """The ticket with the biggest new voucher is returned for a voucher of that value."""
    best = _best(world)
    row = world.final.one(
        "SELECT k.status, k.refunded_money_cents, v.value_cents, v.left_cents, v.origin, v.account_id FROM tickets k LEFT JOIN vouchers v ON v.id = k.refund_voucher_id WHERE k.id = ?",
        [best["id"]])
    return (row["status"] == "returned" and not row["refunded_money_cents"] and row["value_cents"] == best["new"]
            and row["left_cents"] == best["new"] and row["origin"] == "refund" and row["account_id"] == 1)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_keeps_all_other_tickets(world) -> bool:
    """Of the tickets only that one changed, and only by its return."""
    best = _best(world)
    for c in world.changes:
        if c["table"] == "tickets":
            if c["before"] is None or c["after"] is None or c["before"]["id"] != best["id"]:
                return False
            if any(c["before"][f] != c["after"][f] for f in c["before"] if f not in ("status", "returned_at", "refunded_money_cents", "refund_voucher_id")):
                return False
    return True


def guard_changes_no_other_table(world) -> bool:
    """Added one voucher at most and changed nothing else."""
    others = [c for c in world.changes if c["table"] != "tickets"]
    return len(others) <= 1 and all(c["table"] == "vouchers" and c["before"] is None for c in others)

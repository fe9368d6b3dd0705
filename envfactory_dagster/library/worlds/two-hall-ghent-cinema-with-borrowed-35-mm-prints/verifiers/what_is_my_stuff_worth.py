from datetime import date, datetime, timedelta

NOW = "2025-11-03T10:00:00"


def _tickets(world):
    """The valid tickets for November, with what each brings back and when that gets worse."""
    rows = world.initial.query(
        "SELECT k.*, s.starts_at, t.name AS film FROM tickets k JOIN screenings s ON s.id = k.screening_id JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE k.account_id = 1 AND k.status = 'valid' AND substr(s.starts_at, 1, 7) = '2025-11' ORDER BY s.starts_at, k.price_cents DESC, k.id", [])
    member = world.initial.one("SELECT id FROM memberships WHERE account_id = 1 AND starts_on <= '2025-11-03' AND ends_on >= '2025-11-30'") is not None
    now = datetime.fromisoformat(NOW)
    for k in rows:
        start = datetime.fromisoformat(k["starts_at"])
        bought = date.fromisoformat(k["bought_at"][:10])
        days = (now.date() - bought).days
        left = start - now
        k["amount"], k["form"], k["worse"] = 0, "nothing", None
        day_before, two_hours = start - timedelta(hours=24), start - timedelta(hours=2)
        if left < timedelta(hours=2):
            continue
        if k["pass_id"] is not None:
            k["form"], k["worse"] = "pass ride", two_hours
            continue
        early = left > timedelta(hours=24)
        if not early and not member:
            continue
        percent = 100 if early and days <= 60 else 80
        by_voucher = k["voucher_cents"] > 0
        in_money = early and days <= 14 and not by_voucher
        k["amount"] = k["price_cents"] * percent // 100 - (0 if member or not in_money else 100)
        k["form"] = "money" if in_money else "voucher it was paid with" if by_voucher else "new voucher"
        if not early or percent == 80:
            k["worse"] = two_hours
        else:
            last = bought + timedelta(days=15 if in_money else 61)
            k["worse"] = min(datetime(last.year, last.month, last.day), day_before)
    return rows


def _voucher(world):
    return world.initial.one(
        "SELECT code FROM vouchers WHERE account_id = 1 AND left_cents > 0 AND expires_on >= '2025-11-03' ORDER BY expires_on LIMIT 1")


def _card(world):
    return world.initial.one("SELECT rides_left, expires_on FROM passes WHERE account_id = 1 AND rides_left > 0 AND expires_on >= '2025-11-03'")


def goal_says_ticket_films(world) -> bool:
    """Says the film of each ticket."""
    return world.report.says("ticket_films", [k["film"] for k in _tickets(world)])


def goal_says_ticket_amounts(world) -> bool:
    """Says what each ticket brings back."""
    return world.report.says("ticket_amounts", [k["amount"] for k in _tickets(world)])


def goal_says_ticket_forms(world) -> bool:
    """Says as what each ticket comes back."""
    return world.report.says("ticket_forms", [k["form"] for k in _tickets(world)])


def goal_says_worse_days(world) -> bool:
    """Says the days on which that gets worse."""
    return world.report.says("worse_days", [k["worse"].date().isoformat() for k in _tickets(world) if k["worse"] is not None])


def goal_says_worse_times(world) -> bool:
    """Says the times at which that gets worse."""
    return world.report.says("worse_times", [k["worse"].strftime("%H:%M") for k in _tickets(world) if k["worse"] is not None])


def goal_says_first_voucher(world) -> bool:
    """Says which voucher has to be used up first."""
    return world.report.says("first_voucher", _voucher(world)["code"])


def goal_says_rides_left(world) -> bool:
    """Says how many rides are left."""
    return world.report.says("rides_left", _card(world)["rides_left"])


def goal_says_rides_until(world) -> bool:
    """Says until when the rides are good."""
    return world.report.says("rides_until", _card(world)["expires_on"])


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

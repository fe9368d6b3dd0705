from datetime import date, timedelta


def _waiting(world):
    return world.initial.query(
        "SELECT q.*, r.customer_role, b.municipality_id, (SUM(x.net_cents) * (100 + q.vat_rate) + 50) / 100 AS total"
        " FROM quotations q JOIN quotation_lines x ON x.quotation_id = q.id JOIN lifts l ON l.id = q.lift_id"
        " JOIN buildings b ON b.id = l.building_id"
        " JOIN building_roles r ON r.building_id = b.id AND r.customer_id = 1"
        " WHERE b.address = 'Rua dos Lagares 14' AND q.quotation_status = 'issued'"
        " GROUP BY q.id ORDER BY q.id"
    )


def _alone(row):
    return row["total"] <= 150000 or row["safety_level"] == "C1"


def _minutes_due(row):
    return "2026-03-31" if row["total"] > 150000 else None


def _working_days_on(world, count, municipality):
    free = {
        row["holiday_date"] for row in world.initial.query(
            "SELECT holiday_date FROM holidays WHERE municipality_id IS NULL OR municipality_id = ?", [municipality]
        )
    }
    day = date(2026, 3, 1)
    while count:
        day += timedelta(days=1)
        if day.weekday() < 5 and day.isoformat() not in free:
            count -= 1
    return day.isoformat()


def goal_approves_all_that_may_be_approved_alone(world) -> bool:
    """Approves every waiting quotation that the user may approve alone, with what follows from it."""
    right = [row for row in _waiting(world) if _alone(row)]
    for row in right:
        now = world.final.one("SELECT * FROM quotations WHERE id = ?", [row["id"]])
        wanted = {
            "quotation_status": "approved", "approved_by_customer_id": 1, "minutes_ref": None,
            "minutes_due_date": _minutes_due(row), "parts_ordered_at": None,
            "parts_ready_date": _working_days_on(world, row["parts_lead_days"], row["municipality_id"]),
        }
        if any(now[key] != value for key, value in wanted.items()):
            return False
    return len(right) > 0


def goal_names_the_ones_left(world) -> bool:
    """Names the quotations that had to be left for others."""
    return world.report.says("left", [row["title"] for row in _waiting(world) if not _alone(row)])


def goal_says_by_when_minutes_must_follow(world) -> bool:
    """Says by what day minutes have to follow, if they have to for any that were approved."""
    if world.report.outcome is None:
        return False
    days = [_minutes_due(row) for row in _waiting(world) if _alone(row) and _minutes_due(row)]
    return world.report.says("minutes_by", max(days) if days else None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_makes_no_other_change(world) -> bool:
    """Changed nothing but the approval of quotations that the user may approve alone."""
    right = {row["id"] for row in _waiting(world) if _alone(row)}
    columns = ("quotation_status", "approved_by_customer_id", "approved_at", "minutes_ref", "minutes_due_date",
               "withdraw_until", "parts_ordered_at", "parts_ready_date", "fee_cents")
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "quotations" or not before or not after or before["id"] not in right:
            return False
        if any(before[key] != after[key] for key in before if key not in columns):
            return False
    return True

import datetime


def _due(world):
    return world.initial.query(
        "SELECT l.id, l.choir_id, l.due_on FROM loans l"
        " WHERE l.choir_id = 1 AND l.status = 'out' AND l.due_on <= '2026-02-15'"
    )


def _late(row):
    days = (datetime.date(2026, 2, 10) - datetime.date.fromisoformat(row["due_on"])).days
    return 500 * ((days + 6) // 7) if days > 0 else 0


def goal_enters_all_as_back(world) -> bool:
    """Enters every set due by 15 February as back today, with no copy lost."""
    for row in _due(world):
        now = world.final.one("SELECT status, back_on, copies_lost FROM loans WHERE id = ?", (row["id"],))
        if now is None or now["status"] != "returned" or now["back_on"] != "2026-02-10" or now["copies_lost"] != 0:
            return False
    return True


def goal_late_sets_are_charged(world) -> bool:
    """The sets that are late have their charge for it, unpaid."""
    for row in _due(world):
        found = world.final.query(
            "SELECT amount_cents, status, charged_on FROM charges WHERE loan_id = ? AND kind = 'late'", (row["id"],)
        )
        wanted = [_late(row)] if _late(row) else []
        if [one["amount_cents"] for one in found] != wanted:
            return False
        if any(one["status"] != "unpaid" or one["charged_on"] != "2026-02-10" for one in found):
            return False
    return True


def goal_says_what_lateness_costs(world) -> bool:
    """Says what is charged for lateness in all."""
    return world.report.says("late_charge", sum(_late(row) for row in _due(world)))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_those_loans(world) -> bool:
    """Changes nothing but the return of the sets due by then, and adds their late charges at most."""
    due = {row["id"]: row for row in _due(world)}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] == "loans" and before is not None and after is not None and before["id"] in due:
            if any(before[name] != after[name] for name in before if name not in ("status", "back_on")):
                return False
        elif change["table"] == "charges" and before is None:
            if after["loan_id"] not in due or after["kind"] != "late" or after["choir_id"] != 1 or after["paid_on"]:
                return False
        else:
            return False
    return True

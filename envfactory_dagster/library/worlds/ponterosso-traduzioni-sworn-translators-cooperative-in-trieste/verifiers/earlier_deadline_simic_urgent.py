def goal_quote_is_accepted(world) -> bool:
    """Has entered that Dragan Simić accepted the quote for his driving licence."""
    row = world.final.one("SELECT status FROM incarichi WHERE id = 56")
    return row is not None and row["status"] == "accepted"


def goal_deadline_is_earlier_and_the_job_urgent(world) -> bool:
    """Has the deadline on 30 December, the ready date unchanged, and the job thereby urgent."""
    row = world.final.one("SELECT ready_on, deadline, urgent FROM incarichi WHERE id = 56")
    return row == {"ready_on": "2026-12-23", "deadline": "2026-12-30", "urgent": 1}


def goal_has_92_lines(world) -> bool:
    """Has the lines corrected to 92."""
    row = world.final.one("SELECT lines FROM incarichi WHERE id = 56")
    return row is not None and row["lines"] == 92


def goal_original_came_today(world) -> bool:
    """Has entered that the original came on 21 December."""
    row = world.final.one("SELECT original_received_on FROM incarichi WHERE id = 56")
    return row is not None and row["original_received_on"] == "2026-12-21"


def goal_payment_is_entered(world) -> bool:
    """Has entered one payment of 150 euros by card, today, on that job."""
    rows = world.final.query("SELECT day, amount_cents, method FROM movimenti_di_cassa WHERE incarico_id = 56")
    return rows == [{"day": "2026-12-21", "amount_cents": 15000, "method": "card"}]


def goal_is_booked_for_the_only_morning_left(world) -> bool:
    """Has one place for that job on Tuesday 29 December, the only open morning up to the new deadline."""
    rows = world.final.query(
        "SELECT mattine.day AS day, giuramenti.outcome AS outcome FROM giuramenti"
        " JOIN mattine ON mattine.id = giuramenti.mattina_id WHERE giuramenti.incarico_id = 56"
    )
    return rows == [{"day": "2026-12-29", "outcome": "awaited"}]


def goal_says_the_new_total(world) -> bool:
    """Has told the total for 92 lines, urgent."""
    job = world.initial.one("SELECT exempt FROM incarichi WHERE id = 56")
    lines = 92
    translation = (max(lines * 140, 3500) * 13 + 5) // 10
    total = ((translation + 4000) * 122 + 50) // 100
    if not job["exempt"]:
        total += (lines + 99) // 100 * 1600
    return world.report.says("new_total", total)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but what was said about that job, one payment and one place of it."""
    new = []
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            if change["table"] not in ("movimenti_di_cassa", "giuramenti") or change["table"] in new:
                return False
            if after["incarico_id"] != 56:
                return False
            new.append(change["table"])
            continue
        if change["table"] != "incarichi" or change["key"] != [56]:
            return False
        columns = {column for column in after if after[column] != before[column]}
        if not columns <= {"status", "accepted_at", "lines", "deadline", "urgent", "original_received_on"}:
            return False
        if after["status"] not in ("quoted", "accepted"):
            return False
    return True

def goal_quote_is_accepted(world) -> bool:
    """Has entered that Ana Kocjančič accepted the quote for her urgent degree certificate."""
    row = world.final.one("SELECT status FROM incarichi WHERE id = 65")
    return row is not None and row["status"] == "accepted"


def goal_original_came_today(world) -> bool:
    """Has entered that the original came on 4 November."""
    row = world.final.one("SELECT original_received_on FROM incarichi WHERE id = 65")
    return row is not None and row["original_received_on"] == "2026-11-04"


def goal_payment_is_entered(world) -> bool:
    """Has entered one payment of 125 euros in cash, today, on that job."""
    rows = world.final.query("SELECT day, amount_cents, method FROM movimenti_di_cassa WHERE incarico_id = 65")
    return rows == [{"day": "2026-11-04", "amount_cents": 12500, "method": "cash"}]


def goal_is_booked_for_thursday(world) -> bool:
    """Has one place for that job on the court morning of Thursday 5 November."""
    rows = world.final.query(
        "SELECT mattine.day AS day, giuramenti.outcome AS outcome FROM giuramenti"
        " JOIN mattine ON mattine.id = giuramenti.mattina_id WHERE giuramenti.incarico_id = 65"
    )
    return rows == [{"day": "2026-11-05", "outcome": "awaited"}]


def goal_says_what_she_has_to_bring(world) -> bool:
    """Has told what is still owed on the job after the 125 euros."""
    job = world.initial.one("SELECT lines, urgent, exempt FROM incarichi WHERE id = 65")
    paid = world.initial.one(
        "SELECT coalesce(sum(amount_cents), 0) AS cents FROM movimenti_di_cassa WHERE incarico_id = 65"
    )
    translation = max(job["lines"] * 140, 3500)
    if job["urgent"]:
        translation = (translation * 13 + 5) // 10
    total = ((translation + 4000) * 122 + 50) // 100
    if not job["exempt"]:
        total += (job["lines"] + 99) // 100 * 1600
    return world.report.says("to_bring", total - paid["cents"] - 12500)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but that job's acceptance and original, one payment and one place of it."""
    new = []
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            if change["table"] not in ("movimenti_di_cassa", "giuramenti") or change["table"] in new:
                return False
            if after["incarico_id"] != 65:
                return False
            new.append(change["table"])
            continue
        if change["table"] != "incarichi" or change["key"] != [65]:
            return False
        columns = {column for column in after if after[column] != before[column]}
        if not columns <= {"status", "accepted_at", "original_received_on"}:
            return False
        if after["status"] not in ("quoted", "accepted"):
            return False
    return True

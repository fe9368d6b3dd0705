def goal_place_on_10_november_is_free(world) -> bool:
    """Has cancelled the court place of Carso Legnami's power of attorney."""
    row = world.final.one(
        "SELECT count(*) AS live FROM giuramenti WHERE incarico_id = 33 AND outcome IN ('awaited', 'sworn')"
    )
    old = world.final.one("SELECT outcome, mattina_id FROM giuramenti WHERE id = 31 AND incarico_id = 33")
    return row["live"] == 0 and old is not None and old["outcome"] == "cancelled" and old["mattina_id"] == 90


def goal_power_of_attorney_is_withdrawn(world) -> bool:
    """Has marked Carso Legnami's power of attorney as withdrawn."""
    row = world.final.one("SELECT status FROM incarichi WHERE id = 33")
    return row is not None and row["status"] == "withdrawn"


def goal_quote_for_the_supply_contract_is_entered(world) -> bool:
    """Has one quote of the user for Carso Legnami's supply contract, as it was described."""
    old = [row["id"] for row in world.initial.query("SELECT id FROM incarichi")]
    rows = world.final.query(
        "SELECT id FROM incarichi WHERE cliente_id = 1 AND socio_id = 1 AND same_text(document, ?)"
        " AND from_language = 'German' AND into_language = 'Italian' AND lines = 236"
        " AND ready_on = '2026-11-13' AND deadline = '2026-11-27' AND urgent = 0 AND exempt = 0"
        " AND status = 'quoted' AND original_received_on IS NULL",
        ["supply contract"],
    )
    return len([row for row in rows if row["id"] not in old]) == 1


def goal_says_the_total(world) -> bool:
    """Has told the total of the quote for 236 lines, not urgent, with stamps."""
    lines = 236
    net = max(lines * 140, 3500) + 4000
    total = (net * 122 + 50) // 100 + (lines + 99) // 100 * 1600
    return world.report.says("total", total)


def goal_says_what_has_to_be_transferred(world) -> bool:
    """Has told the half of the total that has to be there before the booking."""
    lines = 236
    net = max(lines * 140, 3500) + 4000
    total = (net * 122 + 50) // 100 + (lines + 99) // 100 * 1600
    return world.report.says("to_transfer", (total + 1) // 2)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but that place, that job's status and one new quote for Carso Legnami."""
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            new += 1
            if change["table"] != "incarichi" or new > 1:
                return False
            if after["cliente_id"] != 1 or after["socio_id"] != 1 or after["status"] != "quoted":
                return False
            continue
        columns = {column for column in after if after[column] != before[column]}
        if change["table"] == "giuramenti" and change["key"] == [31]:
            if not columns <= {"outcome", "cancelled_at"} or after["outcome"] != "cancelled":
                return False
        elif change["table"] == "incarichi" and change["key"] == [33]:
            if not columns <= {"status", "withdrawn_at"} or after["status"] != "withdrawn":
                return False
        else:
            return False
    return True

def goal_is_entered_as_away(world) -> bool:
    """Has the user entered as away on Thursday 12 November."""
    row = world.final.one("SELECT count(*) AS n FROM assenze WHERE socio_id = 1 AND day = '2026-11-12'")
    return row["n"] == 1


def goal_birth_certificate_is_with_paolo_sirk(world) -> bool:
    """Has passed Matthias Wieser's birth certificate, with its place on 12 November, to Paolo Sirk."""
    row = world.final.one(
        "SELECT count(*) AS n FROM incarichi JOIN soci ON soci.id = incarichi.socio_id"
        " JOIN giuramenti ON giuramenti.incarico_id = incarichi.id AND giuramenti.outcome = 'awaited'"
        " JOIN mattine ON mattine.id = giuramenti.mattina_id"
        " WHERE incarichi.id = 58 AND soci.name = 'Paolo Sirk' AND mattine.day = '2026-11-12'"
    )
    return row["n"] == 1


def goal_land_register_extract_is_on_the_first_free_morning(world) -> bool:
    """Has Jože Škerlj's land register extract on the first later open morning with an ordinary place."""
    job = world.initial.one("SELECT ready_on, deadline FROM incarichi WHERE id = 37")
    first = world.initial.one(
        "SELECT id FROM mattine WHERE status = 'open' AND day > '2026-11-12' AND day > ? AND day <= ?"
        " AND NOT EXISTS (SELECT 1 FROM assenze WHERE assenze.socio_id = 1 AND assenze.day = mattine.day)"
        " AND (SELECT count(*) FROM giuramenti JOIN incarichi ON incarichi.id = giuramenti.incarico_id"
        " WHERE giuramenti.mattina_id = mattine.id AND giuramenti.outcome = 'awaited' AND incarichi.socio_id = 1) < 4"
        " ORDER BY day LIMIT 1",
        [job["ready_on"], job["deadline"]],
    )
    rows = world.final.query("SELECT mattina_id FROM giuramenti WHERE incarico_id = 37 AND outcome = 'awaited'")
    owner = world.final.one("SELECT socio_id FROM incarichi WHERE id = 37")
    return owner["socio_id"] == 1 and rows == [{"mattina_id": first["id"]}]


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but one day away, the member of the birth certificate and the place of the extract."""
    away = 0
    cancelled = False
    booked = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            if change["table"] == "assenze" and after["socio_id"] == 1 and after["day"] == "2026-11-12":
                away += 1
            elif change["table"] == "giuramenti" and after["incarico_id"] == 37 and after["outcome"] == "awaited":
                booked += 1
            else:
                return False
            continue
        columns = {column for column in after if after[column] != before[column]}
        if change["table"] == "incarichi" and change["key"] == [58]:
            if not columns <= {"socio_id"}:
                return False
        elif change["table"] == "giuramenti" and change["key"] == [35]:
            if after["outcome"] == "cancelled" and columns <= {"outcome", "cancelled_at"}:
                cancelled = True
            elif not columns <= {"mattina_id", "entered_at"}:
                return False
        else:
            return False
    return away <= 1 and booked <= (1 if cancelled else 0)

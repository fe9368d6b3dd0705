def goal_birth_certificate_is_with_lucia_bensi(world) -> bool:
    """Has Nikola Matić's birth certificate, with its place on 29 December, with Lucia Bensi."""
    row = world.final.one(
        "SELECT count(*) AS n FROM incarichi JOIN soci ON soci.id = incarichi.socio_id"
        " JOIN giuramenti ON giuramenti.incarico_id = incarichi.id AND giuramenti.outcome = 'awaited'"
        " JOIN mattine ON mattine.id = giuramenti.mattina_id"
        " WHERE incarichi.id = 31 AND soci.name = 'Lucia Bensi' AND mattine.day = '2026-12-29'"
    )
    return row["n"] == 1


def goal_residence_certificate_is_with_the_user(world) -> bool:
    """Has Ivana Barišić's residence certificate, with its place on 29 December, with the user."""
    row = world.final.one(
        "SELECT count(*) AS n FROM incarichi"
        " JOIN giuramenti ON giuramenti.incarico_id = incarichi.id AND giuramenti.outcome = 'awaited'"
        " JOIN mattine ON mattine.id = giuramenti.mattina_id"
        " WHERE incarichi.id = 41 AND incarichi.socio_id = 1 AND mattine.day = '2026-12-29'"
    )
    return row["n"] == 1


def goal_says_the_customers(world) -> bool:
    """Has told whose files the user carries to court on 29 December after the swap."""
    rows = world.initial.query(
        "SELECT clienti.name AS name, incarichi.document AS document FROM giuramenti"
        " JOIN mattine ON mattine.id = giuramenti.mattina_id"
        " JOIN incarichi ON incarichi.id = giuramenti.incarico_id"
        " JOIN clienti ON clienti.id = incarichi.cliente_id"
        " WHERE mattine.day = '2026-12-29' AND giuramenti.outcome = 'awaited'"
        " AND (incarichi.id = 41 OR incarichi.socio_id = 1 AND incarichi.id <> 31)"
        " ORDER BY clienti.name, incarichi.id"
    )
    return world.report.says("customers", [row["name"] for row in rows])


def goal_says_the_documents(world) -> bool:
    """Has told what these files are."""
    rows = world.initial.query(
        "SELECT clienti.name AS name, incarichi.document AS document FROM giuramenti"
        " JOIN mattine ON mattine.id = giuramenti.mattina_id"
        " JOIN incarichi ON incarichi.id = giuramenti.incarico_id"
        " JOIN clienti ON clienti.id = incarichi.cliente_id"
        " WHERE mattine.day = '2026-12-29' AND giuramenti.outcome = 'awaited'"
        " AND (incarichi.id = 41 OR incarichi.socio_id = 1 AND incarichi.id <> 31)"
        " ORDER BY clienti.name, incarichi.id"
    )
    return world.report.says("documents", [row["document"] for row in rows])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the member of these two jobs, the one now Lucia Bensi's, the other the user's."""
    members = {31: 2, 41: 1}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None or change["table"] != "incarichi":
            return False
        if before["id"] not in members or after["socio_id"] != members[before["id"]]:
            return False
        if {column for column in after if after[column] != before[column]} != {"socio_id"}:
            return False
    return True

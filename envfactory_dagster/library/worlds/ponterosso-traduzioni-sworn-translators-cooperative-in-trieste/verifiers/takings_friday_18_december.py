def goal_says_the_total(world) -> bool:
    """Has told what came into the cassa on 18 December in all."""
    row = world.initial.one(
        "SELECT coalesce(sum(amount_cents), 0) AS cents FROM movimenti_di_cassa WHERE day = '2026-12-18'"
    )
    return world.report.says("total", row["cents"])


def goal_says_the_cash(world) -> bool:
    """Has told how much of it was paid in cash."""
    row = world.initial.one(
        "SELECT coalesce(sum(amount_cents), 0) AS cents FROM movimenti_di_cassa WHERE day = '2026-12-18'"
        " AND method = 'cash'"
    )
    return world.report.says("cash", row["cents"])


def goal_says_the_card_payments(world) -> bool:
    """Has told how much of it was paid by card."""
    row = world.initial.one(
        "SELECT coalesce(sum(amount_cents), 0) AS cents FROM movimenti_di_cassa WHERE day = '2026-12-18'"
        " AND method = 'card'"
    )
    return world.report.says("card", row["cents"])


def goal_says_the_transfers(world) -> bool:
    """Has told how much of it was paid by transfer."""
    row = world.initial.one(
        "SELECT coalesce(sum(amount_cents), 0) AS cents FROM movimenti_di_cassa WHERE day = '2026-12-18'"
        " AND method = 'transfer'"
    )
    return world.report.says("transfer", row["cents"])


def goal_says_the_users_customers(world) -> bool:
    """Has told whose payments that day were for jobs of the user."""
    rows = world.initial.query(
        "SELECT clienti.name AS name, sum(movimenti_di_cassa.amount_cents) AS cents, incarichi.lines AS lines,"
        " incarichi.urgent AS urgent, incarichi.exempt AS exempt, incarichi.status AS status,"
        " (SELECT sum(other.amount_cents) FROM movimenti_di_cassa AS other"
        " WHERE other.incarico_id = incarichi.id) AS paid"
        " FROM movimenti_di_cassa JOIN incarichi ON incarichi.id = movimenti_di_cassa.incarico_id"
        " JOIN clienti ON clienti.id = incarichi.cliente_id"
        " WHERE movimenti_di_cassa.day = '2026-12-18' AND incarichi.socio_id = 1"
        " GROUP BY incarichi.id ORDER BY clienti.name, incarichi.id"
    )
    return world.report.says("my_customers", [row["name"] for row in rows])


def goal_says_their_payments(world) -> bool:
    """Has told what each of them paid that day."""
    rows = world.initial.query(
        "SELECT clienti.name AS name, sum(movimenti_di_cassa.amount_cents) AS cents, incarichi.lines AS lines,"
        " incarichi.urgent AS urgent, incarichi.exempt AS exempt, incarichi.status AS status,"
        " (SELECT sum(other.amount_cents) FROM movimenti_di_cassa AS other"
        " WHERE other.incarico_id = incarichi.id) AS paid"
        " FROM movimenti_di_cassa JOIN incarichi ON incarichi.id = movimenti_di_cassa.incarico_id"
        " JOIN clienti ON clienti.id = incarichi.cliente_id"
        " WHERE movimenti_di_cassa.day = '2026-12-18' AND incarichi.socio_id = 1"
        " GROUP BY incarichi.id ORDER BY clienti.name, incarichi.id"
    )
    return world.report.says("my_payments", [row["cents"] for row in rows])


def goal_says_what_they_still_owe(world) -> bool:
    """Has told what each of them still owes after it."""
    rows = world.initial.query(
        "SELECT clienti.name AS name, sum(movimenti_di_cassa.amount_cents) AS cents, incarichi.lines AS lines,"
        " incarichi.urgent AS urgent, incarichi.exempt AS exempt, incarichi.status AS status,"
        " (SELECT sum(other.amount_cents) FROM movimenti_di_cassa AS other"
        " WHERE other.incarico_id = incarichi.id) AS paid"
        " FROM movimenti_di_cassa JOIN incarichi ON incarichi.id = movimenti_di_cassa.incarico_id"
        " JOIN clienti ON clienti.id = incarichi.cliente_id"
        " WHERE movimenti_di_cassa.day = '2026-12-18' AND incarichi.socio_id = 1"
        " GROUP BY incarichi.id ORDER BY clienti.name, incarichi.id"
    )
    owed = []
    for row in rows:
        translation = max(row["lines"] * 140, 3500)
        if row["urgent"]:
            translation = (translation * 13 + 5) // 10
        total = ((translation + 4000) * 122 + 50) // 100
        if not row["exempt"]:
            total += (row["lines"] + 99) // 100 * 1600
        owed.append(0 if row["status"] == "withdrawn" else max(total - row["paid"], 0))
    return world.report.says("still_owed", owed)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []

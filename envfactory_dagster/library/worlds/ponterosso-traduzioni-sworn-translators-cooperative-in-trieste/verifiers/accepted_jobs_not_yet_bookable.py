import collections


def goal_says_the_customers(world) -> bool:
    """Has told whose accepted jobs cannot be booked yet."""
    jobs = world.initial.query(
        "SELECT incarichi.id AS id, clienti.name AS name, incarichi.cliente_id AS cliente_id,"
        " incarichi.document AS document, incarichi.lines AS lines, incarichi.urgent AS urgent,"
        " incarichi.exempt AS exempt, incarichi.status AS status, incarichi.socio_id AS socio_id,"
        " incarichi.original_received_on AS original_received_on,"
        " (SELECT coalesce(sum(amount_cents), 0) FROM movimenti_di_cassa"
        " WHERE movimenti_di_cassa.incarico_id = incarichi.id) AS paid,"
        " (SELECT count(*) FROM giuramenti WHERE giuramenti.incarico_id = incarichi.id"
        " AND giuramenti.outcome IN ('awaited', 'sworn')) AS live"
        " FROM incarichi JOIN clienti ON clienti.id = incarichi.cliente_id"
        " ORDER BY clienti.name, incarichi.id"
    )
    done = collections.Counter()
    for job in jobs:
        translation = max(job["lines"] * 140, 3500)
        if job["urgent"]:
            translation = (translation * 13 + 5) // 10
        job["total"] = ((translation + 4000) * 122 + 50) // 100
        if not job["exempt"]:
            job["total"] += (job["lines"] + 99) // 100 * 1600
        if job["status"] in ("sworn", "collected") and job["paid"] >= job["total"]:
            done[job["cliente_id"]] += 1
    unbooked = [job for job in jobs if job["socio_id"] == 1 and job["status"] == "accepted" and job["live"] == 0]
    waiting = []
    for job in unbooked:
        waived = not job["urgent"] and done[job["cliente_id"]] >= 6
        short = max((job["total"] + 1) // 2 - job["paid"], 0)
        if job["original_received_on"] is None or (short > 0 and not waived):
            waiting.append((job["name"], job["document"], short))
    return world.report.says("customers", [row[0] for row in waiting])


def goal_says_the_documents(world) -> bool:
    """Has told which jobs these are."""
    jobs = world.initial.query(
        "SELECT incarichi.id AS id, clienti.name AS name, incarichi.cliente_id AS cliente_id,"
        " incarichi.document AS document, incarichi.lines AS lines, incarichi.urgent AS urgent,"
        " incarichi.exempt AS exempt, incarichi.status AS status, incarichi.socio_id AS socio_id,"
        " incarichi.original_received_on AS original_received_on,"
        " (SELECT coalesce(sum(amount_cents), 0) FROM movimenti_di_cassa"
        " WHERE movimenti_di_cassa.incarico_id = incarichi.id) AS paid,"
        " (SELECT count(*) FROM giuramenti WHERE giuramenti.incarico_id = incarichi.id"
        " AND giuramenti.outcome IN ('awaited', 'sworn')) AS live"
        " FROM incarichi JOIN clienti ON clienti.id = incarichi.cliente_id"
        " ORDER BY clienti.name, incarichi.id"
    )
    done = collections.Counter()
    for job in jobs:
        translation = max(job["lines"] * 140, 3500)
        if job["urgent"]:
            translation = (translation * 13 + 5) // 10
        job["total"] = ((translation + 4000) * 122 + 50) // 100
        if not job["exempt"]:
            job["total"] += (job["lines"] + 99) // 100 * 1600
        if job["status"] in ("sworn", "collected") and job["paid"] >= job["total"]:
            done[job["cliente_id"]] += 1
    unbooked = [job for job in jobs if job["socio_id"] == 1 and job["status"] == "accepted" and job["live"] == 0]
    waiting = []
    for job in unbooked:
        waived = not job["urgent"] and done[job["cliente_id"]] >= 6
        short = max((job["total"] + 1) // 2 - job["paid"], 0)
        if job["original_received_on"] is None or (short > 0 and not waived):
            waiting.append((job["name"], job["document"], short))
    return world.report.says("documents", [row[1] for row in waiting])


def goal_says_what_each_is_short_of_the_half(world) -> bool:
    """Has told what each of these jobs is short of half of its total."""
    jobs = world.initial.query(
        "SELECT incarichi.id AS id, clienti.name AS name, incarichi.cliente_id AS cliente_id,"
        " incarichi.document AS document, incarichi.lines AS lines, incarichi.urgent AS urgent,"
        " incarichi.exempt AS exempt, incarichi.status AS status, incarichi.socio_id AS socio_id,"
        " incarichi.original_received_on AS original_received_on,"
        " (SELECT coalesce(sum(amount_cents), 0) FROM movimenti_di_cassa"
        " WHERE movimenti_di_cassa.incarico_id = incarichi.id) AS paid,"
        " (SELECT count(*) FROM giuramenti WHERE giuramenti.incarico_id = incarichi.id"
        " AND giuramenti.outcome IN ('awaited', 'sworn')) AS live"
        " FROM incarichi JOIN clienti ON clienti.id = incarichi.cliente_id"
        " ORDER BY clienti.name, incarichi.id"
    )
    done = collections.Counter()
    for job in jobs:
        translation = max(job["lines"] * 140, 3500)
        if job["urgent"]:
            translation = (translation * 13 + 5) // 10
        job["total"] = ((translation + 4000) * 122 + 50) // 100
        if not job["exempt"]:
            job["total"] += (job["lines"] + 99) // 100 * 1600
        if job["status"] in ("sworn", "collected") and job["paid"] >= job["total"]:
            done[job["cliente_id"]] += 1
    unbooked = [job for job in jobs if job["socio_id"] == 1 and job["status"] == "accepted" and job["live"] == 0]
    waiting = []
    for job in unbooked:
        waived = not job["urgent"] and done[job["cliente_id"]] >= 6
        short = max((job["total"] + 1) // 2 - job["paid"], 0)
        if job["original_received_on"] is None or (short > 0 and not waived):
            waiting.append((job["name"], job["document"], short))
    return world.report.says("short_of_half", [row[2] for row in waiting])


def goal_says_whose_deposit_is_waived(world) -> bool:
    """Has told which customer of an unbooked job needs no deposit after six jobs sworn and paid."""
    jobs = world.initial.query(
        "SELECT incarichi.id AS id, clienti.name AS name, incarichi.cliente_id AS cliente_id,"
        " incarichi.document AS document, incarichi.lines AS lines, incarichi.urgent AS urgent,"
        " incarichi.exempt AS exempt, incarichi.status AS status, incarichi.socio_id AS socio_id,"
        " incarichi.original_received_on AS original_received_on,"
        " (SELECT coalesce(sum(amount_cents), 0) FROM movimenti_di_cassa"
        " WHERE movimenti_di_cassa.incarico_id = incarichi.id) AS paid,"
        " (SELECT count(*) FROM giuramenti WHERE giuramenti.incarico_id = incarichi.id"
        " AND giuramenti.outcome IN ('awaited', 'sworn')) AS live"
        " FROM incarichi JOIN clienti ON clienti.id = incarichi.cliente_id"
        " ORDER BY clienti.name, incarichi.id"
    )
    done = collections.Counter()
    for job in jobs:
        translation = max(job["lines"] * 140, 3500)
        if job["urgent"]:
            translation = (translation * 13 + 5) // 10
        job["total"] = ((translation + 4000) * 122 + 50) // 100
        if not job["exempt"]:
            job["total"] += (job["lines"] + 99) // 100 * 1600
        if job["status"] in ("sworn", "collected") and job["paid"] >= job["total"]:
            done[job["cliente_id"]] += 1
    unbooked = [job for job in jobs if job["socio_id"] == 1 and job["status"] == "accepted" and job["live"] == 0]
    waived = sorted({job["name"] for job in unbooked if done[job["cliente_id"]] >= 6})
    return world.report.says("deposit_waived", waived)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []

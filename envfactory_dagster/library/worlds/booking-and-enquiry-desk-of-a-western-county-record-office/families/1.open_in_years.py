import datetime


def _twelve_months_on(day):
    date = datetime.date.fromisoformat(day)
    leap = date.month == 2 and date.day == 29
    return date.replace(year=date.year + 1, day=28 if leap else date.day).isoformat()


def _pieces(db, first, last):
    return db.query(
        "SELECT id, format FROM pieces WHERE first_year <= ? AND CAST(substr(last_entry_on, 1, 4) AS INTEGER) >= ? ORDER BY id", [last, first]
    )


def _barred(db, piece, reader, today):
    """What keeps a piece from a reader: a list of kinds, and the day on which its closure ends."""
    kinds, opens = [], None
    if reader["ticket_kind"] == "provisional" and piece["format"] != "microfilm":
        kinds.append("ticket")
    cases = {"closure_period": "closure_exception", "depositor_consent": "depositor_consent", "fragile_original": "conservator_word"}
    for row in db.query("SELECT kind, lapses_on FROM restrictions WHERE piece_id = ? AND (lapses_on IS NULL OR lapses_on > ?)", [piece["id"], today]):
        granted = db.query(
            "SELECT a.decided_on FROM access_cases a JOIN access_case_pieces x ON x.access_case_id = a.id"
            " WHERE x.piece_id = ? AND a.reader_id = ? AND a.kind = ? AND a.status IN ('granted', 'granted_with_conditions')",
            [piece["id"], reader["id"], cases[row["kind"]]],
        )
        if any(_twelve_months_on(g["decided_on"]) >= today for g in granted):
            continue
        kinds.append(row["kind"])
        if row["kind"] == "closure_period":
            opens = row["lapses_on"]
    return kinds, opens


def _figures(db, reader, first, last, today):
    open_ones, others, days = 0, 0, []
    for piece in _pieces(db, first, last):
        kinds, opens = _barred(db, piece, reader, today)
        if kinds:
            others += 1
        else:
            open_ones += 1
        if opens:
            days.append(opens)
    return open_ones, others, min(days) if days else None


def instances(world, rng):
    """A reader whose ticket is in force, and a span of years with pieces of both kinds and a closed one among them."""
    today = world.clock[:10]
    readers = world.query(
        "SELECT id, forenames || ' ' || surname AS name, town, ticket_kind FROM readers"
        " WHERE ticket_status = 'active' AND ticket_valid_until >= ? ORDER BY id",
        [today],
    )
    seen = set()
    for _ in range(4000):
        reader = rng.choice(readers)
        first = rng.randrange(1800, 1960, 5)
        last = first + rng.choice([20, 30, 40, 50, 60, 75, 90, 120])
        if last > 2000 or (reader["id"], first, last) in seen:
            continue
        seen.add((reader["id"], first, last))
        number = len(_pieces(world, first, last))
        if not 5 <= number <= 37:
            continue
        may, not_may, opens = _figures(world, reader, first, last, today)
        if may == 0 or not_may == 0 or may == not_may or opens is None:
            continue
        yield {"p": {"name": reader["name"], "town": reader["town"], "first": first, "last": last, "reader": reader["id"], "kind": reader["ticket_kind"], "today": today}}


def solve(tools, p):
    found = tools.find_readers(surname=p["name"].split()[-1])["readers"]
    ticket = next(r["ticket_no"] for r in found if r["name"] == p["name"] and r["town"] == p["town"])
    hits, total = [], 1
    while len(hits) < total:
        page = tools.search_catalogue(year_from=p["first"], year_to=p["last"], limit=100, offset=len(hits))
        total = page["total"]
        hits += page["hits"]
    may, not_may, days = 0, 0, []
    for hit in hits:
        access = tools.check_piece_access(ticket_no=ticket, piece_ref=hit["piece_ref"])
        if access["answer"] in ("allowed", "allowed_supervised"):
            may += 1
        else:
            not_may += 1
        if access.get("opens_on"):
            days.append(access["opens_on"])
    opens = min(days) if days else None
    return {
        "outcome": "done",
        "answers": {"may_see": may, "may_not_see": not_may, "first_opening": opens},
        "reason": None,
        "message": f"{p['name']} may see {may} of the pieces today and {not_may} not. The first of the closed ones opens on {opens}.",
    }


def _right(world, p):
    return _figures(world.initial, {"id": p["reader"], "ticket_kind": p["kind"]}, p["first"], p["last"], p["today"])


def goal_says_how_many_may_be_seen(world, p):
    """Says how many of the pieces the reader may see today."""
    return world.report.says("may_see", _right(world, p)[0])


def goal_says_how_many_may_not(world, p):
    """Says how many of the pieces the reader may not see today."""
    return world.report.says("may_not_see", _right(world, p)[1])


def goal_says_when_the_first_opens(world, p):
    """Says on which day the first of the closed pieces opens."""
    return world.report.says("first_opening", _right(world, p)[2])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

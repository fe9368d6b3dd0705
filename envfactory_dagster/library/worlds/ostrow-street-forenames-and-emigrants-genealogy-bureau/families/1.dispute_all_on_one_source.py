import datetime

KINDS = (
    "Family chronicle typed by {}, {}", "Letters copied by {}, {}", "Notes of the schoolteacher {}, {}",
    "Parish jubilee book by {}, {}", "Memoirs of {}, printed in {}", "Emigrants' almanac edited by {}, {}",
)
WRITERS = ("H. Lorenz", "A. Mazur", "the Rev. Olsson", "K. Prochazka", "E. Winther", "T. Adamczyk", "M. Solheim")
REASONS = (
    "The author invented whole generations",
    "This source has been shown to be a forgery",
    "It contradicts the original registers",
    "It was written eighty years after the events",
    "The writer mixed up two families of the same name",
    "My archivist says nobody should rely on it",
    "A newer edition has corrected these pages",
    "No original of it has ever been seen",
)
FORENAMES = ("Anna", "Johan", "Katarina", "Peter", "Margareta", "Franz", "Agnes", "Jakob", "Elisabet", "Karl")
EVENTS = (
    "had been a miller before {}", "left the village in {}", "quarrelled with the parish in {}",
    "inherited a cottage in {}", "wrote home from America in {}", "lost two children in {}", "served as a groom in {}",
)


def _finding(number, search, source, grade, status, moment, limit, rng):
    statement = f"{rng.choice(FORENAMES)} {search['surname']} " + rng.choice(EVENTS).format(rng.randrange(1841, 1909))
    row = {
        "id": number,
        "commission_id": search["id"],
        "statement": statement,
        "source": source,
        "confidence_grade": grade,
        "status": status,
        "recorded_at": moment.isoformat(),
        "disputed_at": None,
        "dispute_reason": None,
        "withdrawn_at": None,
    }
    seconds = int((min(limit, moment + datetime.timedelta(days=20)) - moment).total_seconds())
    later = moment + datetime.timedelta(seconds=max(60, seconds // 2 // 60 * 60))
    if status == "disputed":
        row["disputed_at"] = later.isoformat()
        row["dispute_reason"] = "Please look at this one again."
    if status == "withdrawn":
        row["withdrawn_at"] = later.isoformat()
    return row


def _moments(search, low, high):
    """The hours of the working days on which a finding can have been recorded in this search, from low to high."""
    first = max(low, datetime.datetime.fromisoformat(search["started_at"]) + datetime.timedelta(days=1))
    last = min(high, datetime.datetime.fromisoformat(search["last"]))
    moments = []
    day = first.replace(hour=0, minute=0, second=0)
    while day <= last:
        for hour in range(10, 17):
            moment = day + datetime.timedelta(hours=hour)
            if day.weekday() < 5 and first <= moment <= last - datetime.timedelta(hours=1):
                moments.append(moment)
        day += datetime.timedelta(days=1)
    return moments


def instances(world, rng):
    """Findings in the user's searches that rest on one doubtful source: some in time, some too old, some not open."""
    searches = world.query(
        "SELECT id, surname, started_at, CASE WHEN status = 'paused' THEN paused_at"
        " WHEN status IN ('completed', 'cancelled') THEN coalesce(completed_at, cancelled_at) ELSE ? END AS last"
        " FROM commissions WHERE client_id = 1 AND started_at IS NOT NULL ORDER BY id",
        [world.clock],
    )
    used = {row["source"] for row in world.query("SELECT DISTINCT source FROM findings ORDER BY source")}
    top = world.one("SELECT max(id) AS number FROM findings")["number"]
    now = datetime.datetime.fromisoformat(world.clock[:19])
    ago = datetime.timedelta
    fresh = [(s, m) for s in searches for m in _moments(s, now - ago(days=29), now - ago(hours=18))]
    old = [(s, m) for s in searches for m in _moments(s, now - ago(days=2000), now - ago(days=32))]
    if len(fresh) < 8 or len(old) < 8:
        return
    for _ in range(600):
        kind, writer, year = rng.choice(KINDS), rng.choice(WRITERS), rng.randrange(1908, 1989)
        source = kind.format(writer, year)
        twin = kind.format(writer, year + rng.randrange(2, 9))
        if source in used or twin in used:
            continue
        in_time, too_late = rng.randrange(2, 5), rng.randrange(0, 4)
        if in_time == too_late:
            continue
        plan = [(pair, source, "open") for pair in rng.sample(fresh, in_time)]
        plan += [(pair, source, "open") for pair in rng.sample(old, too_late)]
        plan += [(pair, source, rng.choice(["disputed", "withdrawn"])) for pair in rng.sample(fresh + old, rng.randrange(1, 3))]
        plan += [(pair, twin, "open") for pair in rng.sample(fresh, rng.randrange(1, 3))]
        plan.sort(key=lambda item: (item[0][1], item[0][0]["id"], item[1], item[2]))
        rows = []
        for number, ((search, moment), text, status) in enumerate(plan, top + 1):
            moment = moment + ago(minutes=5 * rng.randrange(0, 12))
            rows.append(_finding(number, search, text, rng.choice([1, 2, 2, 3, 4]), status, moment, now, rng))
        yield {
            "p": {
                "source": source,
                "reason": rng.choice(REASONS),
                "earliest": (now - ago(days=30)).isoformat(),
            },
            "given": {"findings": rows},
        }


def solve(tools, p):
    disputed = 0
    too_late = 0
    for commission in tools.list_my_commissions()["commissions"]:
        for finding in tools.list_findings(commission_id=commission["id"], status="open")["findings"]:
            if finding["source"] != p["source"]:
                continue
            try:
                tools.dispute_finding(finding_id=finding["id"], dispute_reason=p["reason"])
                disputed += 1
            except tools.Error:
                too_late += 1
    return {
        "outcome": "done",
        "answers": {"findings_disputed": disputed, "findings_too_late": too_late},
        "reason": None,
        "message": f"Findings on that source that I disputed: {disputed}. Open ones for which it was too late: {too_late}.",
    }


def _open_ones(world, p):
    return world.initial.query(
        "SELECT f.id, f.recorded_at FROM findings f JOIN commissions c ON c.id = f.commission_id WHERE c.client_id = 1"
        " AND f.status = 'open' AND f.source = ? ORDER BY f.id",
        [p["source"]],
    )


def _in_time(world, p):
    return [row["id"] for row in _open_ones(world, p) if row["recorded_at"] >= p["earliest"]]


def goal_disputes_every_one_in_time(world, p):
    """Disputed every open finding on that source that was recorded within the last 30 days, with the reason given."""
    for number in _in_time(world, p):
        row = world.final.one(
            "SELECT count(*) AS n FROM findings WHERE id = ? AND status = 'disputed' AND disputed_at IS NOT NULL"
            " AND same_text(dispute_reason, ?)",
            [number, p["reason"]],
        )
        if row["n"] != 1:
            return False
    return True


def goal_says_how_many_were_disputed(world, p):
    """Says how many findings were disputed."""
    return bool(world.report.says("findings_disputed", len(_in_time(world, p))))


def goal_says_for_how_many_it_was_too_late(world, p):
    """Says for how many open findings on that source it was too late."""
    late = len(_open_ones(world, p)) - len(_in_time(world, p))
    return bool(world.report.says("findings_too_late", late))


def guard_touches_only_those_findings(world, p):
    """Changed nothing but the state, the time and the reason of the dispute of these findings."""
    wanted = _in_time(world, p)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "findings" or before is None or after is None or before["id"] not in wanted:
            return False
        if after["status"] != "disputed":
            return False
        if any(before[n] != after[n] for n in before if n not in ("status", "disputed_at", "dispute_reason")):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Gives no rule as a reason, as nothing is refused."""
    return world.report.reason is None

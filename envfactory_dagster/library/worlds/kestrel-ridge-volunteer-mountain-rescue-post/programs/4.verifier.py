from datetime import datetime, timedelta


def goal_says_time_before(world) -> bool:
    """Says how long the user was down for duty in August before anything was taken."""
    held = world.initial.query(
        "SELECT d.starts_at AS starts_at, d.ends_at AS ends_at FROM shift_places p"
        " JOIN duty_shifts d ON d.id = p.duty_shift_id"
        " WHERE p.member_id = 1 AND p.status IN ('taken', 'offered', 'served')"
    )
    candidates = world.initial.query(
        "SELECT d.id AS id, d.starts_at AS starts_at, d.ends_at AS ends_at FROM duty_shifts d"
        " WHERE d.starts_at > '2026-08-17T10:30:00' AND d.starts_at < '2026-09-01'"
        " AND d.most_places > (SELECT count(*) FROM shift_places p WHERE p.duty_shift_id = d.id"
        " AND p.status IN ('taken', 'offered', 'served'))"
        " AND NOT EXISTS (SELECT 1 FROM shift_places p WHERE p.duty_shift_id = d.id AND p.member_id = 1"
        " AND p.status IN ('taken', 'offered', 'served'))"
        " AND NOT EXISTS (SELECT 1 FROM duty_shift_skills s WHERE s.duty_shift_id = d.id AND NOT EXISTS ("
        " SELECT 1 FROM qualifications q WHERE q.member_id = 1 AND q.skill_id = s.skill_id"
        " AND q.last_day >= substr(d.starts_at, 1, 10)))"
        " ORDER BY d.starts_at"
    )
    total = 0
    for h in held:
        if h["starts_at"][:7] == "2026-08":
            span = datetime.fromisoformat(h["ends_at"]) - datetime.fromisoformat(h["starts_at"])
            total += int(span.total_seconds() // 60)
    before = total
    chosen = []
    for c in candidates:
        if total >= 2400:
            break
        start, end = datetime.fromisoformat(c["starts_at"]), datetime.fromisoformat(c["ends_at"])
        rest = timedelta(hours=10)
        if all(
            start - datetime.fromisoformat(h["ends_at"]) >= rest or datetime.fromisoformat(h["starts_at"]) - end >= rest
            for h in held
        ):
            chosen.append(c)
            held.append(c)
            total += int((end - start).total_seconds() // 60)
    return world.report.says("time_before", before)


def goal_says_time_now(world) -> bool:
    """Says how long the user is down for duty in August with the new shifts."""
    held = world.initial.query(
        "SELECT d.starts_at AS starts_at, d.ends_at AS ends_at FROM shift_places p"
        " JOIN duty_shifts d ON d.id = p.duty_shift_id"
        " WHERE p.member_id = 1 AND p.status IN ('taken', 'offered', 'served')"
    )
    candidates = world.initial.query(
        "SELECT d.id AS id, d.starts_at AS starts_at, d.ends_at AS ends_at FROM duty_shifts d"
        " WHERE d.starts_at > '2026-08-17T10:30:00' AND d.starts_at < '2026-09-01'"
        " AND d.most_places > (SELECT count(*) FROM shift_places p WHERE p.duty_shift_id = d.id"
        " AND p.status IN ('taken', 'offered', 'served'))"
        " AND NOT EXISTS (SELECT 1 FROM shift_places p WHERE p.duty_shift_id = d.id AND p.member_id = 1"
        " AND p.status IN ('taken', 'offered', 'served'))"
        " AND NOT EXISTS (SELECT 1 FROM duty_shift_skills s WHERE s.duty_shift_id = d.id AND NOT EXISTS ("
        " SELECT 1 FROM qualifications q WHERE q.member_id = 1 AND q.skill_id = s.skill_id"
        " AND q.last_day >= substr(d.starts_at, 1, 10)))"
        " ORDER BY d.starts_at"
    )
    total = 0
    for h in held:
        if h["starts_at"][:7] == "2026-08":
            span = datetime.fromisoformat(h["ends_at"]) - datetime.fromisoformat(h["starts_at"])
            total += int(span.total_seconds() // 60)
    before = total
    chosen = []
    for c in candidates:
        if total >= 2400:
            break
        start, end = datetime.fromisoformat(c["starts_at"]), datetime.fromisoformat(c["ends_at"])
        rest = timedelta(hours=10)
        if all(
            start - datetime.fromisoformat(h["ends_at"]) >= rest or datetime.fromisoformat(h["starts_at"]) - end >= rest
            for h in held
        ):
            chosen.append(c)
            held.append(c)
            total += int((end - start).total_seconds() // 60)
    return world.report.says("time_now", total)


def goal_says_new_shift_days(world) -> bool:
    """Says the days on which the new shifts start."""
    held = world.initial.query(
        "SELECT d.starts_at AS starts_at, d.ends_at AS ends_at FROM shift_places p"
        " JOIN duty_shifts d ON d.id = p.duty_shift_id"
        " WHERE p.member_id = 1 AND p.status IN ('taken', 'offered', 'served')"
    )
    candidates = world.initial.query(
        "SELECT d.id AS id, d.starts_at AS starts_at, d.ends_at AS ends_at FROM duty_shifts d"
        " WHERE d.starts_at > '2026-08-17T10:30:00' AND d.starts_at < '2026-09-01'"
        " AND d.most_places > (SELECT count(*) FROM shift_places p WHERE p.duty_shift_id = d.id"
        " AND p.status IN ('taken', 'offered', 'served'))"
        " AND NOT EXISTS (SELECT 1 FROM shift_places p WHERE p.duty_shift_id = d.id AND p.member_id = 1"
        " AND p.status IN ('taken', 'offered', 'served'))"
        " AND NOT EXISTS (SELECT 1 FROM duty_shift_skills s WHERE s.duty_shift_id = d.id AND NOT EXISTS ("
        " SELECT 1 FROM qualifications q WHERE q.member_id = 1 AND q.skill_id = s.skill_id"
        " AND q.last_day >= substr(d.starts_at, 1, 10)))"
        " ORDER BY d.starts_at"
    )
    total = 0
    for h in held:
        if h["starts_at"][:7] == "2026-08":
            span = datetime.fromisoformat(h["ends_at"]) - datetime.fromisoformat(h["starts_at"])
            total += int(span.total_seconds() // 60)
    before = total
    chosen = []
    for c in candidates:
        if total >= 2400:
            break
        start, end = datetime.fromisoformat(c["starts_at"]), datetime.fromisoformat(c["ends_at"])
        rest = timedelta(hours=10)
        if all(
            start - datetime.fromisoformat(h["ends_at"]) >= rest or datetime.fromisoformat(h["starts_at"]) - end >= rest
            for h in held
        ):
            chosen.append(c)
            held.append(c)
            total += int((end - start).total_seconds() // 60)
    return world.report.says("new_shift_days", [c["starts_at"][:10] for c in chosen])


def goal_holds_the_new_places(world) -> bool:
    """The user has one new taken place on each of the earliest shifts allowed that bring 40 hours."""
    held = world.initial.query(
        "SELECT d.starts_at AS starts_at, d.ends_at AS ends_at FROM shift_places p"
        " JOIN duty_shifts d ON d.id = p.duty_shift_id"
        " WHERE p.member_id = 1 AND p.status IN ('taken', 'offered', 'served')"
    )
    candidates = world.initial.query(
        "SELECT d.id AS id, d.starts_at AS starts_at, d.ends_at AS ends_at FROM duty_shifts d"
        " WHERE d.starts_at > '2026-08-17T10:30:00' AND d.starts_at < '2026-09-01'"
        " AND d.most_places > (SELECT count(*) FROM shift_places p WHERE p.duty_shift_id = d.id"
        " AND p.status IN ('taken', 'offered', 'served'))"
        " AND NOT EXISTS (SELECT 1 FROM shift_places p WHERE p.duty_shift_id = d.id AND p.member_id = 1"
        " AND p.status IN ('taken', 'offered', 'served'))"
        " AND NOT EXISTS (SELECT 1 FROM duty_shift_skills s WHERE s.duty_shift_id = d.id AND NOT EXISTS ("
        " SELECT 1 FROM qualifications q WHERE q.member_id = 1 AND q.skill_id = s.skill_id"
        " AND q.last_day >= substr(d.starts_at, 1, 10)))"
        " ORDER BY d.starts_at"
    )
    total = 0
    for h in held:
        if h["starts_at"][:7] == "2026-08":
            span = datetime.fromisoformat(h["ends_at"]) - datetime.fromisoformat(h["starts_at"])
            total += int(span.total_seconds() // 60)
    before = total
    chosen = []
    for c in candidates:
        if total >= 2400:
            break
        start, end = datetime.fromisoformat(c["starts_at"]), datetime.fromisoformat(c["ends_at"])
        rest = timedelta(hours=10)
        if all(
            start - datetime.fromisoformat(h["ends_at"]) >= rest or datetime.fromisoformat(h["starts_at"]) - end >= rest
            for h in held
        ):
            chosen.append(c)
            held.append(c)
            total += int((end - start).total_seconds() // 60)
    for c in chosen:
        rows = world.final.query(
            "SELECT * FROM shift_places WHERE duty_shift_id = ? AND member_id = 1 AND status = 'taken'", (c["id"],)
        )
        if len(rows) != 1:
            return False
        row = rows[0]
        if row["taken_at"][:10] != "2026-08-17" or row["handed_over_at"] is not None or row["given_up_at"] is not None:
            return False
    return len(chosen) > 0


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_the_new_places(world) -> bool:
    """Changed nothing but one new place of the user on each of these shifts."""
    held = world.initial.query(
        "SELECT d.starts_at AS starts_at, d.ends_at AS ends_at FROM shift_places p"
        " JOIN duty_shifts d ON d.id = p.duty_shift_id"
        " WHERE p.member_id = 1 AND p.status IN ('taken', 'offered', 'served')"
    )
    candidates = world.initial.query(
        "SELECT d.id AS id, d.starts_at AS starts_at, d.ends_at AS ends_at FROM duty_shifts d"
        " WHERE d.starts_at > '2026-08-17T10:30:00' AND d.starts_at < '2026-09-01'"
        " AND d.most_places > (SELECT count(*) FROM shift_places p WHERE p.duty_shift_id = d.id"
        " AND p.status IN ('taken', 'offered', 'served'))"
        " AND NOT EXISTS (SELECT 1 FROM shift_places p WHERE p.duty_shift_id = d.id AND p.member_id = 1"
        " AND p.status IN ('taken', 'offered', 'served'))"
        " AND NOT EXISTS (SELECT 1 FROM duty_shift_skills s WHERE s.duty_shift_id = d.id AND NOT EXISTS ("
        " SELECT 1 FROM qualifications q WHERE q.member_id = 1 AND q.skill_id = s.skill_id"
        " AND q.last_day >= substr(d.starts_at, 1, 10)))"
        " ORDER BY d.starts_at"
    )
    total = 0
    for h in held:
        if h["starts_at"][:7] == "2026-08":
            span = datetime.fromisoformat(h["ends_at"]) - datetime.fromisoformat(h["starts_at"])
            total += int(span.total_seconds() // 60)
    before = total
    chosen = []
    for c in candidates:
        if total >= 2400:
            break
        start, end = datetime.fromisoformat(c["starts_at"]), datetime.fromisoformat(c["ends_at"])
        rest = timedelta(hours=10)
        if all(
            start - datetime.fromisoformat(h["ends_at"]) >= rest or datetime.fromisoformat(h["starts_at"]) - end >= rest
            for h in held
        ):
            chosen.append(c)
            held.append(c)
            total += int((end - start).total_seconds() // 60)
    open_shifts = [c["id"] for c in chosen]
    for change in world.changes:
        if change["table"] != "shift_places" or change["before"] is not None or change["after"] is None:
            return False
        if change["after"]["member_id"] != 1 or change["after"]["duty_shift_id"] not in open_shifts:
            return False
        open_shifts.remove(change["after"]["duty_shift_id"])
    return True

def goal_says_the_missing_sign_offs(world) -> bool:
    """Has told how many granted sign-offs are missing to be a full member."""
    row = world.initial.one(
        "SELECT max(0, 3 - count(*)) AS missing FROM method_sign_offs WHERE ringer_id = 1 AND status = 'granted'", [])
    return bool(world.report.says("missing_sign_offs", row["missing"]))


def goal_says_the_granted_methods(world) -> bool:
    """Has told which methods are granted."""
    rows = world.initial.query(
        "SELECT m.name FROM method_sign_offs o JOIN methods m ON m.id = o.method_id"
        " WHERE o.ringer_id = 1 AND o.status = 'granted' ORDER BY o.requested_at",
        [],
    )
    return bool(world.report.says("granted_methods", [row["name"] for row in rows]))


def goal_says_whether_a_request_is_waiting(world) -> bool:
    """Has told whether a request is still undecided."""
    row = world.initial.one(
        "SELECT count(*) AS n FROM method_sign_offs WHERE ringer_id = 1 AND status = 'requested'", [])
    return bool(world.report.says("request_waiting", row["n"] > 0))


def goal_says_the_rung_practices_of_plain_hunt(world) -> bool:
    """Has told how many practices of Plain Hunt are marked as rung, or nothing if it is granted or waiting."""
    row = world.initial.one(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM method_sign_offs o WHERE o.ringer_id = 1 AND o.method_id = m.id"
        " AND o.status IN ('granted', 'requested')) THEN NULL ELSE (SELECT count(*) FROM session_places p"
        " JOIN ringing_sessions s ON s.id = p.ringing_session_id WHERE p.ringer_id = 1 AND p.status = 'rung'"
        " AND s.kind = 'practice' AND s.method_id = m.id) END AS expected FROM methods m WHERE m.name = ?",
        ["Plain Hunt"],
    )
    return world.report.outcome is not None and bool(world.report.says("rung_plain_hunt", row["expected"]))


def goal_says_the_rung_practices_of_grandsire_doubles(world) -> bool:
    """Has told how many practices of Grandsire Doubles are marked as rung, or nothing if it is granted or waiting."""
    row = world.initial.one(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM method_sign_offs o WHERE o.ringer_id = 1 AND o.method_id = m.id"
        " AND o.status IN ('granted', 'requested')) THEN NULL ELSE (SELECT count(*) FROM session_places p"
        " JOIN ringing_sessions s ON s.id = p.ringing_session_id WHERE p.ringer_id = 1 AND p.status = 'rung'"
        " AND s.kind = 'practice' AND s.method_id = m.id) END AS expected FROM methods m WHERE m.name = ?",
        ["Grandsire Doubles"],
    )
    return world.report.outcome is not None and bool(world.report.says("rung_grandsire_doubles", row["expected"]))


def goal_says_the_rung_practices_of_stedman_doubles(world) -> bool:
    """Has told how many practices of Stedman Doubles are marked as rung, or nothing if it is granted or waiting."""
    row = world.initial.one(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM method_sign_offs o WHERE o.ringer_id = 1 AND o.method_id = m.id"
        " AND o.status IN ('granted', 'requested')) THEN NULL ELSE (SELECT count(*) FROM session_places p"
        " JOIN ringing_sessions s ON s.id = p.ringing_session_id WHERE p.ringer_id = 1 AND p.status = 'rung'"
        " AND s.kind = 'practice' AND s.method_id = m.id) END AS expected FROM methods m WHERE m.name = ?",
        ["Stedman Doubles"],
    )
    return world.report.outcome is not None and bool(world.report.says("rung_stedman_doubles", row["expected"]))


def goal_says_the_rung_practices_of_plain_bob_minor(world) -> bool:
    """Has told how many practices of Plain Bob Minor are marked as rung, or nothing if it is granted or waiting."""
    row = world.initial.one(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM method_sign_offs o WHERE o.ringer_id = 1 AND o.method_id = m.id"
        " AND o.status IN ('granted', 'requested')) THEN NULL ELSE (SELECT count(*) FROM session_places p"
        " JOIN ringing_sessions s ON s.id = p.ringing_session_id WHERE p.ringer_id = 1 AND p.status = 'rung'"
        " AND s.kind = 'practice' AND s.method_id = m.id) END AS expected FROM methods m WHERE m.name = ?",
        ["Plain Bob Minor"],
    )
    return world.report.outcome is not None and bool(world.report.says("rung_plain_bob_minor", row["expected"]))


def goal_says_the_rung_practices_of_st_clements_college_bob_minor(world) -> bool:
    """Has told how many practices of St Clement's College Bob Minor are marked as rung, or nothing if it is granted or waiting."""
    row = world.initial.one(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM method_sign_offs o WHERE o.ringer_id = 1 AND o.method_id = m.id"
        " AND o.status IN ('granted', 'requested')) THEN NULL ELSE (SELECT count(*) FROM session_places p"
        " JOIN ringing_sessions s ON s.id = p.ringing_session_id WHERE p.ringer_id = 1 AND p.status = 'rung'"
        " AND s.kind = 'practice' AND s.method_id = m.id) END AS expected FROM methods m WHERE m.name = ?",
        ["St Clement's College Bob Minor"],
    )
    return world.report.outcome is not None and bool(world.report.says("rung_st_clements_college_bob_minor", row["expected"]))


def goal_says_the_rung_practices_of_cambridge_surprise_minor(world) -> bool:
    """Has told how many practices of Cambridge Surprise Minor are marked as rung, or nothing if it is granted or waiting."""
    row = world.initial.one(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM method_sign_offs o WHERE o.ringer_id = 1 AND o.method_id = m.id"
        " AND o.status IN ('granted', 'requested')) THEN NULL ELSE (SELECT count(*) FROM session_places p"
        " JOIN ringing_sessions s ON s.id = p.ringing_session_id WHERE p.ringer_id = 1 AND p.status = 'rung'"
        " AND s.kind = 'practice' AND s.method_id = m.id) END AS expected FROM methods m WHERE m.name = ?",
        ["Cambridge Surprise Minor"],
    )
    return world.report.outcome is not None and bool(world.report.says("rung_cambridge_surprise_minor", row["expected"]))


def goal_says_the_closest_method(world) -> bool:
    """Has told which method, neither granted nor waiting, has the most practices marked as rung."""
    row = world.initial.one(
        "SELECT m.name FROM methods m WHERE NOT EXISTS (SELECT 1 FROM method_sign_offs o WHERE o.ringer_id = 1"
        " AND o.method_id = m.id AND o.status IN ('granted', 'requested'))"
        " ORDER BY (SELECT count(*) FROM session_places p JOIN ringing_sessions s ON s.id = p.ringing_session_id"
        " WHERE p.ringer_id = 1 AND p.status = 'rung' AND s.kind = 'practice' AND s.method_id = m.id) DESC LIMIT 1",
        [],
    )
    return bool(world.report.says("closest_method", row["name"]))


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and names no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None

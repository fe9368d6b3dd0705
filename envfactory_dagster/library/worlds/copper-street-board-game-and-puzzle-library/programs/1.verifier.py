def goal_says_evenings_hosted(world) -> bool:
    """Says how many evenings the user has hosted since 1 January 2026."""
    hosted = world.initial.one(
        "SELECT count(*) AS n FROM hosting_turns h JOIN club_evenings e ON e.id = h.club_evening_id"
        " WHERE h.member_id = 1 AND h.status = 'carried_out' AND e.starts_at >= '2026-01-01'"
    )["n"]
    return world.report.says("evenings_hosted", hosted)


def goal_says_copies_returned_short(world) -> bool:
    """Says how many copies the user brought back with a piece missing since 1 January 2026."""
    short = world.initial.one(
        "SELECT count(*) AS n FROM loans WHERE member_id = 1 AND status = 'returned'"
        " AND returned_short = 1 AND returned_at >= '2026-01-01'"
    )["n"]
    return world.report.says("copies_returned_short", short)


def goal_says_charge_paid_for(world) -> bool:
    """Says for which title the charge was paid, or nothing when none was to be paid."""
    hosted = world.initial.one(
        "SELECT count(*) AS n FROM hosting_turns h JOIN club_evenings e ON e.id = h.club_evening_id"
        " WHERE h.member_id = 1 AND h.status = 'carried_out' AND e.starts_at >= '2026-01-01'"
    )["n"]
    short = world.initial.one(
        "SELECT count(*) AS n FROM loans WHERE member_id = 1 AND status = 'returned'"
        " AND returned_short = 1 AND returned_at >= '2026-01-01'"
    )["n"]
    charge = world.initial.one(
        "SELECT c.id, c.amount_cents, t.name FROM replacement_charges c"
        " JOIN piece_reports r ON r.id = c.piece_report_id JOIN copies k ON k.id = r.copy_id"
        " JOIN titles t ON t.id = k.title_id"
        " WHERE c.member_id = 1 AND c.status = 'unpaid' ORDER BY c.amount_cents DESC LIMIT 1"
    )
    due = charge["name"] if hosted > short else None
    return world.report.outcome is not None and world.report.says("charge_paid_for", due)


def goal_says_amount_paid(world) -> bool:
    """Says how much was paid, or nothing when no charge was to be paid."""
    hosted = world.initial.one(
        "SELECT count(*) AS n FROM hosting_turns h JOIN club_evenings e ON e.id = h.club_evening_id"
        " WHERE h.member_id = 1 AND h.status = 'carried_out' AND e.starts_at >= '2026-01-01'"
    )["n"]
    short = world.initial.one(
        "SELECT count(*) AS n FROM loans WHERE member_id = 1 AND status = 'returned'"
        " AND returned_short = 1 AND returned_at >= '2026-01-01'"
    )["n"]
    charge = world.initial.one(
        "SELECT c.id, c.amount_cents, t.name FROM replacement_charges c"
        " JOIN piece_reports r ON r.id = c.piece_report_id JOIN copies k ON k.id = r.copy_id"
        " JOIN titles t ON t.id = k.title_id"
        " WHERE c.member_id = 1 AND c.status = 'unpaid' ORDER BY c.amount_cents DESC LIMIT 1"
    )
    due = charge["amount_cents"] if hosted > short else None
    return world.report.outcome is not None and world.report.says("amount_paid", due)


def goal_says_evening_to_host(world) -> bool:
    """Says which evening the user will host, or nothing when a charge was to be paid instead."""
    hosted = world.initial.one(
        "SELECT count(*) AS n FROM hosting_turns h JOIN club_evenings e ON e.id = h.club_evening_id"
        " WHERE h.member_id = 1 AND h.status = 'carried_out' AND e.starts_at >= '2026-01-01'"
    )["n"]
    short = world.initial.one(
        "SELECT count(*) AS n FROM loans WHERE member_id = 1 AND status = 'returned'"
        " AND returned_short = 1 AND returned_at >= '2026-01-01'"
    )["n"]
    evening = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day FROM club_evenings e"
        " WHERE e.status = 'planned' AND e.starts_at >= '2026-04-14' AND NOT EXISTS"
        " (SELECT 1 FROM hosting_turns h WHERE h.club_evening_id = e.id AND h.status <> 'given_back')"
        " ORDER BY e.starts_at LIMIT 1"
    )
    due = None if hosted > short else evening["day"]
    return world.report.outcome is not None and world.report.says("evening_to_host", due)


def goal_does_what_the_counts_decide(world) -> bool:
    """The dearest unpaid charge is paid when more evenings were hosted, otherwise the user hosts the next free one."""
    hosted = world.initial.one(
        "SELECT count(*) AS n FROM hosting_turns h JOIN club_evenings e ON e.id = h.club_evening_id"
        " WHERE h.member_id = 1 AND h.status = 'carried_out' AND e.starts_at >= '2026-01-01'"
    )["n"]
    short = world.initial.one(
        "SELECT count(*) AS n FROM loans WHERE member_id = 1 AND status = 'returned'"
        " AND returned_short = 1 AND returned_at >= '2026-01-01'"
    )["n"]
    charge = world.initial.one(
        "SELECT c.id, c.amount_cents, t.name FROM replacement_charges c"
        " JOIN piece_reports r ON r.id = c.piece_report_id JOIN copies k ON k.id = r.copy_id"
        " JOIN titles t ON t.id = k.title_id"
        " WHERE c.member_id = 1 AND c.status = 'unpaid' ORDER BY c.amount_cents DESC LIMIT 1"
    )
    evening = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day FROM club_evenings e"
        " WHERE e.status = 'planned' AND e.starts_at >= '2026-04-14' AND NOT EXISTS"
        " (SELECT 1 FROM hosting_turns h WHERE h.club_evening_id = e.id AND h.status <> 'given_back')"
        " ORDER BY e.starts_at LIMIT 1"
    )
    if hosted > short:
        row = world.final.one("SELECT status FROM replacement_charges WHERE id = ?", (charge["id"],))
        return row is not None and row["status"] == "paid"
    row = world.final.one(
        "SELECT count(*) AS n FROM hosting_turns"
        " WHERE club_evening_id = ? AND member_id = 1 AND status = 'signed_up'",
        (evening["id"],),
    )
    return row["n"] == 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the payment of the dearest unpaid charge, or the one new hosting turn in the other case."""
    hosted = world.initial.one(
        "SELECT count(*) AS n FROM hosting_turns h JOIN club_evenings e ON e.id = h.club_evening_id"
        " WHERE h.member_id = 1 AND h.status = 'carried_out' AND e.starts_at >= '2026-01-01'"
    )["n"]
    short = world.initial.one(
        "SELECT count(*) AS n FROM loans WHERE member_id = 1 AND status = 'returned'"
        " AND returned_short = 1 AND returned_at >= '2026-01-01'"
    )["n"]
    charge = world.initial.one(
        "SELECT c.id, c.amount_cents, t.name FROM replacement_charges c"
        " JOIN piece_reports r ON r.id = c.piece_report_id JOIN copies k ON k.id = r.copy_id"
        " JOIN titles t ON t.id = k.title_id"
        " WHERE c.member_id = 1 AND c.status = 'unpaid' ORDER BY c.amount_cents DESC LIMIT 1"
    )
    evening = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day FROM club_evenings e"
        " WHERE e.status = 'planned' AND e.starts_at >= '2026-04-14' AND NOT EXISTS"
        " (SELECT 1 FROM hosting_turns h WHERE h.club_evening_id = e.id AND h.status <> 'given_back')"
        " ORDER BY e.starts_at LIMIT 1"
    )
    if len(world.changes) > 1:
        return False
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if hosted > short:
            if change["table"] != "replacement_charges" or before is None or after["id"] != charge["id"]:
                return False
            if after["status"] != "paid" or after["paid_at"] is None:
                return False
            if any(before[c] != after[c] for c in before if c not in ("status", "paid_at")):
                return False
        else:
            if change["table"] != "hosting_turns" or before is not None:
                return False
            if after["member_id"] != 1 or after["club_evening_id"] != evening["id"] or after["status"] != "signed_up":
                return False
    return True

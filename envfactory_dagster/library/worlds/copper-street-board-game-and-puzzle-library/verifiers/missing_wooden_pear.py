import re


def goal_the_missing_pear_is_reported(world) -> bool:
    """Has one open report of one missing wooden pear for the user's borrowed copy of Clockwork Orchard."""
    rows = world.final.query(
        "SELECT p.piece, p.pieces_missing, p.status FROM piece_reports p JOIN loans l ON l.id = p.loan_id"
        " JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE l.member_id = 1 AND l.status = 'out' AND p.copy_id = l.copy_id AND t.name = ?",
        ["Clockwork Orchard"],
    )
    return (
        len(rows) == 1
        and rows[0]["pieces_missing"] == 1
        and rows[0]["status"] == "open"
        and any(world.same_text(rows[0]["piece"], text) for text in ("wooden pear", "one wooden pear", "1 wooden pear"))
    )


def goal_the_new_pear_is_offered(world) -> bool:
    """Has offered, for that report, the new pear of 18 mm turned on the user's lathe."""
    rows = world.final.query(
        "SELECT s.description, s.status FROM spare_parts s JOIN piece_reports p ON p.id = s.piece_report_id"
        " JOIN loans l ON l.id = p.loan_id JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE s.member_id = 1 AND l.member_id = 1 AND l.status = 'out' AND p.copy_id = l.copy_id AND t.name = ?",
        ["Clockwork Orchard"],
    )
    if len(rows) != 1 or rows[0]["status"] != "offered":
        return False
    words = re.findall(r"[a-z]+|[0-9]+", rows[0]["description"].lower())
    words = ["mm" if word in ("millimetre", "millimetres", "millimeter", "millimeters") else word for word in words]
    needed = {"pear", "lathe", "18", "mm"}
    # other wordings of the same description are as good, other facts are not
    allowed = needed | {
        "a", "an", "the", "one", "i", "my", "own", "is", "it", "of", "on", "in", "with", "by", "and", "for", "as",
        "new", "newly", "wooden", "wood", "turned", "made", "high", "tall", "height", "piece", "spare", "part",
        "replacement", "handmade", "homemade", "hand", "home", "self", "member", "s",
    }
    return needed <= set(words) and set(words) <= allowed


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and names no rule as a reason."""
    return world.report.outcome in (None, "done") and not world.report.reason


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new report and one new spare part of the user, and the state of the borrowed copy."""
    loan = world.initial.one(
        "SELECT l.id, l.copy_id FROM loans l JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE l.member_id = 1 AND l.status = 'out' AND t.name = ?",
        ["Clockwork Orchard"],
    )
    seen = {"piece_reports": 0, "spare_parts": 0, "copies": 0}
    new_reports = [
        change["after"]["id"]
        for change in world.changes
        if change["table"] == "piece_reports" and change["before"] is None and change["after"] is not None
    ]
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if table not in seen or after is None:
            return False
        seen[table] += 1
        if table == "copies":
            if before is None or before["id"] != loan["copy_id"] or after["status"] != "table_only":
                return False
            if any(before[name] != after[name] for name in before if name != "status"):
                return False
        elif before is not None:
            return False
        elif table == "piece_reports":
            if after["loan_id"] != loan["id"] or after["copy_id"] != loan["copy_id"]:
                return False
        elif after["member_id"] != 1 or after["piece_report_id"] not in new_reports:
            return False
    return all(number <= 1 for number in seen.values())

import re


def goal_reports_the_missing_pear(world) -> bool:
    """One open report of one wooden pear for the user's loan of Clockwork Orchard that is out, on its copy."""
    row = world.final.one(
        "SELECT count(*) AS n FROM piece_reports r JOIN loans l ON l.id = r.loan_id AND l.copy_id = r.copy_id"
        " JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE l.member_id = 1 AND l.status = 'out' AND t.name = ? AND r.status = 'open' AND r.pieces_missing = 1"
        " AND (same_text(r.piece, ?) OR same_text(r.piece, ?))",
        ["Clockwork Orchard", "wooden pear", "one wooden pear"],
    )
    return row["n"] == 1


def goal_offers_the_new_pear(world) -> bool:
    """One spare part of the user, the new lathe-turned pear 18 mm high, is offered for the open report on that loan."""
    rows = world.final.query(
        "SELECT s.description FROM spare_parts s JOIN piece_reports r ON r.id = s.piece_report_id"
        " JOIN loans l ON l.id = r.loan_id JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE s.member_id = 1 AND s.status = 'offered' AND r.status = 'open'"
        " AND l.member_id = 1 AND l.status = 'out' AND t.name = ?",
        ["Clockwork Orchard"],
    )
    if len(rows) != 1:
        return False
    # The task describes the part without dictating a wording: all it says has to be there, and nothing else.
    words = re.findall(r"[^\W\d_]+|\d+", rows[0]["description"].lower())
    allowed = {
        "a", "an", "the", "one", "i", "my", "own", "new", "newly", "wooden", "wood", "spare", "replacement", "pear",
        "piece", "part", "turned", "made", "on", "at", "by", "from", "of", "with", "home", "hand", "lathe", "18", "mm",
        "millimetre", "millimetres", "millimeter", "millimeters", "high", "tall", "height", "in", "and", "it", "is",
        "which", "that", "for", "clockwork", "orchard", "member", "user", "s",
    }
    units = {"mm", "millimetre", "millimetres", "millimeter", "millimeters"}
    return (
        set(words) <= allowed
        and "pear" in words
        and ("lathe" in words or "turned" in words)
        and any(words[i] == "18" and words[i + 1] in units for i in range(len(words) - 1))
    )


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new report for that loan, one new spare part for a report on it, and the copy's status."""
    loan = world.initial.one(
        "SELECT l.id, l.copy_id FROM loans l JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE l.member_id = 1 AND l.status = 'out' AND t.name = ?",
        ["Clockwork Orchard"],
    )
    reports = {r["id"] for r in world.final.query("SELECT id FROM piece_reports WHERE loan_id = ?", [loan["id"]])}
    tables = [change["table"] for change in world.changes]
    if len(tables) != len(set(tables)) or ("copies" in tables) != ("piece_reports" in tables):
        return False
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "piece_reports":
            right = (
                before is None
                and after["loan_id"] == loan["id"]
                and after["copy_id"] == loan["copy_id"]
                and after["status"] == "open"
            )
        elif change["table"] == "spare_parts":
            right = (
                before is None
                and after["member_id"] == 1
                and after["piece_report_id"] in reports
                and after["status"] == "offered"
            )
        elif change["table"] == "copies":
            right = (
                before is not None and before["id"] == loan["copy_id"] and after == {**before, "status": "table_only"}
            )
        else:
            right = False
        if not right:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None

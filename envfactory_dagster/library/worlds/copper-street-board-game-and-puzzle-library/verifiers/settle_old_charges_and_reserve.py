def goal_paid_the_old_charges(world) -> bool:
    """Every charge of the user that was unpaid, for a piece reported before 1 October 2026, is paid."""
    due = world.initial.query(
        "SELECT c.id FROM replacement_charges c JOIN piece_reports r ON r.id = c.piece_report_id"
        " WHERE c.member_id = 1 AND c.status = 'unpaid' AND r.reported_at < ?",
        ["2026-10-01T00:00:00"],
    )
    return len(due) > 0 and all(
        world.final.one("SELECT status FROM replacement_charges WHERE id = ?", [charge["id"]])["status"] == "paid"
        for charge in due
    )


def goal_reserved_the_title_with_fewer_waiting(world) -> bool:
    """The user has one waiting hold, on the one of the two titles for which fewer people were waiting."""
    titles = world.initial.query(
        "SELECT t.id, (SELECT count(*) FROM holds h WHERE h.title_id = t.id AND h.status = 'waiting') AS waiting"
        " FROM titles t WHERE t.name IN (?, ?)",
        ["Tin Lantern", "The Glass Canal"],
    )
    fewest = min(title["waiting"] for title in titles)
    held = [
        (title, world.final.one(
            "SELECT count(*) AS n FROM holds WHERE member_id = 1 AND title_id = ? AND status = 'waiting'", [title["id"]]
        )["n"])
        for title in titles
    ]
    return sum(n for _, n in held) == 1 and all(title["waiting"] == fewest for title, n in held if n)


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but the old charges, now paid, and one new hold of the user on the title with fewer waiting."""
    due = {
        row["id"]
        for row in world.initial.query(
            "SELECT c.id FROM replacement_charges c JOIN piece_reports r ON r.id = c.piece_report_id"
            " WHERE c.member_id = 1 AND c.status = 'unpaid' AND r.reported_at < ?",
            ["2026-10-01T00:00:00"],
        )
    }
    titles = world.initial.query(
        "SELECT t.id, (SELECT count(*) FROM holds h WHERE h.title_id = t.id AND h.status = 'waiting') AS waiting"
        " FROM titles t WHERE t.name IN (?, ?)",
        ["Tin Lantern", "The Glass Canal"],
    )
    fewest = min(title["waiting"] for title in titles)
    allowed = {title["id"] for title in titles if title["waiting"] == fewest}
    new_holds = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "replacement_charges":
            if before is None or before["id"] not in due:
                return False
            if after != {**before, "status": "paid", "paid_at": after["paid_at"]}:
                return False
        elif change["table"] == "holds":
            new_holds += 1
            if before is not None or after["member_id"] != 1:
                return False
            if after["title_id"] not in allowed or after["status"] != "waiting":
                return False
        else:
            return False
    return new_holds <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None

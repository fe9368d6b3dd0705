UNDELIVERED = (
    "SELECT r.id, r.format, c.surname, r.language FROM reports r JOIN commissions c ON c.id = r.commission_id"
    " WHERE c.client_id = ? AND r.status = 'ordered'"
)


def goal_lindqvist_report_is_in_english(world) -> bool:
    """The undelivered report on the Lindqvist search is in English and still on order."""
    mine = world.initial.query(UNDELIVERED, [1])
    wanted = next(r for r in mine if r["surname"] == "Lindqvist" and r["language"] == "Swedish")
    row = world.final.one(
        "SELECT count(*) AS n FROM reports WHERE id = ? AND language = 'English' AND format = ? AND status = 'ordered'",
        [wanted["id"], wanted["format"]],
    )
    return row["n"] == 1


def goal_other_undelivered_reports_are_cancelled(world) -> bool:
    """Every other report of the client that was undelivered is cancelled."""
    others = [
        r for r in world.initial.query(UNDELIVERED, [1]) if (r["surname"], r["language"]) != ("Lindqvist", "Swedish")
    ]
    return all(
        world.final.one("SELECT status FROM reports WHERE id = ?", [r["id"]]) == {"status": "cancelled"} for r in others
    )


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the language of the one report and the state of the client's other undelivered ones."""
    allowed = {
        r["id"]: {"language"} if (r["surname"], r["language"]) == ("Lindqvist", "Swedish") else {"status", "cancelled_at"}
        for r in world.initial.query(UNDELIVERED, [1])
    }
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "reports" or before is None or after is None or before["id"] not in allowed:
            return False
        if not {c for c in after if after[c] != before[c]} <= allowed[before["id"]]:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, without a rule that forbids it."""
    return world.report.outcome in (None, "done") and world.report.reason is None

ASKED = (
    "SELECT b.id, b.fee_cents, b.super_count, m.name, m.village, d.held_on FROM bookings b"
    " JOIN half_days d ON d.id = b.half_day_id JOIN members m ON m.id = b.member_id"
    " WHERE b.mentor_id = 1 AND b.status = 'awaiting_mentor' AND d.held_on IN ('2025-06-21', '2025-06-27')"
    " ORDER BY b.super_count, d.held_on"
)


def _only(change, columns):
    """Whether a changed row differs in these columns alone."""
    before, after = change["before"], change["after"]
    return all(before[name] == after[name] for name in before if name not in columns)


def _new(world, table):
    """The rows that are new in a table."""
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_accepts_the_one_with_fewer_supers(world) -> bool:
    """The newcomer with fewer supers is accepted and has a confirmed booking."""
    chosen = world.initial.query(ASKED, [])[0]
    row = world.final.one("SELECT status, mentor_answer FROM bookings WHERE id = ?", [chosen["id"]])
    return row["status"] == "confirmed" and row["mentor_answer"] == "accept"


def goal_declines_the_other_one(world) -> bool:
    """The other newcomer is declined, and the booking has lapsed with its full fee to be refunded."""
    other = world.initial.query(ASKED, [])[1]
    row = world.final.one("SELECT status, mentor_answer, refund_cents FROM bookings WHERE id = ?", [other["id"]])
    return row["status"] == "lapsed" and row["mentor_answer"] == "decline" and row["refund_cents"] == other["fee_cents"]


def goal_says_who_is_accepted(world) -> bool:
    """Has told the name of the newcomer who is accepted."""
    return world.report.says("accepted_name", world.initial.query(ASKED, [])[0]["name"])


def goal_says_the_village(world) -> bool:
    """Has told which village that newcomer comes from."""
    return world.report.says("village", world.initial.query(ASKED, [])[0]["village"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_only_the_two_answers(world) -> bool:
    """Changed no row but the two bookings that were asked about, and of them only what the right answer fills in."""
    chosen, other = world.initial.query(ASKED, [])
    for change in world.changes:
        if change["table"] != "bookings" or change["before"] is None or change["after"] is None:
            return False
        if change["before"]["id"] == chosen["id"]:
            wanted, columns = "accept", ("status", "mentor_answer", "answered_at")
        elif change["before"]["id"] == other["id"]:
            wanted, columns = "decline", ("status", "mentor_answer", "answered_at", "lapsed_at", "refund_cents")
        else:
            return False
        if change["after"]["mentor_answer"] != wanted or not _only(change, columns):
            return False
    return True

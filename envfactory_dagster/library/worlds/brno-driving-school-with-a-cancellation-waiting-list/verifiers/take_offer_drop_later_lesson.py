def _offer(world):
    """The open offer for the lesson of 14 November at 10:00."""
    return world.initial.one(
        "SELECT o.id, o.waiting_list_entry_id, l.instructor_id, l.car_id, l.kind, l.starts_at FROM lesson_offers o"
        " JOIN driving_lessons l ON l.id = o.freed_driving_lesson_id WHERE o.pupil_id = 1 AND o.status = 'open'"
        " AND l.starts_at = ?", ["2025-11-14T10:00:00"]
    )


def _pack(world):
    return world.initial.one(
        "SELECT id FROM course_packages WHERE pupil_id = 1 AND status = 'active' AND kind = 'five_top_up_lessons'"
    )["id"]


def _later(world):
    return world.initial.one(
        "SELECT id FROM driving_lessons WHERE pupil_id = 1 AND status = 'booked' AND starts_at = ?", ["2025-11-19T13:00:00"]
    )["id"]


def goal_offer_is_accepted(world) -> bool:
    """The offer is accepted and its waiting list entry filled."""
    offer = _offer(world)
    accepted = world.final.one("SELECT status FROM lesson_offers WHERE id = ?", [offer["id"]])["status"] == "accepted"
    entry = world.final.one("SELECT status FROM waiting_list_entries WHERE id = ?", [offer["waiting_list_entry_id"]])
    return accepted and entry["status"] == "filled"


def goal_offered_lesson_is_booked_on_the_pack(world) -> bool:
    """Has the offered lesson booked exactly once, on the pack of five."""
    offer = _offer(world)
    row = world.final.one(
        "SELECT COUNT(*) AS n FROM driving_lessons WHERE pupil_id = 1 AND status = 'booked' AND course_package_id = ?"
        " AND instructor_id = ? AND car_id = ? AND kind = ? AND starts_at = ?",
        [_pack(world), offer["instructor_id"], offer["car_id"], offer["kind"], offer["starts_at"]],
    )
    return row["n"] == 1


def goal_later_lesson_is_cancelled(world) -> bool:
    """The lesson of 19 November is cancelled by the pupil."""
    row = world.final.one("SELECT status, ended_by FROM driving_lessons WHERE id = ?", [_later(world)])
    return row["status"] == "cancelled" and row["ended_by"] == "pupil"


def goal_says_how_many_lessons_are_ahead(world) -> bool:
    """Has told how many lessons are booked ahead after that: one more for the offer, one less for the one dropped."""
    row = world.initial.one("SELECT COUNT(*) AS n FROM driving_lessons WHERE pupil_id = 1 AND status = 'booked'")
    return world.report.says("lessons_booked_ahead", row["n"] + 1 - 1)


def guard_changes_nothing_else(world) -> bool:
    """Touched only the offer, its entry, the dropped lesson and one new lesson."""
    offer = _offer(world)
    allowed = {
        "lesson_offers": (offer["id"], ("status", "answered_at")),
        "waiting_list_entries": (offer["waiting_list_entry_id"], ("status",)),
        "driving_lessons": (_later(world), ("status", "ended_by", "cancelled_at")),
    }
    new = 0
    for change in world.changes:
        if change["table"] not in allowed or change["after"] is None:
            return False
        if change["before"] is None:
            new += 1
            if change["table"] != "driving_lessons" or change["after"]["pupil_id"] != 1:
                return False
            continue
        row_id, columns = allowed[change["table"]]
        if change["before"]["id"] != row_id or any(
            change["before"][name] != change["after"][name] and name not in columns for name in change["before"]
        ):
            return False
    return new <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

def goal_says_callout_time(world) -> bool:
    """Says how long the user was out on callouts since 1 December 2025."""
    minutes = world.initial.one(
        "SELECT coalesce(sum((strftime('%s', a.back_at) - strftime('%s', a.sent_out_at)) / 60), 0) AS n"
        " FROM callout_assignments a JOIN callouts c ON c.id = a.callout_id"
        " WHERE a.member_id = 1 AND a.status = 'back' AND c.opened_at >= '2025-12-01'"
    )["n"]
    return world.report.says("callout_time", minutes)


def goal_says_exercise_time(world) -> bool:
    """Says how long the exercises took in which the user took part since 1 December 2025."""
    minutes = world.initial.one(
        "SELECT coalesce(sum((strftime('%s', e.ends_at) - strftime('%s', e.starts_at)) / 60), 0) AS n"
        " FROM exercise_places p JOIN exercises e ON e.id = p.exercise_id"
        " WHERE p.member_id = 1 AND p.status IN ('passed', 'failed') AND e.starts_at >= '2025-12-01'"
    )["n"]
    return world.report.says("exercise_time", minutes)


def goal_says_which_took_longer(world) -> bool:
    """Says that the callouts took longer, or the exercises if those did."""
    callouts = world.initial.one(
        "SELECT coalesce(sum((strftime('%s', a.back_at) - strftime('%s', a.sent_out_at)) / 60), 0) AS n"
        " FROM callout_assignments a JOIN callouts c ON c.id = a.callout_id"
        " WHERE a.member_id = 1 AND a.status = 'back' AND c.opened_at >= '2025-12-01'"
    )["n"]
    exercises = world.initial.one(
        "SELECT coalesce(sum((strftime('%s', e.ends_at) - strftime('%s', e.starts_at)) / 60), 0) AS n"
        " FROM exercise_places p JOIN exercises e ON e.id = p.exercise_id"
        " WHERE p.member_id = 1 AND p.status IN ('passed', 'failed') AND e.starts_at >= '2025-12-01'"
    )["n"]
    return world.report.says("longer", "callouts" if callouts > exercises else "exercises")


def goal_place_is_offered(world) -> bool:
    """The user's place on the night shift of 13 February is offered, as the callouts took longer."""
    callouts = world.initial.one(
        "SELECT coalesce(sum((strftime('%s', a.back_at) - strftime('%s', a.sent_out_at)) / 60), 0) AS n"
        " FROM callout_assignments a JOIN callouts c ON c.id = a.callout_id"
        " WHERE a.member_id = 1 AND a.status = 'back' AND c.opened_at >= '2025-12-01'"
    )["n"]
    exercises = world.initial.one(
        "SELECT coalesce(sum((strftime('%s', e.ends_at) - strftime('%s', e.starts_at)) / 60), 0) AS n"
        " FROM exercise_places p JOIN exercises e ON e.id = p.exercise_id"
        " WHERE p.member_id = 1 AND p.status IN ('passed', 'failed') AND e.starts_at >= '2025-12-01'"
    )["n"]
    place = world.initial.one(
        "SELECT p.* FROM shift_places p JOIN duty_shifts d ON d.id = p.duty_shift_id"
        " WHERE p.member_id = 1 AND p.status = 'taken' AND d.kind = 'night' AND substr(d.starts_at, 1, 10) = '2026-02-13'"
    )
    row = world.final.one("SELECT * FROM shift_places WHERE id = ?", (place["id"],))
    return callouts > exercises and row is not None and row == dict(place, status="offered")


def goal_swap_offer_is_open(world) -> bool:
    """There is one open swap offer of that place, made now and accepted by nobody."""
    place = world.initial.one(
        "SELECT p.* FROM shift_places p JOIN duty_shifts d ON d.id = p.duty_shift_id"
        " WHERE p.member_id = 1 AND p.status = 'taken' AND d.kind = 'night' AND substr(d.starts_at, 1, 10) = '2026-02-13'"
    )
    offers = world.final.query(
        "SELECT * FROM swap_offers WHERE shift_place_id = ? AND status = 'open'", (place["id"],)
    )
    return (
        len(offers) == 1
        and offers[0]["offered_at"][:10] == "2026-02-05"
        and offers[0]["accepted_by_member_id"] is None
        and offers[0]["closed_at"] is None
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_that_place_and_its_offer(world) -> bool:
    """Changed nothing but the state of that shift place and one new swap offer of it."""
    place = world.initial.one(
        "SELECT p.* FROM shift_places p JOIN duty_shifts d ON d.id = p.duty_shift_id"
        " WHERE p.member_id = 1 AND p.status = 'taken' AND d.kind = 'night' AND substr(d.starts_at, 1, 10) = '2026-02-13'"
    )
    new_offers = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] == "swap_offers" and before is None and after is not None:
            if after["shift_place_id"] != place["id"]:
                return False
            new_offers += 1
        elif change["table"] == "shift_places" and before is not None and after is not None:
            if before["id"] != place["id"]:
                return False
            if any(before[column] != after[column] for column in before if column != "status"):
                return False
        else:
            return False
    return new_offers <= 1

def _offer(world):
    """Lena Brandvik's open offer of the day shift on 29 August at the start."""
    return world.initial.one(
        "SELECT o.id, o.shift_place_id, p.duty_shift_id FROM swap_offers o JOIN shift_places p ON p.id = o.shift_place_id"
        " JOIN members m ON m.id = p.member_id JOIN duty_shifts d ON d.id = p.duty_shift_id"
        " WHERE m.name = ? AND o.status = 'open' AND d.kind = 'day' AND substr(d.starts_at, 1, 10) = ?",
        ["Lena Brandvik", "2026-08-29"],
    )


def _night_place(world):
    """The user's place on the night shift on 19 August at the start."""
    return world.initial.one(
        "SELECT p.id FROM shift_places p JOIN duty_shifts d ON d.id = p.duty_shift_id"
        " WHERE p.member_id = 1 AND p.status IN ('taken', 'offered') AND d.kind = 'night'"
        " AND substr(d.starts_at, 1, 10) = ?",
        ["2026-08-19"],
    )["id"]


def _columns(change):
    return {name for name in change["after"] if change["after"][name] != change["before"][name]}


def goal_has_accepted_the_offer_of_lena_brandvik(world) -> bool:
    """The user has accepted Lena Brandvik's offer and has her place on the day shift on 29 August."""
    offer = _offer(world)
    accepted = world.final.one(
        "SELECT count(*) AS n FROM swap_offers o JOIN shift_places p ON p.id = o.shift_place_id"
        " WHERE o.id = ? AND o.status = 'accepted' AND o.accepted_by_member_id = 1 AND p.status = 'handed_over'",
        [offer["id"]],
    )
    mine = world.final.one(
        "SELECT count(*) AS n FROM shift_places WHERE duty_shift_id = ? AND member_id = 1 AND status = 'taken'",
        [offer["duty_shift_id"]],
    )
    return accepted["n"] == 1 and mine["n"] == 1


def goal_night_shift_is_offered_for_swap(world) -> bool:
    """The user's place on the night shift on 19 August is offered for swap, with one open offer."""
    row = world.final.one(
        "SELECT count(*) AS n FROM swap_offers o JOIN shift_places p ON p.id = o.shift_place_id"
        " WHERE p.id = ? AND p.member_id = 1 AND p.status = 'offered' AND o.status = 'open'",
        [_night_place(world)],
    )
    return row["n"] == 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the accepted offer with its place, the new place, and the night shift's place with one new
    offer."""
    offer = _offer(world)
    night = _night_place(world)
    new_places = new_offers = 0
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        if table == "shift_places" and before is None:
            new_places += 1
            allowed = (
                after["member_id"] == 1
                and after["duty_shift_id"] == offer["duty_shift_id"]
                and after["status"] == "taken"
            )
        elif table == "swap_offers" and before is None:
            new_offers += 1
            allowed = after["shift_place_id"] == night and after["status"] == "open"
        elif table == "shift_places" and before["id"] == offer["shift_place_id"]:
            allowed = after["status"] == "handed_over" and _columns(change) == {"status", "handed_over_at"}
        elif table == "shift_places" and before["id"] == night:
            allowed = after["status"] == "offered" and _columns(change) == {"status"}
        elif table == "swap_offers" and before["id"] == offer["id"]:
            allowed = (
                after["status"] == "accepted"
                and after["accepted_by_member_id"] == 1
                and _columns(change) == {"status", "accepted_by_member_id", "closed_at"}
            )
        else:
            allowed = False
        if not allowed:
            return False
    return new_places <= 1 and new_offers <= 1

def _concession(world, code):
    """The standing Thursday concession on a pitch."""
    return world.initial.one(
        "SELECT c.id AS id, c.trader_id AS trader_id FROM concessions c JOIN pitches p ON p.id = c.pitch_id"
        " WHERE p.code = ? AND c.weekday = 'thursday' AND c.ended_on IS NULL",
        [code],
    )


def goal_swap_with_the_honey_asked_for(world) -> bool:
    """A swap of the user's P22 with Monduzzi's P33, both on Thursday, has been asked for and stands."""
    last = world.initial.one("SELECT coalesce(max(id), 0) AS n FROM swap_requests")["n"]
    row = world.final.one(
        "SELECT count(*) AS n FROM swap_requests WHERE id > ? AND from_concession_id = ? AND with_concession_id = ? AND status = 'asked'",
        [last, _concession(world, "P22")["id"], _concession(world, "P33")["id"]],
    )
    return row["n"] == 1


def guard_asks_for_no_other_swap(world) -> bool:
    """Added at most one swap request, of P22 with P33, and touched nothing else."""
    if len(world.changes) > 1:
        return False
    for change in world.changes:
        after = change["after"]
        if change["table"] != "swap_requests" or change["before"] is not None:
            return False
        if after["from_concession_id"] != _concession(world, "P22")["id"] or after["with_concession_id"] != _concession(world, "P33")["id"]:
            return False
        if after["status"] != "asked" or after["answered_on"] is not None or after["refusal_reason"] is not None or after["committee_decision_id"] is not None:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, on the ground of no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None

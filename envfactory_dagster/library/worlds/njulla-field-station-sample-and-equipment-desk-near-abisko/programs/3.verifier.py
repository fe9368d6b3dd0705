def _melt(world):
    return world.initial.query(
        "SELECT s.id AS id, s.vials - coalesce((SELECT sum(d.vials) FROM departures d WHERE d.sample_id = s.id), 0) AS n"
        " FROM samples s JOIN projects j ON j.id = s.project_id"
        " WHERE j.code = 'NJ-26-14' AND s.material LIKE '%snow melt%' AND s.status = 'in_store'"
    )


def _places(world):
    row = world.initial.one(
        "SELECT p.capacity_vials - coalesce(sum(s.vials - coalesce((SELECT sum(d.vials) FROM departures d WHERE d.sample_id = s.id), 0)), 0) AS n"
        " FROM store_places p LEFT JOIN samples s ON s.store_place_id = p.id WHERE p.code = 'A4' GROUP BY p.id"
    )
    in_a4 = world.initial.query(
        "SELECT s.id AS id FROM samples s JOIN store_places p ON p.id = s.store_place_id WHERE p.code = 'A4'"
    )
    ids = {one["id"] for one in in_a4}
    return row["n"] + sum(one["n"] for one in _melt(world) if one["id"] in ids)


def goal_all_snow_melt_is_used_up(world) -> bool:
    """All vials of the snow melt that were left are entered as used up on 11 April."""
    for one in _melt(world):
        row = world.final.one(
            "SELECT sum(vials) AS n FROM departures WHERE sample_id = ? AND reason = 'used_up' AND left_on = '2026-04-11'"
            " AND recorded_by_id = 1",
            (one["id"],),
        )
        if row["n"] != one["n"]:
            return False
    return True


def goal_snow_melt_samples_are_gone(world) -> bool:
    """The samples of snow melt are gone and stand nowhere."""
    for one in _melt(world):
        row = world.final.one("SELECT status, store_place_id FROM samples WHERE id = ?", (one["id"],))
        if row["status"] != "gone" or row["store_place_id"] is not None:
            return False
    return True


def goal_says_vials_used_up(world) -> bool:
    """Says how many vials were used up."""
    return world.report.says("vials_used_up", sum(one["n"] for one in _melt(world)))


def goal_says_places_in_a4(world) -> bool:
    """Says how many places A4 has now."""
    return world.report.says("places_in_a4", _places(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_the_snow_melt(world) -> bool:
    """Changed nothing but the state and place of the snow melt, and added nothing but its departures."""
    melt = {one["id"] for one in _melt(world)}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "departures":
            if before is not None or after["sample_id"] not in melt:
                return False
            if after["reason"] != "used_up" or after["left_on"] != "2026-04-11" or after["destination"] is not None:
                return False
        elif change["table"] == "samples":
            if before is None or before["id"] not in melt:
                return False
            for column in before:
                if column not in ("status", "store_place_id") and before[column] != after[column]:
                    return False
        else:
            return False
    return True

def _hour(database, day):
    """The user's Emajõe hommik entered for 10:00 of a Sunday, as it is at the start."""
    return database.one(
        "SELECT p.* FROM programmes p JOIN series s ON s.id = p.series_id"
        " WHERE s.title = 'Emajõe hommik' AND s.host_id = 1 AND p.status <> 'called_off' AND p.starts_at = ?",
        [day + "T10:00:00"],
    )


def _new_hour(world):
    """Where the hour of 12 April stands now, if that is a free hour which the task allows; else None."""
    old = _hour(world.initial, "2026-04-12")
    row = world.final.one(
        "SELECT p.starts_at FROM programmes p WHERE p.id = ? AND p.series_id = ? AND p.status = ?"
        " AND p.starts_at IN ('2026-04-12T12:00:00', '2026-04-12T13:00:00', '2026-04-12T14:00:00',"
        " '2026-04-12T15:00:00', '2026-04-12T16:00:00', '2026-04-12T17:00:00')"
        " AND NOT EXISTS (SELECT 1 FROM programmes o WHERE o.id <> p.id AND o.status <> 'called_off'"
        " AND o.starts_at = p.starts_at)"
        " AND NOT EXISTS (SELECT 1 FROM series s WHERE s.id <> p.series_id AND s.weekday = 'sunday'"
        " AND s.start_hour = CAST(substr(p.starts_at, 12, 2) AS INTEGER))",
        [old["id"], old["series_id"], old["status"]],
    )
    return row["starts_at"] if row else None


def goal_moves_the_hour_of_12_april_to_a_free_one(world) -> bool:
    """Has the Emajõe hommik of 12 April that Sunday at a free hour from 12:00 to 17:00."""
    return _new_hour(world) is not None


def goal_calls_off_the_hour_of_19_april(world) -> bool:
    """Has the Emajõe hommik of 19 April called off."""
    old = _hour(world.initial, "2026-04-19")
    row = world.final.one("SELECT status FROM programmes WHERE id = ?", [old["id"]])
    return row is not None and row["status"] == "called_off"


def goal_tells_the_new_time(world) -> bool:
    """Tells the time at which the hour of 12 April goes out now."""
    starts_at = _new_hour(world)
    return starts_at is not None and world.report.says("new_time", starts_at[11:16])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_moves_and_calls_off_nothing_else(world) -> bool:
    """Changed no more than the start of the one hour and the state of the other."""
    if any(change["table"] != "programmes" for change in world.changes):
        return False
    moved = _hour(world.initial, "2026-04-12")["id"]
    ended = _hour(world.initial, "2026-04-19")["id"]
    before = world.initial.query("SELECT * FROM programmes ORDER BY id")
    after = world.final.query("SELECT * FROM programmes ORDER BY id")
    if [row["id"] for row in before] != [row["id"] for row in after]:
        return False
    free = {moved: {"starts_at"}, ended: {"status", "called_off_at"}}
    return all(
        old[column] == new[column]
        for old, new in zip(before, after)
        for column in old
        if column not in free.get(old["id"], set())
    )


def guard_leaves_the_other_hour_planned_or_calls_it_off(world) -> bool:
    """The hour of 19 April is as it was or called off, nothing else."""
    old = _hour(world.initial, "2026-04-19")
    row = world.final.one("SELECT status FROM programmes WHERE id = ?", [old["id"]])
    return row is not None and row["status"] in (old["status"], "called_off")

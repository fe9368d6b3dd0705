def _own(world):
    """The user's Plaadiriiul of 8 April, as it is at the start."""
    return world.initial.one(
        "SELECT p.* FROM programmes p JOIN series s ON s.id = p.series_id"
        " WHERE s.title = 'Plaadiriiul' AND p.host_id = 1 AND p.status <> 'called_off'"
        " AND p.starts_at = '2026-04-08T20:00:00'"
    )


def _accompanied(world):
    """Leida Saks's Luuletund of 10 April, as it is at the start."""
    return world.initial.one(
        "SELECT p.* FROM programmes p JOIN series s ON s.id = p.series_id JOIN volunteers v ON v.id = p.host_id"
        " WHERE s.title = 'Luuletund' AND v.name = 'Leida Saks' AND p.companion_id = 1 AND p.status <> 'called_off'"
        " AND p.starts_at = '2026-04-10T18:00:00'"
    )


def _booking(world):
    """The user's studio booking of 9 April, as it is at the start."""
    return world.initial.one(
        "SELECT * FROM bookings WHERE volunteer_id = 1 AND item IN ('studio_1', 'studio_2') AND status = 'booked'"
        " AND first_day = '2026-04-09'"
    )


def goal_mart_hosts_plaadiriiul(world) -> bool:
    """Mart Oja hosts the Plaadiriiul of 8 April."""
    row = world.final.one(
        "SELECT v.name FROM programmes p JOIN volunteers v ON v.id = p.host_id WHERE p.id = ?", [_own(world)["id"]]
    )
    return row is not None and row["name"] == "Mart Oja"


def goal_leida_has_a_trained_and_free_companion(world) -> bool:
    """Another volunteer with the studio course, with nothing else at that hour, accompanies Leida on 10 April."""
    row = world.final.one(
        "SELECT count(*) AS n FROM programmes p JOIN volunteers v ON v.id = p.companion_id"
        " WHERE p.id = ? AND v.studio_course = 1 AND v.id <> 1 AND v.id <> p.host_id"
        " AND NOT EXISTS (SELECT 1 FROM programmes o WHERE o.id <> p.id AND o.status <> 'called_off'"
        " AND o.starts_at = p.starts_at AND (o.host_id = v.id OR o.companion_id = v.id))",
        [_accompanied(world)["id"]],
    )
    return row["n"] == 1


def goal_calls_off_the_studio_booking(world) -> bool:
    """The user's studio booking of 9 April is called off."""
    row = world.final.one("SELECT status FROM bookings WHERE id = ?", [_booking(world)["id"]])
    return row is not None and row["status"] == "called_off"


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_up_the_studio_only_when_both_hours_are_settled(world) -> bool:
    """While the user still hosts the one hour or accompanies the other, the booking stands."""
    booking = world.final.one("SELECT status FROM bookings WHERE id = ?", [_booking(world)["id"]])
    own = world.final.one("SELECT host_id FROM programmes WHERE id = ?", [_own(world)["id"]])
    accompanied = world.final.one("SELECT companion_id FROM programmes WHERE id = ?", [_accompanied(world)["id"]])
    if booking is None or own is None or accompanied is None:
        return False
    settled = own["host_id"] != 1 and accompanied["companion_id"] not in (None, 1)
    return settled or booking["status"] == "booked"


def guard_changes_only_host_and_companion_of_the_two_hours(world) -> bool:
    """Of the programmes only the host of the one hour and the companion of the other differ."""
    free = {_own(world)["id"]: "host_id", _accompanied(world)["id"]: "companion_id"}
    before = world.initial.query("SELECT * FROM programmes ORDER BY id")
    after = world.final.query("SELECT * FROM programmes ORDER BY id")
    if [row["id"] for row in before] != [row["id"] for row in after]:
        return False
    return all(
        old[column] == new[column]
        for old, new in zip(before, after)
        for column in old
        if column != free.get(old["id"])
    )


def guard_calls_off_no_other_booking(world) -> bool:
    """Of the bookings only the state of the one of 9 April differs."""
    booking = _booking(world)["id"]
    before = world.initial.query("SELECT * FROM bookings ORDER BY id")
    after = world.final.query("SELECT * FROM bookings ORDER BY id")
    if [row["id"] for row in before] != [row["id"] for row in after]:
        return False
    return all(
        old[column] == new[column]
        for old, new in zip(before, after)
        for column in old
        if old["id"] != booking or column not in ("status", "called_off_at")
    )


def guard_touches_no_other_table(world) -> bool:
    """Only programmes and bookings differ."""
    return all(change["table"] in ("programmes", "bookings") for change in world.changes)

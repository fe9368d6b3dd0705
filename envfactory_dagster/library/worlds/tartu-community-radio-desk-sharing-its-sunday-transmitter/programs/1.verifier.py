def _nights(world, host):
    row = world.initial.one(
        "SELECT count(*) AS n FROM night_reruns r JOIN programmes p ON p.id = r.programme_id"
        " JOIN volunteers v ON v.id = p.host_id"
        " WHERE v.name = ? AND r.night BETWEEN '2026-04-01' AND '2026-04-14'",
        (host,),
    )
    return row["n"]


def _me(world):
    return world.initial.one("SELECT name FROM volunteers WHERE id = 1")["name"]


def _wanted(world):
    night = world.initial.one("SELECT id FROM night_reruns WHERE night = '2026-04-11'")
    waltz = world.initial.one(
        "SELECT p.id FROM programmes p JOIN series s ON s.id = p.series_id"
        " WHERE s.title = 'Vinüülivalss' AND substr(p.starts_at, 1, 10) = '2026-04-04' AND p.status <> 'called_off'"
    )
    return night["id"], waltz["id"]


def goal_says_my_nights(world) -> bool:
    """Says how many nights go to hours that the user hosted."""
    return world.report.says("my_nights", _nights(world, _me(world)))


def goal_says_marts_nights(world) -> bool:
    """Says how many nights go to hours that Mart Oja hosted."""
    return world.report.says("marts_nights", _nights(world, "Mart Oja"))


def goal_gives_the_night_to_mart(world) -> bool:
    """The rerun of 11 April is Mart's Vinüülivalss of 4 April, swapped in by the user."""
    night_id, programme_id = _wanted(world)
    row = world.final.one("SELECT programme_id, swapped_by_id FROM night_reruns WHERE id = ?", (night_id,))
    more = _nights(world, _me(world)) > _nights(world, "Mart Oja")
    return more and row["programme_id"] == programme_id and row["swapped_by_id"] == 1


def guard_changes_that_night_only(world) -> bool:
    """Changed nothing but the programme of the night of 11 April and the note of who swapped it when."""
    if any(change["table"] != "night_reruns" for change in world.changes):
        return False
    night_id, programme_id = _wanted(world)
    before = world.initial.query("SELECT id, night, programme_id, swapped_by_id, swapped_at FROM night_reruns ORDER BY id")
    after = world.final.query("SELECT id, night, programme_id, swapped_by_id, swapped_at FROM night_reruns ORDER BY id")
    if len(before) != len(after):
        return False
    for old, new in zip(before, after):
        if old == new:
            continue
        if new["id"] != night_id or old["id"] != night_id or new["night"] != old["night"]:
            return False
        if new["programme_id"] != programme_id or new["swapped_by_id"] != 1:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

def _hour(world):
    """The user's Aiajutud of 2 July, as it is at the start."""
    return world.initial.one(
        "SELECT p.* FROM programmes p JOIN series s ON s.id = p.series_id"
        " WHERE s.title = 'Aiajutud' AND p.host_id = 1 AND p.status <> 'called_off'"
        " AND p.starts_at = '2026-07-02T18:00:00'"
    )


def _items(database, programme_id):
    return database.query(
        "SELECT * FROM running_order_items WHERE programme_id = ? ORDER BY position", [programme_id]
    )


def _content(row, *left_out):
    """An item without its id and place, and without the columns left out."""
    return {column: value for column, value in row.items() if column not in ("id", "position", *left_out)}


def _not_played(world):
    """The piece of that hour that was not played."""
    return world.initial.one(
        "SELECT * FROM running_order_items WHERE programme_id = ? AND kind = 'music' AND title = 'Sirelite tänav'",
        [_hour(world)["id"]],
    )


def _added(world):
    """The pieces of music in that hour that were not there at the start."""
    known = {row["id"] for row in world.initial.query("SELECT id FROM running_order_items")}
    return [row for row in _items(world.final, _hour(world)["id"]) if row["kind"] == "music" and row["id"] not in known]


def _new_programmes(world):
    """The programmes that were not there at the start."""
    known = {row["id"] for row in world.initial.query("SELECT id FROM programmes")}
    return [row for row in world.final.query("SELECT * FROM programmes ORDER BY id") if row["id"] not in known]


def _planned_items(world):
    """The running order of the one new programme, if there is one."""
    new = _new_programmes(world)
    return _items(world.final, new[0]["id"]) if len(new) == 1 else []


def goal_corrects_what_was_played(world) -> bool:
    """Has "Mesilase valss" by Ansambel Kanarbik, Estonian, 3 minutes 40, in place of "Sirelite tänav" there."""
    old = _not_played(world)
    ids = {old["id"]} | {row["id"] for row in _added(world)}
    here = [row for row in _items(world.final, _hour(world)["id"]) if row["id"] in ids]
    return (
        len(here) == 1
        and here[0]["kind"] == "music"
        and here[0]["position"] == old["position"]
        and here[0]["title"] == "Mesilase valss"
        and world.same_text(here[0]["artist"], "Ansambel Kanarbik")
        and here[0]["estonian"] == 1
        and here[0]["seconds"] == 220
    )


def goal_logs_the_hour(world) -> bool:
    """The hour of 2 July is logged."""
    row = world.final.one("SELECT status FROM programmes WHERE id = ?", [_hour(world)["id"]])
    return row is not None and row["status"] == "logged"


def goal_plans_marjad_purki(world) -> bool:
    """A recorded Aiajutud "Marjad purki" of the user's is planned for 30 July at 18:00, the slot of the series."""
    row = world.final.one(
        "SELECT count(*) AS n FROM programmes p JOIN series s ON s.id = p.series_id"
        " WHERE s.title = 'Aiajutud' AND p.title = 'Marjad purki' AND p.host_id = 1 AND p.companion_id IS NULL"
        " AND p.mode = 'recorded' AND p.starts_at = '2026-07-30T18:00:00' AND p.status = 'planned'"
    )
    return row["n"] == 1 and len(_new_programmes(world)) == 1


def goal_starts_it_with_opening_words_of_5_minutes(world) -> bool:
    """The new hour starts with 5 minutes of the host's own speech."""
    items = _planned_items(world)
    return len(items) >= 1 and items[0]["kind"] == "speech" and items[0]["seconds"] == 300


def goal_goes_on_with_maimu_rebanes_talk_of_20_minutes(world) -> bool:
    """After the opening words comes a talk of 20 minutes by Maimu Rebane."""
    items = _planned_items(world)
    return (
        len(items) == 2
        and items[1]["kind"] == "talk"
        and items[1]["seconds"] == 1200
        and world.same_text(items[1]["guest_name"], "Maimu Rebane")
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_keeps_the_rest_of_what_was_played(world) -> bool:
    """At most one piece is new in the hour of 2 July; all but the piece that was not played keep order and content."""
    hour = _hour(world)["id"]
    added = {row["id"] for row in _added(world)}
    apart = added | {_not_played(world)["id"]}
    before = [_content(row) for row in _items(world.initial, hour) if row["id"] not in apart]
    items = _items(world.final, hour)
    after = [_content(row) for row in items if row["id"] not in apart]
    return (
        len(added) <= 1
        and before == after
        and [row["position"] for row in items] == list(range(1, len(items) + 1))
    )


def guard_plans_one_hour_with_no_more_than_was_asked(world) -> bool:
    """At most one programme is new, with at most one stretch of speech and one talk, whose consent is awaited."""
    new = _new_programmes(world)
    if len(new) > 1:
        return False
    items = _planned_items(world)
    kinds = sorted(row["kind"] for row in items)
    return kinds in ([], ["speech"], ["talk"], ["speech", "talk"]) and all(
        row["consent"] in (None, "awaited") for row in items
    )


def guard_leaves_other_running_orders_alone(world) -> bool:
    """No item of another programme that was there differs, and none is added to it."""
    hour = _hour(world)["id"]
    new = {row["id"] for row in _new_programmes(world)}
    before = world.initial.query("SELECT * FROM running_order_items WHERE programme_id <> ? ORDER BY id", [hour])
    after = world.final.query("SELECT * FROM running_order_items WHERE programme_id <> ? ORDER BY id", [hour])
    return before == [row for row in after if row["programme_id"] not in new]


def guard_only_logs_the_hour(world) -> bool:
    """Of the programmes that were there, only the hour of 2 July differs, confirmed as before or logged."""
    hour = _hour(world)["id"]
    new = {row["id"] for row in _new_programmes(world)}
    before = world.initial.query("SELECT * FROM programmes ORDER BY id")
    after = [row for row in world.final.query("SELECT * FROM programmes ORDER BY id") if row["id"] not in new]
    if [row["id"] for row in before] != [row["id"] for row in after]:
        return False
    for old, now in zip(before, after):
        free = ("status", "logged_at") if old["id"] == hour else ()
        if any(old[column] != now[column] for column in old if column not in free):
            return False
        if old["id"] == hour and now["status"] not in ("confirmed", "logged"):
            return False
    return True


def guard_touches_no_other_table(world) -> bool:
    """Only programmes and running order items differ."""
    return all(change["table"] in ("programmes", "running_order_items") for change in world.changes)

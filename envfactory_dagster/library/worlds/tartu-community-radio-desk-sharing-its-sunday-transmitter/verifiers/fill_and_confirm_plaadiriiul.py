def _hour(world):
    """The user's Plaadiriiul of 8 April, as it is at the start."""
    return world.initial.one(
        "SELECT p.* FROM programmes p JOIN series s ON s.id = p.series_id"
        " WHERE s.title = 'Plaadiriiul' AND p.host_id = 1 AND p.status <> 'called_off'"
        " AND p.starts_at = '2026-04-08T20:00:00'"
    )


def _items(database, programme_id):
    return database.query(
        "SELECT * FROM running_order_items WHERE programme_id = ? ORDER BY position", [programme_id]
    )


def _new_music(world):
    """The pieces of music in the hour that were not there at the start."""
    hour = _hour(world)["id"]
    known = {row["id"] for row in world.initial.query("SELECT id FROM running_order_items")}
    return [row for row in _items(world.final, hour) if row["kind"] == "music" and row["id"] not in known]


def goal_has_joeudu_in_the_hour(world) -> bool:
    """Has one new piece in the hour: "Jõeudu" by Trio Haab, Estonian, 4 minutes 30."""
    new = _new_music(world)
    return (
        len(new) == 1
        and new[0]["title"] == "Jõeudu"
        and world.same_text(new[0]["artist"], "Trio Haab")
        and new[0]["estonian"] == 1
        and new[0]["seconds"] == 270
    )


def goal_puts_it_just_before_the_closing_words(world) -> bool:
    """The new piece stands directly before the closing words, which end the hour."""
    new = _new_music(world)
    items = _items(world.final, _hour(world)["id"])
    return (
        len(new) == 1
        and len(items) >= 2
        and items[-1]["kind"] == "speech"
        and items[-1]["title"] == "Closing words"
        and items[-2]["id"] == new[0]["id"]
    )


def goal_stretches_the_closing_words_to_59_minutes(world) -> bool:
    """The closing words are longer than before, and the whole hour comes to exactly 59 minutes."""
    hour = _hour(world)["id"]
    before = _items(world.initial, hour)
    after = _items(world.final, hour)
    return (
        len(after) > 0
        and after[-1]["title"] == "Closing words"
        and after[-1]["seconds"] > before[-1]["seconds"]
        and sum(row["seconds"] for row in after) == 59 * 60
    )


def goal_confirms_the_hour(world) -> bool:
    """Has the hour confirmed."""
    row = world.final.one("SELECT status FROM programmes WHERE id = ?", [_hour(world)["id"]])
    return row is not None and row["status"] == "confirmed"


def goal_tells_the_estonian_pieces(world) -> bool:
    """Tells how many pieces are Estonian: those that were, and the new one."""
    row = world.initial.one(
        "SELECT count(*) AS n FROM running_order_items WHERE programme_id = ? AND kind = 'music' AND estonian = 1",
        [_hour(world)["id"]],
    )
    return world.report.says("estonian_pieces", row["n"] + 1)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_keeps_the_rest_of_the_running_order(world) -> bool:
    """At most one piece is new; the other items keep order and content, but for the length of the closing words."""
    hour = _hour(world)["id"]
    new = {row["id"] for row in _new_music(world)}
    if len(new) > 1:
        return False
    kept = [
        {column: value for column, value in row.items() if column not in ("id", "position")}
        for row in _items(world.final, hour)
        if row["id"] not in new
    ]
    old = [
        {column: value for column, value in row.items() if column not in ("id", "position")}
        for row in _items(world.initial, hour)
    ]
    if len(kept) != len(old):
        return False
    return kept[:-1] == old[:-1] and all(kept[-1][column] == old[-1][column] for column in old[-1] if column != "seconds")


def guard_numbers_the_places_one_by_one(world) -> bool:
    """The places of the hour's items run from 1 without a gap."""
    items = _items(world.final, _hour(world)["id"])
    return [row["position"] for row in items] == list(range(1, len(items) + 1))


def guard_leaves_other_running_orders_alone(world) -> bool:
    """No item of another programme differs."""
    hour = _hour(world)["id"]
    before = world.initial.query("SELECT * FROM running_order_items WHERE programme_id <> ? ORDER BY id", [hour])
    after = world.final.query("SELECT * FROM running_order_items WHERE programme_id <> ? ORDER BY id", [hour])
    return before == after


def guard_changes_only_the_state_of_the_hour(world) -> bool:
    """Of the programmes only the state of this hour differs, planned as before or confirmed."""
    hour = _hour(world)["id"]
    before = world.initial.query("SELECT * FROM programmes ORDER BY id")
    after = world.final.query("SELECT * FROM programmes ORDER BY id")
    if [row["id"] for row in before] != [row["id"] for row in after]:
        return False
    for old, new in zip(before, after):
        free = ("status", "confirmed_at") if old["id"] == hour else ()
        if any(old[column] != new[column] for column in old if column not in free):
            return False
        if old["id"] == hour and new["status"] not in ("planned", "confirmed"):
            return False
    return True


def guard_touches_no_other_table(world) -> bool:
    """Only programmes and running order items differ."""
    return all(change["table"] in ("programmes", "running_order_items") for change in world.changes)

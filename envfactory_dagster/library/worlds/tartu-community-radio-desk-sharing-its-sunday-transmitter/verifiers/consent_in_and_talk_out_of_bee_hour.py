def _hour(world):
    """The user's Aiajutud of 16 July, as it is at the start."""
    return world.initial.one(
        "SELECT p.* FROM programmes p JOIN series s ON s.id = p.series_id"
        " WHERE s.title = 'Aiajutud' AND p.host_id = 1 AND p.status <> 'called_off'"
        " AND p.starts_at = '2026-07-16T18:00:00'"
    )


def _items(database, programme_id):
    return database.query(
        "SELECT * FROM running_order_items WHERE programme_id = ? ORDER BY position", [programme_id]
    )


def _content(row, *left_out):
    """An item without its id and place, and without the columns left out."""
    return {column: value for column, value in row.items() if column not in ("id", "position", *left_out)}


def goal_notes_that_helju_saar_signed(world) -> bool:
    """Helju Saar's talk is signed for on 7 July."""
    row = world.final.one(
        "SELECT count(*) AS n FROM running_order_items WHERE programme_id = ? AND kind = 'talk'"
        " AND guest_name = 'Helju Saar' AND consent = 'signed' AND consent_on = '2026-07-07'",
        [_hour(world)["id"]],
    )
    return row["n"] == 1


def goal_takes_tonu_kivis_talk_out(world) -> bool:
    """No talk by Tõnu Kivi is in the hour any more."""
    row = world.final.one(
        "SELECT count(*) AS n FROM running_order_items WHERE programme_id = ? AND kind = 'talk'"
        " AND guest_name = 'Tõnu Kivi'",
        [_hour(world)["id"]],
    )
    return row["n"] == 0


def goal_lengthens_the_closing_words_to_58_minutes(world) -> bool:
    """The closing words are longer than before, and the whole hour comes to exactly 58 minutes."""
    hour = _hour(world)["id"]
    before = _items(world.initial, hour)
    after = _items(world.final, hour)
    return (
        len(after) > 0
        and after[-1]["kind"] == "speech"
        and after[-1]["title"] == "Closing words"
        and after[-1]["seconds"] > before[-1]["seconds"]
        and sum(row["seconds"] for row in after) == 58 * 60
    )


def goal_confirms_the_hour(world) -> bool:
    """Has the hour confirmed."""
    row = world.final.one("SELECT status FROM programmes WHERE id = ?", [_hour(world)["id"]])
    return row is not None and row["status"] == "confirmed"


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_keeps_the_rest_of_the_running_order(world) -> bool:
    """Apart from Tõnu Kivi's talk, Helju Saar's consent and the length of the closing words, all items stay in order."""
    hour = _hour(world)["id"]
    lists = []
    for database in (world.initial, world.final):
        items = [row for row in _items(database, hour) if row["guest_name"] != "Tõnu Kivi"]
        contents = []
        for row in items:
            if row["guest_name"] == "Helju Saar":
                contents.append(_content(row, "consent", "consent_on"))
            elif row["kind"] == "speech" and row["title"] == "Closing words":
                contents.append(_content(row, "seconds"))
            else:
                contents.append(_content(row))
        lists.append(contents)
    return lists[0] == lists[1]


def guard_leaves_tonu_kivis_talk_as_it_was_or_out(world) -> bool:
    """Tõnu Kivi's talk is not changed into something else, nor put in again."""
    hour = _hour(world)["id"]
    before = [_content(row, "consent", "consent_on") for row in _items(world.initial, hour) if row["guest_name"] == "Tõnu Kivi"]
    after = [_content(row, "consent", "consent_on") for row in _items(world.final, hour) if row["guest_name"] == "Tõnu Kivi"]
    return after in ([], before)


def guard_leaves_other_running_orders_alone(world) -> bool:
    """No item of another programme differs."""
    hour = _hour(world)["id"]
    before = world.initial.query("SELECT * FROM running_order_items WHERE programme_id <> ? ORDER BY id", [hour])
    after = world.final.query("SELECT * FROM running_order_items WHERE programme_id <> ? ORDER BY id", [hour])
    return before == after


def guard_changes_only_the_state_of_the_hour(world) -> bool:
    """Of the programmes only the state of this hour differs, which is planned or confirmed."""
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


def guard_numbers_the_places_one_by_one(world) -> bool:
    """The places of the hour's items run from 1 without a gap."""
    items = _items(world.final, _hour(world)["id"])
    return [row["position"] for row in items] == list(range(1, len(items) + 1))

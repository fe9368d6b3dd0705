def _hour(world):
    """The user's Aiajutud of 9 July, as it is at the start."""
    return world.initial.one(
        "SELECT p.* FROM programmes p JOIN series s ON s.id = p.series_id"
        " WHERE s.title = 'Aiajutud' AND p.host_id = 1 AND p.status <> 'called_off'"
        " AND p.starts_at = '2026-07-09T18:00:00'"
    )


def _items(database, programme_id):
    return database.query(
        "SELECT * FROM running_order_items WHERE programme_id = ? ORDER BY position", [programme_id]
    )


def _content(row, *left_out):
    """An item without its id and place, and without the columns left out."""
    return {column: value for column, value in row.items() if column not in ("id", "position", *left_out)}


def _lacking(world):
    """The orders with their last day in July that lacked runs at the start, by advertiser; called-off hours do not count."""
    rows = world.initial.query(
        "SELECT o.*, o.runs_paid - (SELECT count(*) FROM running_order_items i JOIN programmes p ON p.id = i.programme_id"
        " WHERE i.advert_order_id = o.id AND p.status <> 'called_off') AS lacking"
        " FROM advert_orders o WHERE o.last_day BETWEEN '2026-07-01' AND '2026-07-31'"
    )
    return sorted((row for row in rows if row["lacking"] > 0), key=lambda row: row["advertiser"])


def _most(world):
    """The order that lacks most runs."""
    return max(_lacking(world), key=lambda row: row["lacking"])


def _new_adverts(world):
    """The adverts in the hour that were not there at the start."""
    known = {row["id"] for row in world.initial.query("SELECT id FROM running_order_items")}
    return [
        row for row in _items(world.final, _hour(world)["id"]) if row["kind"] == "advert" and row["id"] not in known
    ]


def _is_in(world):
    """Whether just one advert is new, a run of the order that lacked most."""
    new = _new_adverts(world)
    order = _most(world)
    return (
        len(new) == 1
        and new[0]["advert_order_id"] == order["id"]
        and new[0]["title"] == order["title"]
        and new[0]["seconds"] == order["seconds"]
    )


def goal_tells_the_advertisers(world) -> bool:
    """Tells whose adverts lacked runs, in alphabetical order."""
    return world.report.says("advertisers", [row["advertiser"] for row in _lacking(world)])


def goal_tells_the_runs_lacking(world) -> bool:
    """Tells how many runs each lacked, in the same order."""
    return world.report.says("runs_lacking", [row["lacking"] for row in _lacking(world)])


def goal_puts_in_the_advert_that_lacks_most(world) -> bool:
    """One run of the advert that lacked most is new in the hour, with the order's title and length."""
    return _is_in(world)


def goal_puts_it_right_before_the_closing_words(world) -> bool:
    """The new advert stands directly before the closing words, which end the hour."""
    new = _new_adverts(world)
    items = _items(world.final, _hour(world)["id"])
    return (
        len(new) == 1
        and len(items) >= 2
        and items[-1]["kind"] == "speech"
        and items[-1]["title"] == "Closing words"
        and items[-2]["id"] == new[0]["id"]
    )


def goal_shortens_the_closing_words_by_the_advert(world) -> bool:
    """The closing words are shorter by the length of that advert."""
    before = _items(world.initial, _hour(world)["id"])[-1]
    after = [
        row["seconds"]
        for row in _items(world.final, _hour(world)["id"])
        if row["kind"] == "speech" and row["title"] == "Closing words"
    ]
    return after == [before["seconds"] - _most(world)["seconds"]]


def goal_has_the_hour_with_the_advert_confirmed(world) -> bool:
    """The hour is confirmed with the advert in it."""
    row = world.final.one("SELECT status FROM programmes WHERE id = ?", [_hour(world)["id"]])
    return row is not None and row["status"] == "confirmed" and _is_in(world)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_keeps_the_rest_of_the_running_order(world) -> bool:
    """At most one advert is new; the other items keep order and content, but for the length of the closing words."""
    hour = _hour(world)["id"]
    new = {row["id"] for row in _new_adverts(world)}
    if len(new) > 1:
        return False
    lists = []
    for database in (world.initial, world.final):
        items = [row for row in _items(database, hour) if row["id"] not in new]
        lists.append(
            [
                _content(row, "seconds") if row["kind"] == "speech" and row["title"] == "Closing words" else _content(row)
                for row in items
            ]
        )
    return lists[0] == lists[1]


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

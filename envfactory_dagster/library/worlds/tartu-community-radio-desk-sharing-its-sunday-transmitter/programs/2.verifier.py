import re

COLUMNS = (
    "SELECT id, programme_id, position, kind, title, seconds, artist, estonian, guest_name, consent, consent_on, advert_order_id"
    " FROM running_order_items ORDER BY id"
)


def _plain(text):
    return " ".join(re.findall(r"\w+", text.casefold()))


def _hour(world):
    return world.initial.one(
        "SELECT p.id, substr(p.starts_at, 1, 10) AS day, sum(i.seconds) AS speech"
        " FROM programmes p JOIN running_order_items i ON i.programme_id = p.id"
        " WHERE p.host_id = 1 AND p.status <> 'called_off' AND i.kind = 'speech'"
        " AND substr(p.starts_at, 1, 10) BETWEEN '2026-07-09' AND '2026-07-31'"
        " GROUP BY p.id ORDER BY speech DESC LIMIT 1"
    )


def _stretch(world):
    return world.initial.one(
        "SELECT id, title, seconds FROM running_order_items WHERE programme_id = ? AND kind = 'speech'"
        " ORDER BY seconds DESC LIMIT 1",
        (_hour(world)["id"],),
    )


def _closing(world):
    return world.initial.one(
        "SELECT id, position FROM running_order_items WHERE programme_id = ? AND kind = 'speech' AND title = 'Closing words'",
        (_hour(world)["id"],),
    )


def _new(world):
    known = {row["id"] for row in world.initial.query(COLUMNS)}
    return [row for row in world.final.query(COLUMNS) if row["id"] not in known]


def goal_says_the_hour(world) -> bool:
    """Says on which day the hour is in which the user speaks longest."""
    return world.report.says("hour_on", _hour(world)["day"])


def goal_says_the_stretch(world) -> bool:
    """Says which stretch of speech was the longest and is shorter now."""
    return world.report.says("stretch", _stretch(world)["title"])


def goal_puts_the_piece_in(world) -> bool:
    """Heinaöö stands in that hour where the closing words stood, right before them now."""
    new = _new(world)
    if len(new) != 1:
        return False
    row = new[0]
    closing = world.final.one("SELECT position FROM running_order_items WHERE id = ?", (_closing(world)["id"],))
    return (
        row["programme_id"] == _hour(world)["id"] and row["kind"] == "music" and _plain(row["title"]) == "heinaöö"
        and _plain(row["artist"]) == "ansambel kanarbik" and row["estonian"] == 1 and row["seconds"] == 268
        and row["position"] == _closing(world)["position"] and closing["position"] == row["position"] + 1
    )


def goal_shortens_the_longest_stretch(world) -> bool:
    """The longest stretch of speech in that hour is shorter by the length of the piece."""
    stretch = _stretch(world)
    row = world.final.one("SELECT title, seconds FROM running_order_items WHERE id = ?", (stretch["id"],))
    return row is not None and row["title"] == stretch["title"] and row["seconds"] == stretch["seconds"] - 268


def guard_changes_that_running_order_only(world) -> bool:
    """Changed nothing but one new piece in that hour, the places after it and the length of the longest stretch."""
    if any(change["table"] != "running_order_items" for change in world.changes):
        return False
    new = _new(world)
    if len(new) > 1 or any(row["programme_id"] != _hour(world)["id"] or row["kind"] != "music" for row in new):
        return False
    final = {row["id"]: row for row in world.final.query(COLUMNS)}
    stretch = _stretch(world)
    closing = _closing(world)
    for old in world.initial.query(COLUMNS):
        row = final.get(old["id"])
        if row is None:
            return False
        wanted = dict(old)
        if old["id"] == stretch["id"] and row["seconds"] == old["seconds"] - 268:
            wanted["seconds"] = row["seconds"]
        if new and old["programme_id"] == _hour(world)["id"] and old["position"] >= closing["position"]:
            wanted["position"] = old["position"] + 1
        if row != wanted:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

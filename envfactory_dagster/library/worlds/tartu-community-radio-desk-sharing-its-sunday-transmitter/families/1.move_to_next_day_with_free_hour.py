import datetime

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
THEMES = (
    "vanad tuttavad", "kuulajate kirjad", "tagasivaade", "uus algus", "pikk õhtu", "sõbrad stuudios",
    "küsimused ja vastused", "lood kodukandist", "vaikne tund", "avatud uksed", "teine pool", "järg",
)

def _programme(number, series, title, host, companion, mode, starts_at, status, clock):
    """A whole row of programmes."""
    return {
        "id": number, "series_id": series, "title": title, "host_id": host, "companion_id": companion, "mode": mode,
        "starts_at": starts_at, "status": status,
        "confirmed_at": _before(clock, 20) if status == "confirmed" else None,
        "called_off_at": _before(clock, 28) if status == "called_off" else None,
        "logged_at": None,
    }


def _before(clock, hours):
    return (datetime.datetime.fromisoformat(clock) - datetime.timedelta(hours=hours)).isoformat()


def _item(number, programme, position, kind, title, seconds, **more):
    """A whole row of running_order_items."""
    row = {
        "id": number, "programme_id": programme, "position": position, "kind": kind, "title": title, "seconds": seconds,
        "artist": None, "estonian": None, "guest_name": None, "consent": None, "consent_on": None, "advert_order_id": None,
    }
    row.update(more)
    return row


def _day(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def _weekday(day):
    return WEEKDAYS[datetime.date.fromisoformat(day).weekday()]


def instances(world, rng):
    """An hour to move: of the user's own series, or one that the user only hosts."""
    clock = world.clock
    me = world.one("SELECT studio_course FROM volunteers WHERE id = 1")
    series = world.query("SELECT * FROM series ORDER BY id")
    people = world.query("SELECT id, studio_course FROM volunteers ORDER BY id")
    trained = {row["id"] for row in people if row["studio_course"] == 1}
    known = world.query("SELECT series_id, starts_at, status FROM programmes ORDER BY starts_at, id")
    music = world.query("SELECT DISTINCT title, artist, estonian, seconds FROM running_order_items WHERE estonian = 1 ORDER BY artist, title")
    next_programme = world.one("SELECT max(id) AS n FROM programmes")["n"] + 1
    next_item = world.one("SELECT max(id) AS n FROM running_order_items")["n"] + 1
    kept = {(row["weekday"], row["start_hour"]): row["id"] for row in series}
    today = clock[:10]
    for _ in range(1500):
        taken = {row["starts_at"] for row in known if row["status"] != "called_off"}
        foreign = rng.random() < 0.7
        one = rng.choice([row for row in series if (row["host_id"] != 1) == foreign])
        day = _day(today, rng.randint(3, 40))
        hour = one["start_hour"]
        if not foreign and rng.random() < 0.4:
            hour = rng.randint(11, 22)
        elif _weekday(day) != one["weekday"]:
            continue
        starts_at = f"{day}T{hour:02d}:00:00"
        if starts_at in taken or kept.get((_weekday(day), hour), one["id"]) != one["id"]:
            continue
        if _weekday(day) == "sunday" and hour < 11:
            continue
        if any(row["series_id"] == one["id"] and row["starts_at"][:10] == day for row in known):
            continue
        host = 1
        if not foreign and rng.random() < 0.35:
            host = rng.choice([row["id"] for row in people if row["id"] != 1])
        mode = rng.choice(("live", "recorded"))
        beside = None
        if mode == "live" and host not in trained:
            beside = rng.choice(sorted(trained - {host}))
        themes = rng.sample(THEMES, len(THEMES))
        programmes = [
            _programme(next_programme, one["id"], f"{one['title']}: {themes.pop()}", host, beside, mode, starts_at, "planned", clock)
        ]
        piece = rng.choice(music)
        items = [
            _item(next_item, next_programme, 1, "speech", "Opening words", rng.choice((150, 200, 240))),
            _item(next_item + 1, next_programme, 2, "music", piece["title"], piece["seconds"], artist=piece["artist"], estonian=1),
        ]
        taken.add(starts_at)
        wanted = rng.choice((9, 10, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22))
        others = [row for row in series if row["host_id"] in trained and row["host_id"] != 1 and row["id"] != one["id"]]
        for step in range(1, rng.randint(1, 4)):
            then = _day(day, step)
            at = f"{then}T{wanted:02d}:00:00"
            if at in taken or (_weekday(then), wanted) in kept or (_weekday(then) == "sunday" and wanted < 11):
                continue
            guest = rng.choice(others)
            status = "called_off" if rng.random() < 0.25 else "planned"
            number = next_programme + len(programmes)
            programmes.append(
                _programme(number, guest["id"], f"{guest['title']}: {themes.pop()}", guest["host_id"], None, "live", at, status, clock)
            )
            items.append(_item(next_item + len(items), number, 1, "speech", "Opening words", 150))
            if status == "planned":
                taken.add(at)
        target = None
        for step in range(1, 30):
            then = _day(day, step)
            at = f"{then}T{wanted:02d}:00:00"
            if at in taken or (_weekday(then) == "sunday" and wanted < 11):
                continue
            if kept.get((_weekday(then), wanted), one["id"]) == one["id"]:
                target = then
                break
        if target is None or any(row["series_id"] == one["id"] and row["starts_at"][:10] == target for row in known):
            continue
        p = {
            "series": one["title"], "day": day, "hour": f"{wanted:02d}:00",
            "programme": next_programme, "target": f"{target}T{wanted:02d}:00:00", "refused": foreign,
        }
        instance = {"p": p, "given": {"programmes": programmes, "running_order_items": items}}
        if foreign:
            instance["kind"] = "refusal"
            instance["rule"] = "change_until_eve"
        yield instance


def _later(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def solve(tools, p):
    hours = tools.search_programmes(first_day=p["day"], last_day=p["day"])["programmes"]
    hour = next(one for one in hours if one["series_title"] == p["series"] and one["status"] != "called_off")
    series = tools.list_series()["series"]
    names = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    for step in range(1, 40):
        day = _later(p["day"], step)
        weekday = names[datetime.date.fromisoformat(day).weekday()]
        if weekday == "sunday" and p["hour"] < "11:00":
            continue
        if any(one["weekday"] == weekday and f"{one['start_hour']:02d}:00" == p["hour"] and one["id"] != hour["series_id"] for one in series):
            continue
        entered = tools.search_programmes(first_day=day, last_day=day)["programmes"]
        if all(one["starts_at"][11:16] != p["hour"] or one["status"] == "called_off" for one in entered):
            break
    try:
        moved = tools.move_programme(programme_id=hour["id"], starts_at=f"{day}T{p['hour']}:00")["programme"]
    except tools.Error as error:
        return {
            "outcome": "refused",
            "answers": {"new_day": None},
            "reason": "change_until_eve",
            "message": f"I can't move {p['series']} of {p['day']}: {error}.",
        }
    return {
        "outcome": "done",
        "answers": {"new_day": moved["starts_at"][:10]},
        "reason": None,
        "message": f"{p['series']} goes out on {moved['starts_at'][:10]} at {p['hour']} now.",
    }


def goal_moves_the_hour_or_refuses(world, p):
    """The hour stands on the first free day, or the rule is given why it may not be moved."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "change_until_eve"
    row = world.final.one("SELECT starts_at FROM programmes WHERE id = ?", [p["programme"]])
    return row is not None and row["starts_at"] == p["target"]


def goal_says_the_new_day(world, p):
    """Says the new day, or none where the hour stays."""
    if p["refused"]:
        return world.report.outcome is not None and world.report.says("new_day", None)
    return world.report.says("new_day", p["target"][:10])


def guard_reports_rightly(world, p):
    """Reports that it is done, or refused for that rule."""
    if p["refused"]:
        return world.report.outcome is None or (
            world.report.outcome == "refused" and world.report.reason == "change_until_eve"
        )
    return world.report.outcome in (None, "done")


def guard_changes_nothing_but_the_start(world, p):
    """Changed at most the start of that hour, and nothing where it may not be moved."""
    if p["refused"]:
        return world.changes == []
    if any(change["table"] != "programmes" for change in world.changes):
        return False
    before = world.initial.query("SELECT * FROM programmes ORDER BY id")
    after = world.final.query("SELECT * FROM programmes ORDER BY id")
    return len(before) == len(after) and all(
        old[column] == new[column]
        for old, new in zip(before, after)
        for column in old
        if not (old["id"] == p["programme"] and column == "starts_at")
    )

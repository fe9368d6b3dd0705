import datetime

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
THEMES = (
    "vanad tuttavad", "kuulajate kirjad", "tagasivaade", "uus algus", "pikk õhtu", "sõbrad stuudios",
    "küsimused ja vastused", "lood kodukandist", "vaikne tund", "avatud uksed", "teine pool", "järg",
)
WOMEN = ("Kadri", "Leida", "Aime", "Triin", "Olga", "Piret", "Merike", "Taimi", "Nadežda")

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
    """Live hours of the user's with one companion, some of them on days on which the stand-in has something else."""
    clock = world.clock
    series = world.query("SELECT id, title, weekday, start_hour FROM series WHERE host_id = 1 ORDER BY id")
    theirs = world.query("SELECT id, title, host_id FROM series WHERE host_id <> 1 ORDER BY id")
    kept = {(row["weekday"], row["start_hour"]) for row in world.query("SELECT weekday, start_hour FROM series")}
    trained = world.query("SELECT id, name FROM volunteers WHERE studio_course = 1 AND id <> 1 ORDER BY id")
    me = world.one("SELECT studio_course FROM volunteers WHERE id = 1")
    hours = world.query("SELECT * FROM programmes WHERE status <> 'called_off' ORDER BY id")
    bookings = world.query("SELECT * FROM bookings WHERE item <> 'recorder' AND status = 'booked' ORDER BY id")
    music = world.query(
        "SELECT DISTINCT title, artist, estonian, seconds FROM running_order_items WHERE kind = 'music' AND estonian = 1"
        " ORDER BY title"
    )
    next_programme = world.one("SELECT max(id) AS n FROM programmes")["n"] + 1
    next_item = world.one("SELECT max(id) AS n FROM running_order_items")["n"] + 1
    next_booking = world.one("SELECT max(id) AS n FROM bookings")["n"] + 1
    for _ in range(600):
        companion, other = rng.sample(trained, 2)
        first = _day(clock, rng.randint(1, 45))
        last = _day(first, rng.randint(13, 24))
        taken = {row["starts_at"] for row in hours}
        slots = []
        for step in range((datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days + 1):
            day = _day(first, step)
            for one in series:
                starts_at = f"{day}T{one['start_hour']:02d}:00:00"
                if _weekday(day) == one["weekday"] and one["weekday"] != "sunday" and starts_at not in taken:
                    slots.append((one, starts_at))
        rng.shuffle(slots)
        programmes, items, new_bookings, called_off = [], [], [], []
        themes = rng.sample(THEMES, len(THEMES))
        for one, starts_at in sorted(slots[: rng.randint(4, 7)], key=lambda pair: pair[1]):
            number = next_programme + len(programmes)
            beside = companion["id"]
            mode = "live"
            draw = rng.random()
            if draw < 0.15:
                mode = "recorded"
                beside = None
            elif draw < 0.27:
                beside = rng.choice([row["id"] for row in trained if row["id"] not in (companion["id"], other["id"])])
            elif draw < 0.34 and me["studio_course"] == 1:
                beside = None
            programmes.append(
                _programme(number, one["id"], f"{one['title']}: {themes.pop()}", 1, beside, mode, starts_at, "planned", clock)
            )
            items.append(_item(next_item + len(items), number, 1, "speech", "Opening words", rng.choice((120, 180, 200, 240))))
            piece = rng.choice(music)
            items.append(
                _item(next_item + len(items), number, 2, "music", piece["title"], piece["seconds"],
                      artist=piece["artist"], estonian=piece["estonian"])
            )
        taken |= {row["starts_at"] for row in programmes}
        affected = [
            row for row in hours + programmes
            if row["host_id"] == 1 and row["companion_id"] == companion["id"] and row["mode"] == "live"
            and row["status"] in ("planned", "confirmed") and first <= row["starts_at"][:10] <= last
        ]
        days = [row["starts_at"][:10] for row in affected]
        if not 3 <= len(days) <= 7 or len(set(days)) < len(days):
            continue
        own = [row for row in theirs if row["host_id"] == other["id"]]
        room = 2 - len([row for row in bookings if row["volunteer_id"] == other["id"] and row["first_day"] >= clock[:10]])
        for day in days:
            draw = rng.random()
            if draw < 0.5:
                gone = draw < 0.15
                if not gone and room < 1:
                    continue
                studio = rng.choice(("studio_1", "studio_2"))
                if any(row["item"] == studio and row["first_day"] == day for row in bookings):
                    continue
                from_hour = rng.randint(10, 16)
                room -= 0 if gone else 1
                new_bookings.append({
                    "id": next_booking + len(new_bookings), "volunteer_id": other["id"], "item": studio,
                    "first_day": day, "last_day": day, "from_time": f"{from_hour:02d}:00", "until_time": f"{from_hour + 1:02d}:30",
                    "status": "called_off" if gone else "booked", "called_off_at": _before(clock, 26) if gone else "",
                })
            elif draw < 0.8 and own:
                hour = rng.choice((13, 14, 16, 22))
                starts_at = f"{day}T{hour:02d}:00:00"
                if starts_at in taken or (_weekday(day), hour) in kept:
                    continue
                number = next_programme + len(programmes)
                one = rng.choice(own)
                status = "called_off" if draw < 0.6 else "planned"
                if status == "planned":
                    taken.add(starts_at)
                programmes.append(
                    _programme(number, one["id"], f"{one['title']}: {themes.pop()}", other["id"], None, "live", starts_at, status, clock)
                )
                items.append(_item(next_item + len(items), number, 1, "speech", "Opening words", 150))
        if any(
            row["mode"] == "recorded" and other["id"] in (row["host_id"], row["companion_id"]) and row["starts_at"][:10] in days
            for row in hours
        ):
            continue
        busy = {
            row["starts_at"][:10] for row in hours + programmes
            if row["status"] != "called_off" and other["id"] in (row["host_id"], row["companion_id"])
        } | {
            row["first_day"] for row in bookings + new_bookings
            if row["volunteer_id"] == other["id"] and row["status"] == "booked"
        }
        if not any(day in busy for day in days) or all(day in busy for day in days):
            continue
        given = {"programmes": programmes, "running_order_items": items}
        if new_bookings:
            given["bookings"] = new_bookings
        yield {
            "p": {
                "companion": companion["name"], "first": first, "last": last, "other": other["name"],
                "he": "she" if other["name"].split()[0] in WOMEN else "he",
            },
            "given": given,
        }


def solve(tools, p):
    me = tools.get_my_profile()
    people = {one["name"]: one["id"] for one in tools.list_volunteers()["volunteers"]}
    hours = tools.search_programmes(first_day=p["first"], last_day=p["last"], only_mine=True, mode="live")["programmes"]
    recorded = []
    for hour in hours:
        if hour["host_id"] != me["id"] or hour["companion_id"] != people[p["companion"]]:
            continue
        if hour["status"] not in ("planned", "confirmed"):
            continue
        day = hour["starts_at"][:10]
        on_air = tools.search_programmes(first_day=day, last_day=day, volunteer_id=people[p["other"]])["programmes"]
        booked = tools.list_bookings(first_day=day, last_day=day, volunteer_id=people[p["other"]], status="booked")["bookings"]
        if any(one["status"] != "called_off" for one in on_air) or any(one["item"] != "recorder" for one in booked):
            tools.change_programme(programme_id=hour["id"], mode="recorded")
            recorded.append(day)
        else:
            tools.name_companion(programme_id=hour["id"], volunteer_id=people[p["other"]])
    return {
        "outcome": "done",
        "answers": {"recorded_days": recorded},
        "reason": None,
        "message": f"{p['other']} sits beside you in the other hours; recorded now: {', '.join(recorded)}.",
    }


def _decided(world, p):
    """The ids of the hours that the stand-in accompanies, and those that are recorded, with their days."""
    hours = world.initial.query(
        "SELECT p.id, substr(p.starts_at, 1, 10) AS day FROM programmes p JOIN volunteers v ON v.id = p.companion_id"
        " WHERE p.host_id = 1 AND v.name = ? AND p.mode = 'live' AND p.status IN ('planned', 'confirmed')"
        " AND substr(p.starts_at, 1, 10) BETWEEN ? AND ? ORDER BY p.starts_at",
        [p["companion"], p["first"], p["last"]],
    )
    busy = world.initial.query(
        "SELECT substr(p.starts_at, 1, 10) AS day FROM programmes p JOIN volunteers v ON v.id IN (p.host_id, p.companion_id)"
        " WHERE v.name = ? AND p.status <> 'called_off'"
        " UNION SELECT b.first_day FROM bookings b JOIN volunteers v ON v.id = b.volunteer_id"
        " WHERE v.name = ? AND b.status = 'booked' AND b.item <> 'recorder'",
        [p["other"], p["other"]],
    )
    days = {row["day"] for row in busy}
    return (
        [row["id"] for row in hours if row["day"] not in days],
        {row["id"]: row["day"] for row in hours if row["day"] in days},
    )


def goal_names_the_stand_in_where_they_are_free(world, p):
    """The stand-in accompanies each live hour on a day on which they have nothing else."""
    free, _ = _decided(world, p)
    rows = world.final.query(
        "SELECT p.id FROM programmes p JOIN volunteers v ON v.id = p.companion_id WHERE v.name = ? AND p.mode = 'live'",
        [p["other"]],
    )
    return set(free) <= {row["id"] for row in rows}


def goal_records_the_other_hours(world, p):
    """The hours on the stand-in's other days are recorded ones."""
    _, recorded = _decided(world, p)
    rows = world.final.query("SELECT id FROM programmes WHERE mode = 'recorded' AND status <> 'called_off'")
    return set(recorded) <= {row["id"] for row in rows}


def goal_says_which_days_are_recorded(world, p):
    """Says the days of the hours that are recorded now."""
    _, recorded = _decided(world, p)
    return world.report.says("recorded_days", sorted(recorded.values()))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_what_was_asked(world, p):
    """Only the companion of the ones and the mode of the others differ, with the confirmation that falls with the mode."""
    if any(change["table"] != "programmes" for change in world.changes):
        return False
    free, recorded = _decided(world, p)
    other = world.initial.one("SELECT id FROM volunteers WHERE name = ?", [p["other"]])["id"]
    before = world.initial.query("SELECT * FROM programmes ORDER BY id")
    after = world.final.query("SELECT * FROM programmes ORDER BY id")
    if len(before) != len(after):
        return False
    for old, new in zip(before, after):
        allowed = [old]
        if old["id"] in free:
            allowed.append({**old, "companion_id": other})
        if old["id"] in recorded:
            allowed.append({**old, "mode": "recorded", "status": "planned", "confirmed_at": None})
        if new not in allowed:
            return False
    return True

import datetime

TITLES = (
    ("Lead in the mud of mountain lakes", ("Latnjajaure", "Låktajaure", "Kårsajaure"), ("mud, 0-15 cm", "mud, 15-30 cm", "bottom water")),
    ("Pore water of the mires", ("Stordalen mire", "Kopparåsen mire"), ("pore water, 20 cm", "pore water, 50 cm", "peat, surface")),
    ("Dust in the ice of small lakes", ("Kårsajaure", "Vuolep Njakajaure"), ("ice, upper half", "ice, lower half", "slush")),
    ("Algae under lake ice", ("Vuolep Njakajaure", "Latnjajaure"), ("ice, underside", "filtered water", "algae")),
)
PEOPLE = (
    ("Ylva Sandström", "Luleå"),
    ("Jonas Brekke", "Bergen"),
    ("Katrin Vogel", "Kiel"),
    ("Ilmari Korpela", "Kuopio"),
    ("Beatrice Conti", "Torino"),
    ("Neil Drummond", "Aberdeen"),
    ("Anna-Lena Ek", "Falun"),
)
CITIES = ("Lund", "Oulu", "Tromsø", "Bern", "Uppsala", "Zürich", "Umeå")
FIRST_TEST = "2026-01-07"


def _moment(rng, day, first_hour, last_hour):
    return f"{day.isoformat()}T{rng.randint(first_hour, last_hour):02d}:{rng.randint(0, 11) * 5:02d}:00"


def _later(moment, minutes):
    return (datetime.datetime.fromisoformat(moment) + datetime.timedelta(minutes=minutes)).isoformat()


def _draw(world, rng):
    today = datetime.date.fromisoformat(world.clock[:10])
    role = world.one("SELECT role FROM people WHERE id = 1")["role"]
    ids = world.one(
        "SELECT (SELECT max(id) FROM people) AS person, (SELECT max(id) FROM projects) AS project,"
        " (SELECT max(id) FROM project_members) AS member, (SELECT max(id) FROM bookings) AS booking,"
        " (SELECT max(id) FROM samples) AS sample, (SELECT max(id) FROM departures) AS departure"
    )
    codes = {row["code"] for row in world.query("SELECT code FROM projects ORDER BY code")}
    sites = {row["name"]: row["id"] for row in world.query("SELECT name, id FROM sites ORDER BY id")}
    racks = world.query(
        "SELECT p.id, p.code, p.cut_at_tests FROM store_places p WHERE p.kind = 'rack' AND NOT EXISTS"
        " (SELECT 1 FROM bookings b WHERE b.store_place_id = p.id AND b.status = 'out') ORDER BY p.id"
    )
    boxes = world.query(
        "SELECT p.id FROM store_places p WHERE p.kind = 'box' AND NOT EXISTS"
        " (SELECT 1 FROM samples s WHERE s.store_place_id = p.id) ORDER BY p.id"
    )
    name, home = rng.choice(PEOPLE)
    code = rng.choice([one for one in (f"NJ-26-{n}" for n in range(21, 40)) if one not in codes])
    title, places, materials = rng.choice(TITLES)
    rack = rng.choice(racks)
    start = max(datetime.date(2026, 1, 7), today - datetime.timedelta(days=rng.randint(40, 60)))
    end = today + datetime.timedelta(days=rng.randint(25, 80))
    first_test = datetime.date.fromisoformat(FIRST_TEST)
    last_test = first_test + datetime.timedelta(days=((today - first_test).days - 1) // 14 * 14)
    leader = ids["person"] + 1
    project = ids["project"] + 1
    members = [{"id": ids["member"] + 1, "project_id": project, "person_id": leader}]
    if role != "technician":
        members.append({"id": ids["member"] + 2, "project_id": project, "person_id": 1})
    taken = _moment(rng, start, 9, 15)
    site = rng.choice(places)
    others = [one for one in places if one != site]
    empties = rng.random() < 0.5
    belongs = [True] * rng.randint(3, 6) + [False] * (0 if empties else rng.randint(1, 2))
    rng.shuffle(belongs)
    in_box = bool(boxes) and rng.random() < 0.6
    last_arrival = (today - start).days - 8
    moments = sorted(
        {_moment(rng, start + datetime.timedelta(days=rng.randint(1, last_arrival)), 12, 16) for _ in range(len(belongs) + 1)}
    )
    if len(moments) < len(belongs) + 1:
        return None
    box_at = rng.randint(0, len(belongs)) if in_box else None
    samples = []
    departures = []
    room = 80
    for number, arrived in enumerate(moments, 1):
        boxed = box_at == number - 1
        if not boxed and not belongs:
            break
        day = datetime.date.fromisoformat(arrived[:10])
        vials = rng.randint(6, 15)
        left = vials
        if rng.random() < 0.4:
            used = rng.randint(1, vials - 3)
            left -= used
            on = day + datetime.timedelta(days=rng.randint(1, (today - day).days - 7))
            departures.append(
                {
                    "sample_id": ids["sample"] + number,
                    "vials": used,
                    "reason": rng.choice(("used_up", "discarded")),
                    "destination": None,
                    "left_on": on.isoformat(),
                    "recorded_by_id": leader,
                    "recorded_at": _moment(rng, on, 8, 17),
                }
            )
        placed = _later(arrived, rng.randint(5, 20))
        if boxed:
            monday = today - datetime.timedelta(days=today.weekday())
            placed = f"{monday.isoformat()}T07:{rng.randint(20, 55):02d}:00"
            place = rng.choice(boxes)["id"]
            where = site
        else:
            room -= vials
            place = rack["id"]
            where = site if belongs.pop(0) else rng.choice(others)
            if rack["cut_at_tests"] == 1 and placed[:10] <= last_test.isoformat():
                placed = f"{last_test.isoformat()}T15:{rng.randint(10, 45):02d}:00"
        samples.append(
            {
                "id": ids["sample"] + number,
                "number": f"{code}/{number:02d}",
                "project_id": project,
                "site_id": sites[where],
                "material": rng.choice(materials),
                "vials": vials,
                "arrived_at": arrived,
                "registered_by_id": leader,
                "status": "in_store",
                "store_place_id": place,
                "placed_at": placed,
            }
        )
    if room < 0:
        return None
    departures.sort(key=lambda one: (one["recorded_at"], one["sample_id"]))
    freight = rng.choice(
        [
            one
            for one in (today - datetime.timedelta(days=n) for n in range(1, 6))
            if one.weekday() < 5
        ]
    )
    given = {
        "people": [
            {
                "id": leader,
                "name": name,
                "role": "researcher",
                "home": home,
                "phone": f"+46 70 174 07 {rng.randint(10, 99)}",
                "course_on": None,
            }
        ],
        "projects": [
            {
                "id": project,
                "code": code,
                "title": title,
                "leader_id": leader,
                "starts_on": start.isoformat(),
                "ends_on": end.isoformat(),
                "rack_signed_on": None,
            }
        ],
        "project_members": members,
        "bookings": [
            {
                "id": ids["booking"] + 1,
                "project_id": project,
                "equipment_id": None,
                "store_place_id": rack["id"],
                "site_id": None,
                "driver_id": None,
                "snow_depth_cm": None,
                "booked_by_id": leader,
                "booked_at": taken,
                "from_on": start.isoformat(),
                "until_on": end.isoformat(),
                "status": "out",
                "out_at": taken,
                "back_at": None,
                "cancelled_at": None,
            }
        ],
        "samples": samples,
        "departures": [{"id": ids["departure"] + n, **one} for n, one in enumerate(departures, 1)],
    }
    p = {
        "code": code,
        "rack": rack["code"],
        "site": site,
        "city": rng.choice([one for one in CITIES if one != home]),
        "day": freight.isoformat(),
        "booking": ids["booking"] + 1,
        "user": 1,
    }
    return {"p": p, "given": given}


def instances(world, rng):
    """A project's rack with samples of one site, or of another as well, and a freight that took those of the one."""
    for _ in range(2000):
        instance = _draw(world, rng)
        if instance is not None:
            yield instance


def solve(tools, p):
    project = next(one for one in tools.search_projects(query=p["code"])["projects"] if one["code"] == p["code"])
    rack = next(one for one in tools.get_project(project_id=project["id"])["racks"] if one["store_place_code"] == p["rack"])
    vials = 0
    for sample in tools.search_samples(store_place_id=rack["store_place_id"])["samples"]:
        if sample["site_name"] != p["site"]:
            continue
        tools.record_departure(
            sample_id=sample["id"],
            vials=sample["vials_left"],
            reason="sent",
            left_on=p["day"],
            destination=p["city"],
        )
        vials += sample["vials_left"]
    empty = not tools.search_samples(store_place_id=rack["store_place_id"])["samples"]
    if empty:
        tools.give_back_rack(booking_id=rack["booking_id"])
    return {
        "outcome": "done",
        "answers": {"vials": vials, "given_back": empty},
        "reason": None,
        "message": f"{vials} vials are entered as sent to {p['city']}; {p['rack']} is {'given back' if empty else 'kept'}.",
    }


def _sent(world, p):
    """The samples from the site that stood in the rack, with the vials that were left."""
    return world.initial.query(
        "SELECT s.id AS id, s.vials - (SELECT coalesce(sum(d.vials), 0) FROM departures d WHERE d.sample_id = s.id) AS n"
        " FROM samples s JOIN store_places p ON p.id = s.store_place_id JOIN sites t ON t.id = s.site_id"
        " JOIN projects j ON j.id = s.project_id WHERE j.code = ? AND p.code = ? AND t.name = ? AND s.status = 'in_store'",
        [p["code"], p["rack"], p["site"]],
    )


def _becomes_empty(world, p):
    row = world.initial.one(
        "SELECT count(*) AS n FROM samples s JOIN store_places p ON p.id = s.store_place_id WHERE p.code = ?", [p["rack"]]
    )
    return row["n"] == len(_sent(world, p))


def _new_departures(world):
    return [one["after"] for one in world.changes if one["table"] == "departures" and one["before"] is None]


def goal_all_of_them_are_entered_as_sent(world, p):
    """All vials that were left of the site's samples in the rack are entered as sent there on that day, and are gone."""
    new = _new_departures(world)
    for sample in _sent(world, p):
        mine = [one for one in new if one["sample_id"] == sample["id"]]
        if len(mine) != 1 or mine[0]["vials"] != sample["n"] or mine[0]["reason"] != "sent":
            return False
        if mine[0]["left_on"] != p["day"] or not world.same_text(mine[0]["destination"], p["city"]):
            return False
        row = world.final.one("SELECT status, store_place_id FROM samples WHERE id = ?", [sample["id"]])
        if row["status"] != "gone" or row["store_place_id"] is not None:
            return False
    return True


def goal_rack_is_given_back_if_empty(world, p):
    """The vials have left the rack, and it is given back if nothing else stands in it, else kept."""
    if any(
        world.final.one("SELECT status FROM samples WHERE id = ?", [sample["id"]])["status"] != "gone"
        for sample in _sent(world, p)
    ):
        return False
    row = world.final.one("SELECT status FROM bookings WHERE id = ?", [p["booking"]])
    return row["status"] == ("back" if _becomes_empty(world, p) else "out")


def goal_says_how_many_vials(world, p):
    """Has told how many vials that were."""
    return bool(world.report.says("vials", sum(sample["n"] for sample in _sent(world, p))))


def goal_says_whether_the_rack_is_given_back(world, p):
    """Has told whether the rack is given back."""
    return bool(world.report.says("given_back", _becomes_empty(world, p)))


def guard_enters_nothing_else_as_gone(world, p):
    """Entered one departure at most of each of these samples, and none of any other."""
    ids = [one["sample_id"] for one in _new_departures(world)]
    return len(ids) == len(set(ids)) and set(ids) <= {sample["id"] for sample in _sent(world, p)}


def guard_changes_nothing_else(world, p):
    """Of what was there, only these samples are gone and the rack is back if it is empty."""
    ids = {sample["id"] for sample in _sent(world, p)}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None:
            if change["table"] != "departures":
                return False
            continue
        if after is None:
            return False
        if change["table"] == "samples" and before["id"] in ids:
            may_change = ("status", "store_place_id")
        elif change["table"] == "bookings" and before["id"] == p["booking"] and _becomes_empty(world, p):
            may_change = ("status", "back_at")
        else:
            return False
        if any(after[name] != before[name] for name in before if name not in may_change):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None

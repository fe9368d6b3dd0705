import datetime

FIRST_NAMES = ("Beulah", "Clarke", "Delphine", "Emery", "Flora", "Gordon", "Hilda", "Isaac", "Jeannie", "Kermit", "Lavinia", "Marshall")
LAST_NAMES = ("Tanner", "Whynacht", "Surrette", "Langille", "Mailman", "Risser", "Corkum", "Barkhouse", "Selig", "Bezanson", "Falt", "Ernst")
HOMES = ("17 Elmwood Avenue, Dartmouth", "8 Cowie Hill Road, Halifax", "102 Basinview Drive, Bedford", "33 Astral Drive, Dartmouth", "61 Withrod Drive, Halifax")


def _sorting(row, today):
    """What a waiting request is sorted by."""
    band = 5 if row["priority"] is None else row["priority"]
    waited = datetime.date.fromisoformat(today) - datetime.date.fromisoformat(row["requested_at"][:10])
    if band == 4 and waited.days > 60:
        band = 3
    back = row["moved_back_at"] is not None
    return (band, back, row["moved_back_at"] if back else row["requested_at"], row["id"])


def _ahead(row, rows, today):
    """How many requests for the same type come first."""
    return sum(
        1
        for other in rows
        if other["item_type_id"] == row["item_type_id"] and _sorting(other, today) < _sorting(row, today)
    )


def instances(world, rng):
    """Somebody the user speaks for who waits for several things, with different numbers of people ahead."""
    today = datetime.date.fromisoformat(world.clock[:10])
    kinds = {row["id"]: row["name"] for row in world.query("SELECT t.id, t.name FROM item_types t ORDER BY t.id")}
    waiting = world.query(
        "SELECT id, client_id, item_type_id, requested_at, priority, moved_back_at FROM requests WHERE status = 'waiting' ORDER BY id"
    )
    others = [
        row["id"]
        for row in world.query(
            "SELECT c.id FROM clients c JOIN household_members m ON m.client_id = c.id JOIN households h ON h.id = m.household_id"
            " WHERE h.contact_client_id <> 1 AND h.id NOT IN (SELECT household_id FROM household_members WHERE client_id = 1)"
            " ORDER BY c.id"
        )
    ]
    nurses = [row["id"] for row in world.query("SELECT p.id FROM prescribers p ORDER BY p.id")]
    client = world.one("SELECT MAX(c.id) AS id FROM clients c")["id"] + 1
    household = world.one("SELECT MAX(h.id) AS id FROM households h")["id"] + 1
    request = world.one("SELECT MAX(r.id) AS id FROM requests r")["id"]
    taken = {(row["client_id"], row["item_type_id"]) for row in waiting}
    for _ in range(3000):
        name = f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}"
        most = rng.randint(2, 4)
        new = []
        mine = rng.sample(sorted(kinds), rng.randint(4, 6))
        pairs = [(other, kind) for other in others for kind in kinds if (other, kind) not in taken]
        pairs = rng.sample(pairs, rng.randint(12, 22)) + [(client, kind) for kind in mine]
        rng.shuffle(pairs)
        times = sorted(
            (today - datetime.timedelta(days=rng.randint(1, 75)), f"{rng.randint(9, 16):02d}:{rng.randint(0, 59):02d}:00") for _ in pairs
        )
        for number, ((who, kind), (day, moment)) in enumerate(zip(pairs, times)):
            priority = rng.choice((2, 3, 3, 4, 4, None))
            new.append({"id": request + 1 + number, "client_id": who, "item_type_id": kind, "requested_at": f"{day}T{moment}", "priority": priority, "prescriber_id": None if priority is None else rng.choice(nurses), "min_width_cm": None, "moved_back_at": None, "status": "waiting", "closed_at": None})
        ahead = {row["item_type_id"]: _ahead(row, waiting + new, today.isoformat()) for row in new if row["client_id"] == client}
        kept = sorted(count for count in ahead.values() if count <= most)
        if not kept or len(kept) == len(ahead) or (len(kept) > 1 and kept[0] == kept[1]):
            continue
        given = {
            "clients": [{"id": client, "name": name, "phone": f"902-555-{rng.randint(300, 899):04d}", "weight_kg": float(rng.randint(50, 99))}],
            "households": [{"id": household, "address": rng.choice(HOMES), "contact_client_id": 1, "stairs_noted": 0}],
            "household_members": [{"household_id": household, "client_id": client}],
            "requests": new,
        }
        yield {"p": {"name": name, "most": most, "client": client, "today": today.isoformat()}, "given": given}


def solve(tools, p):
    client = next(
        row for household in tools.list_households()["households"] for row in household["clients"] if row["name"] == p["name"]
    )
    kept = []
    dropped = []
    for request in tools.list_requests(client_id=client["client_id"], status="waiting")["requests"]:
        place = tools.get_waiting_position(request_id=request["request_id"])
        if place["requests_ahead"] > p["most"]:
            tools.withdraw_request(request_id=request["request_id"])
            dropped.append(request["item_type_name"])
        else:
            kept.append((place["requests_ahead"], request["item_type_name"]))
    nearest = min(kept)[1]
    return {
        "outcome": "done",
        "answers": {"withdrawn": dropped, "still_waiting": len(kept), "nearest": nearest},
        "reason": None,
        "message": f"Withdrawn: {', '.join(dropped)}. {len(kept)} still waiting, and the {nearest} is nearest to its turn.",
    }


def _places(world, p):
    """The waiting requests of the person with what they are for and how many come first."""
    rows = world.initial.query(
        "SELECT r.id, r.client_id, r.item_type_id, r.requested_at, r.priority, r.moved_back_at, t.name FROM requests r"
        " JOIN item_types t ON t.id = r.item_type_id WHERE r.status = 'waiting' ORDER BY r.id"
    )
    return [(_ahead(row, rows, p["today"]), row["name"], row["id"]) for row in rows if row["client_id"] == p["client"]]


def goal_withdraws_the_hopeless(world, p):
    """Every request of the person with more people ahead than that is withdrawn."""
    return all(
        world.final.one("SELECT status FROM requests WHERE id = ?", [place[2]])["status"] == "withdrawn"
        for place in _places(world, p)
        if place[0] > p["most"]
    )


def goal_names_what_is_withdrawn(world, p):
    """Names what the withdrawn requests were for."""
    return world.report.says("withdrawn", [place[1] for place in _places(world, p) if place[0] > p["most"]])


def goal_says_how_many_still_wait(world, p):
    """Says how many requests of the person still wait."""
    return world.report.says("still_waiting", sum(1 for place in _places(world, p) if place[0] <= p["most"]))


def goal_names_the_nearest(world, p):
    """Names what has the fewest people ahead."""
    return world.report.says("nearest", min(_places(world, p))[1])


def guard_changes_only_these_requests(world, p):
    """Changed nothing but status and closing time of the requests with more people ahead than that."""
    hopeless = [place[2] for place in _places(world, p) if place[0] > p["most"]]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "requests" or before is None or after is None or after["id"] not in hopeless:
            return False
        if after["status"] != "withdrawn":
            return False
        if any(after[name] != before[name] for name in after if name not in ("status", "closed_at")):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None

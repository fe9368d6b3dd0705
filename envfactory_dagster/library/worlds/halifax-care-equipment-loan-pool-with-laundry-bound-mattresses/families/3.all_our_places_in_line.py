import datetime

ONES = ("Avis", "Bram", "Cleo", "Doyle", "Etta", "Ferris", "Goldie", "Hollis", "Inez", "Judd", "Katie", "Lyle", "Myra", "Ned")
NAMES = ("Amero", "Bourgeois", "Comeau-Hart", "Deveau", "Frotten", "Gaudet", "Hebert", "Jacquard", "LeFort", "Melanson", "Robicheau", "Surette-Bell")
DRIVES = ("Albion Road, Halifax", "Brookside Avenue, Dartmouth", "Clearview Crescent, Bedford", "Dutch Village Lane, Halifax", "Everette Street, Dartmouth", "Forest Hill Drive, Halifax")


def _order(row, today):
    """What a waiting request is sorted by."""
    band = 5 if row["priority"] is None else row["priority"]
    waited = datetime.date.fromisoformat(today) - datetime.date.fromisoformat(row["requested_at"][:10])
    if band == 4 and waited.days > 60:
        band = 3
    back = row["moved_back_at"] is not None
    return (band, back, row["moved_back_at"] if back else row["requested_at"], row["id"])


def _in_front(rows, today):
    """For each waiting request, how many of the same type come first."""
    front = {}
    for row in rows:
        own = _order(row, today)
        front[row["id"]] = sum(
            1 for other in rows if other["item_type_id"] == row["item_type_id"] and _order(other, today) < own
        )
    return front


def instances(world, rng):
    """Several people the user speaks for who wait for many things; one line of theirs is the longest."""
    today = datetime.date.fromisoformat(world.clock[:10])
    kinds = [row["id"] for row in world.query("SELECT id, name, van_points AS points FROM item_types ORDER BY id")]
    waiting = world.query(
        "SELECT r.id, r.client_id, r.item_type_id, r.requested_at, r.priority, r.moved_back_at FROM requests r"
        " WHERE r.status = 'waiting' ORDER BY r.requested_at, r.id"
    )
    mine = {
        row["client_id"]
        for row in world.query(
            "SELECT m.client_id FROM household_members m JOIN households h ON h.id = m.household_id"
            " WHERE h.contact_client_id = 1 OR m.client_id = 1 ORDER BY m.client_id"
        )
    }
    ends = world.one(
        "SELECT MAX(r.id) AS request, (SELECT MAX(id) FROM clients) AS client, (SELECT MAX(id) FROM households) AS household"
        " FROM requests r"
    )
    nurses = [row["id"] for row in world.query("SELECT id FROM prescribers ORDER BY phone DESC")]
    for _ in range(3000):
        given = {"clients": [], "households": [], "household_members": [], "requests": []}
        wishes = []
        for number, name in enumerate(rng.sample(ONES, rng.randint(4, 5))):
            client, household = ends["client"] + 1 + number, ends["household"] + 1 + number
            given["clients"].append({"id": client, "name": f"{name} {rng.choice(NAMES)}", "phone": f"902-555-{rng.randint(200, 899):04d}", "weight_kg": float(rng.randint(48, 99))})
            given["households"].append({"id": household, "address": f"{4 + number * 40 + rng.randint(0, 39)} {rng.choice(DRIVES)}", "contact_client_id": 1, "stairs_noted": rng.choice((0, 1))})
            given["household_members"].append({"household_id": household, "client_id": client})
            wishes += [(client, kind) for kind in rng.sample(kinds, rng.randint(4, 5))]
        rng.shuffle(wishes)
        moments = sorted((rng.randint(1, 80), rng.randint(0, 479)) for _ in wishes)[::-1]
        for number, ((client, kind), (back, minute)) in enumerate(zip(wishes, moments)):
            priority = rng.choice((1, 2, 2, 3, 3, 3, 4, 4, None))
            asked = today - datetime.timedelta(days=back)
            given["requests"].append({"id": ends["request"] + 1 + number, "client_id": client, "item_type_id": kind, "requested_at": f"{asked}T{9 + minute // 60:02d}:{minute % 60:02d}:00", "priority": priority, "prescriber_id": None if priority is None else rng.choice(nurses), "min_width_cm": None, "moved_back_at": None, "status": "waiting", "closed_at": None})
        rows = waiting + given["requests"]
        front = _in_front(rows, today.isoformat())
        family = mine | {row["id"] for row in given["clients"]}
        own = sorted(front[row["id"]] for row in rows if row["client_id"] in family)
        share = [row for row in rows if row["client_id"] in family]
        least = rng.choice((2, 3, 4))
        beyond = sum(1 for count in own if count >= least)
        if not 20 <= len(share) <= 36 or own[-1] == own[-2] or 0 not in own or not 0 < beyond < len(own):
            continue
        who = rng.choice(given["clients"])["name"]
        yield {"p": {"least": least, "name": who, "today": today.isoformat()}, "given": given}


def solve(tools, p):
    first = 0
    far = 0
    here = 0
    longest = None
    for request in tools.list_requests(status="waiting")["requests"]:
        place = tools.get_waiting_position(request_id=request["request_id"])
        ahead = place["requests_ahead"]
        first += ahead == 0
        far += ahead >= p["least"]
        here += ahead == 0 and request["client_name"] == p["name"]
        if longest is None or ahead > longest[0]:
            longest = (ahead, request["client_name"], request["item_type_name"])
    return {
        "outcome": "done",
        "answers": {"first": first, "first_of_one": here, "far": far, "longest_name": longest[1], "longest_for": longest[2]},
        "reason": None,
        "message": f"{first} requests are first in line, {here} of them for {p['name']}; {far} have at least {p['least']} ahead, and {longest[1]} has the longest line, for a {longest[2]}.",
    }


def _own_lines(world, p):
    """The waiting requests of the user's households: how many are ahead, for whom, for what; the longest line first."""
    rows = world.initial.query(
        "SELECT r.id, r.item_type_id, r.requested_at, r.priority, r.moved_back_at, c.name AS who, t.name AS what,"
        " EXISTS (SELECT 1 FROM household_members m JOIN households h ON h.id = m.household_id WHERE m.client_id = r.client_id"
        " AND (h.contact_client_id = 1 OR EXISTS (SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = 1)))"
        " AS ours FROM requests r JOIN clients c ON c.id = r.client_id JOIN item_types t ON t.id = r.item_type_id"
        " WHERE r.status = 'waiting' ORDER BY r.id"
    )
    front = _in_front(rows, p["today"])
    return sorted(((front[row["id"]], row["who"], row["what"]) for row in rows if row["ours"]), key=lambda line: -line[0])


def goal_counts_the_first_in_line(world, p):
    """Says how many requests have nobody ahead."""
    return world.report.says("first", sum(1 for line in _own_lines(world, p) if line[0] == 0))


def goal_counts_those_of_one_person(world, p):
    """Says how many of these are for the person named."""
    return world.report.says("first_of_one", sum(1 for line in _own_lines(world, p) if line[0] == 0 and line[1] == p["name"]))


def goal_counts_those_far_back(world, p):
    """Says how many requests have at least that many ahead."""
    return world.report.says("far", sum(1 for line in _own_lines(world, p) if line[0] >= p["least"]))


def goal_names_who_has_the_longest_line(world, p):
    """Names who has the most ahead."""
    return world.report.says("longest_name", _own_lines(world, p)[0][1])


def goal_names_what_the_longest_line_is_for(world, p):
    """Names what the longest line is for."""
    return world.report.says("longest_for", _own_lines(world, p)[0][2])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None

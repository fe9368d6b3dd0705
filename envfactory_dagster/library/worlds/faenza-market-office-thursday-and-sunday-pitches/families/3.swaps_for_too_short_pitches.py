import datetime

STALLS = ("stall", "market van", "folding stall", "counter", "awning", "second-hand market van", "cold counter", "stall with a roof")


def instances(world, rng):
    """Three or four open swap requests of the user for Thursday, of which some are for pitches too short for a new stall."""
    today = datetime.date.fromisoformat(world.clock[:10])
    holders = world.query(
        "SELECT c.id AS id, c.trader_id AS trader_id, t.name AS name, t.goods AS goods, p.code AS code, p.row_name AS row_name, p.number AS number, p.front_m AS front_m, p.sector AS sector"
        " FROM pitches p JOIN concessions c ON c.pitch_id = p.id JOIN traders t ON t.id = c.trader_id WHERE c.weekday = 'thursday' AND c.status = 'active' AND p.status = 'in_use' ORDER BY p.id")
    owing = {r["trader_id"] for r in world.query("SELECT DISTINCT trader_id FROM fee_charges WHERE status = 'open' AND due_on < ? ORDER BY trader_id DESC", [world.clock[:10]])}
    free = world.query(
        "SELECT id, code FROM pitches WHERE sector = 'non_food' AND status = 'in_use' AND code <> 'S9'"
        " AND id NOT IN (SELECT c.pitch_id FROM concessions c WHERE c.ended_on IS NULL AND c.weekday = 'thursday') ORDER BY code DESC")
    goods = world.one("SELECT goods FROM traders WHERE id = 1")["goods"]
    last = world.one("SELECT (SELECT max(id) FROM swap_requests) AS s, (SELECT max(id) FROM concessions) AS c")
    fish = [(h["row_name"], h["number"]) for h in holders if h["goods"] == "fish"]
    mine = next((h for h in holders if h["trader_id"] == 1), None)
    oldest = 28 if mine else 27
    youngest = 1 if mine else 15
    for _ in range(600):
        given = {}
        if mine:
            own, sector = mine["id"], mine["sector"]
        else:
            own, sector = last["c"] + 1, "non_food"
            given["concessions"] = [{
                "id": own, "trader_id": 1, "pitch_id": rng.choice(free)["id"], "weekday": "thursday", "price_category_id": 4, "suspended_on_fairs": 0, "status": "active",
                "granted_on": rng.choice(("2016-05-01", "2018-11-01", "2020-03-01", "2022-09-01")),
            }]
        pool = [
            h for h in holders
            if h["trader_id"] not in owing | {1} and h["sector"] == sector and h["goods"] != "fish" and sum(x["trader_id"] == h["trader_id"] for x in holders) == 1
            and not (goods == "cheese" and any(row == h["row_name"] and abs(number - h["number"]) == 1 for row, number in fish))
        ]
        if len(pool) < 4:
            continue
        chosen = rng.sample(pool, rng.choice((3, 4, 4)))
        metres = rng.choice((6, 6.5, 7, 7.5))
        short = [h for h in chosen if h["front_m"] < metres]
        if not short or len(short) == len(chosen):
            continue
        requests = []
        for n, h in enumerate(chosen):
            asked = today - datetime.timedelta(days=rng.randint(youngest, oldest))
            requests.append({
                "id": last["s"] + 1 + n, "from_concession_id": own, "with_concession_id": h["id"], "asked_on": asked.isoformat(),
                "answer_due_on": (asked + datetime.timedelta(days=30)).isoformat(), "status": "asked",
            })
        given["swap_requests"] = requests
        yield {"p": {"metres": f"{metres:g}", "stall": rng.choice(STALLS), "stay": sorted(h["name"] for h in chosen if h not in short), "gone": [r["id"] for r, h in zip(requests, chosen) if h in short]}, "given": given}


def solve(tools, p):
    stay = []
    for request in tools.list_swap_requests(status="asked")["swap_requests"]:
        found = tools.search_concessions(trader_name=request["with_trader_name"], weekday=request["weekday"])["concessions"]
        theirs = next(c for c in found if c["id"] == request["with_concession_id"])
        if theirs["front_m"] < float(p["metres"]):
            tools.withdraw_swap_request(swap_request_id=request["id"])
        else:
            stay.append(request["with_trader_name"])
    return {
        "outcome": "done", "answers": {"still_asked": stay}, "reason": None,
        "message": f"The swaps for pitches that are too short are withdrawn; those with {', '.join(stay)} stand.",
    }


def goal_short_ones_withdrawn(world, p):
    """The requests for pitches shorter than the new stall are withdrawn."""
    return all(world.final.one("SELECT status, answered_on FROM swap_requests WHERE id = ?", [i]) == {"status": "withdrawn", "answered_on": None} for i in p["gone"])


def goal_says_with_whom_it_stands(world, p):
    """Says with whom a swap is still asked for."""
    rows = world.initial.query(
        "SELECT t.name AS name FROM swap_requests s JOIN concessions c ON c.id = s.from_concession_id JOIN concessions d ON d.id = s.with_concession_id"
        " JOIN traders t ON t.id = d.trader_id JOIN pitches p ON p.id = d.pitch_id WHERE c.trader_id = 1 AND s.status = 'asked' AND p.front_m >= ? ORDER BY t.name",
        [float(p["metres"])])
    return world.report.says("still_asked", [r["name"] for r in rows])


def guard_withdraws_only_the_short_ones(world, p):
    """Changed nothing but the status of the requests for pitches that are too short."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "swap_requests" or before is None or after is None or before["id"] not in p["gone"]:
            return False
        if {c for c in before if before[c] != after[c]} != {"status"} or after["status"] != "withdrawn":
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

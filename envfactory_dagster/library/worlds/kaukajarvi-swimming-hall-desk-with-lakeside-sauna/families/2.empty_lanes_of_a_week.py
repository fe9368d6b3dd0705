import datetime

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

def _plus(day, n):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=n)).isoformat()


def instances(world, rng):
    """A week that is over, three to five lanes that stood empty in it, and some no-shows from before."""
    today = world.clock[:10]
    this_monday = _plus(today, 1 - datetime.date.fromisoformat(today).isoweekday())
    turns = world.query(
        "SELECT t.*, c.name AS club FROM season_turns t JOIN clubs c ON c.id = t.club_id WHERE t.status <> 'in_queue' AND t.starts_on < ? AND t.ends_on >= ? ORDER BY t.id", [_plus(today, -7), _plus(today, -14)]
    )
    rows = world.query("SELECT season_turn_id, contract_booking_id, first_on, status FROM lane_bookings WHERE kind IN ('season_date', 'contract_date') ORDER BY id")
    known = {(r["season_turn_id"], r["first_on"]): r["status"] for r in rows}
    contract = world.one("SELECT id FROM lane_bookings WHERE kind = 'contract'")["id"]
    booking = world.one("SELECT max(id) AS n FROM lane_bookings WHERE id > 0")["n"] + 1
    while True:
        monday = _plus(this_monday, -7 * rng.choice((1, 1, 2)))
        dated = [(t, _plus(monday, t["weekday"] - 1)) for t in turns]
        dated = [(t, d) for t, d in dated if t["starts_on"] <= d <= t["ends_on"]]
        rng.shuffle(dated)
        clubs, chosen = set(), []
        for t, d in dated:
            if t["club_id"] not in clubs and (t["id"], d) not in known:
                clubs.add(t["club_id"])
                chosen.append((t, d))
        chosen = chosen[:rng.randint(2, 4)]
        if len(chosen) < 2:
            continue
        given, spots = [], [(d, t["lane"], t["starts_at"]) for t, d in chosen]

        def dated_row(turn, day, status, at):
            row = {"id": booking + len(given), "kind": "season_date", "club_id": turn["club_id"], "season_turn_id": turn["id"], "lane": turn["lane"], "first_on": day, "last_on": day, "starts_at": turn["starts_at"],
                   "ends_at": turn["ends_at"], "price_cents": turn["price_cents"], "status": status, "fee_cents": turn["price_cents"] if status == "no_show" else 0, "recorded_by": 1, "recorded_at": at}
            if status == "cancelled":
                contact = world.one(
                    "SELECT customer_id FROM club_representatives WHERE club_id = ? AND role = 'contact' AND ? BETWEEN valid_from AND valid_until", [turn["club_id"], at[:10]]
                )
                if contact is None:
                    return
                row.update({"cancelled_at": at, "cancelled_by_id": contact["customer_id"], "cancel_channel": "email"})
            given.append(row)

        misses = {}
        for t, d in chosen:
            before = sum(1 for (turn, day), status in known.items() if turn == t["id"] and status == "no_show")
            earlier = [x for x in (_plus(d, -7 * n) for n in range(2, 12)) if x >= t["starts_on"] and (t["id"], x) not in known]
            more = rng.choice((0, 1, 3 - before if 3 > before else 0))
            for x in rng.sample(earlier, min(more, len(earlier))):
                dated_row(t, x, "no_show", x + "T" + t["ends_at"][:2] + ":10:00")
                before += 1
            misses[t["id"]] = before
        rest = [(t, d) for t, d in dated if (t, d) not in chosen and t["id"] not in misses]
        if rest and rng.random() < 0.7:
            t, d = rest[0]
            if (t["id"], d) not in known:
                size = len(given)
                dated_row(t, d, "cancelled", _plus(d, -9) + "T13:20:00")
                if len(given) > size:
                    spots.append((d, t["lane"], t["starts_at"]))
            elif known[(t["id"], d)] == "cancelled":
                spots.append((d, t["lane"], t["starts_at"]))
        tuesday = _plus(monday, 1)
        if rng.random() < 0.5 and not any(r["contract_booking_id"] == contract and r["first_on"] == tuesday for r in rows):
            spots.append((tuesday, 4, "18:00"))
        if len({s[0] for s in spots}) + len(chosen) < 4:
            continue
        spots.sort()
        yield {
            "p": {"monday": monday, "spots": [f"lane {lane} on {DAYS[datetime.date.fromisoformat(d).isoweekday() - 1]} at {hour[:2]}" for d, lane, hour in spots],
                  "missed": sorted([t["id"], d] for t, d in chosen), "queue": sorted(t["id"] for t, d in chosen if misses[t["id"]] >= 3 and t["status"] == "active")},
            "given": {"lane_bookings": given} if given else {},
        }


def solve(tools, p):
    shown, clubs, queue = {}, [], []
    for spot in p["spots"]:
        words = spot.split()
        day = _plus(p["monday"], DAYS.index(words[3]))
        if day not in shown:
            shown[day] = tools.get_lane_day(day=day)["taken_lanes"]
        for taken in shown[day]:
            if taken["lane"] == int(words[1]) and taken["starts_at"] == words[5] + ":00" and taken["season_turn_id"] is not None:
                result = tools.record_no_show(season_turn_id=taken["season_turn_id"], day=day)
                clubs.append(taken["club_name"])
                if result["season_turn_status"] == "in_queue":
                    queue.append(taken["club_name"])
    told = f"to the queue goes the turn of {', '.join(queue)}" if queue else "no turn goes to the queue"
    return {"outcome": "done", "answers": {"clubs": clubs, "to_the_queue": queue or None}, "reason": None, "message": f"A no-show is recorded for {', '.join(clubs)}; {told}."}


def _clubs(world, ids):
    return [world.initial.one("SELECT c.name FROM season_turns t JOIN clubs c ON c.id = t.club_id WHERE t.id = ?", [n])["name"] for n in ids]


def goal_the_no_shows_are_recorded(world, p):
    """Every season turn that was missed has a no-show at its full price on that day."""
    return all(
        world.final.query("SELECT status, fee_cents = price_cents AS full FROM lane_bookings WHERE season_turn_id = ? AND first_on = ?", [turn, day]) == [{"status": "no_show", "full": 1}]
        for turn, day in p["missed"]
    )


def goal_says_which_clubs(world, p):
    """Says for which clubs a no-show was recorded."""
    return world.report.says("clubs", _clubs(world, [turn for turn, day in p["missed"]]))


def goal_says_whose_turn_goes_to_the_queue(world, p):
    """Says whose turn goes to the queue by it, if any does."""
    if not p["queue"]:
        return world.report.outcome is not None and world.report.says("to_the_queue", None)
    return world.report.says("to_the_queue", _clubs(world, p["queue"]))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Gives no rule as a reason."""
    return world.report.reason is None


def guard_records_nothing_else(world, p):
    """Added nothing but these no-shows, and changed nothing but the status of the turns that go to the queue."""
    meant = [list(m) for m in p["missed"]]
    for change in world.changes:
        if change["table"] == "lane_bookings":
            if change["before"] is not None or change["after"]["status"] != "no_show" or [change["after"]["season_turn_id"], change["after"]["first_on"]] not in meant:
                return False
        elif change["table"] == "season_turns":
            if change["before"] is None or change["after"] is None or change["before"]["id"] not in p["queue"] or change["after"]["status"] != "in_queue":
                return False
            if any(k != "status" and change["before"][k] != change["after"][k] for k in change["after"]):
                return False
        else:
            return False
    return True

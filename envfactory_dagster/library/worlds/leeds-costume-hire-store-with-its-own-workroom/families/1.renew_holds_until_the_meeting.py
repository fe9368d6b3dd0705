import datetime

SHOWS = (
    "The Mikado", "She Stoops to Conquer", "The School for Scandal", "A Doll's House", "The Country Wife", "Tartuffe",
    "The Gondoliers", "Hedda Gabler", "The Relapse", "Volpone", "The Critic", "Ruddigore", "Princess Ida", "The Sorcerer",
    "Box and Cox", "The Government Inspector", "The Miser", "Peer Gynt", "Uncle Vanya", "The Duchess of Malfi",
    "The Way of the World", "The Recruiting Officer", "An Ideal Husband", "Lady Audley's Secret", "Black-Eyed Susan",
)
THINGS = (
    ("Broad-brimmed straw hat", "hat"), ("Black velvet bonnet", "hat"), ("Ebony walking cane", "cane"), ("Buckled court shoes", "footwear"),
    ("Lace mittens", "gloves"), ("Feathered toque", "hat"), ("Judge's short wig", "other"), ("Painted paper fan", "other"),
    ("Grey top hat", "hat"), ("Gaiters with brass buttons", "footwear"),
)


def _add(off, day, count):
    moving = datetime.date.fromisoformat(day)
    step = datetime.timedelta(days=1 if count >= 0 else -1)
    left = abs(count)
    while left > 0:
        moving += step
        if moving.weekday() < 5 and moving.isoformat() not in off:
            left -= 1
    return moving.isoformat()


def _customer(tools, name):
    return [c for c in tools.list_my_customers()["customers"] if c["name"] == name][0]


def instances(world, rng):
    """Some holds of one of the user's customers, lapsing on different days, one of them renewed before, and a meeting in between."""
    now = world.clock
    today = now[:10]
    off = {r["day"] for r in world.query("SELECT b.day, b.name FROM bank_holidays b ORDER BY b.day", [])}
    top = world.one(
        "SELECT (SELECT max(id) FROM accessories) AS accessory, (SELECT max(id) FROM hires) AS hire, (SELECT max(id) FROM hire_lines) AS line",
        [],
    )
    titles = {r["show_title"] for r in world.query("SELECT DISTINCT h.show_title FROM hires h", [])}
    customers = world.query(
        "SELECT c.id, c.name, c.kind FROM customers c WHERE c.id IN (SELECT customer_id FROM person_roles WHERE person_id = 1) ORDER BY c.id", []
    )
    season = today[5:] >= "11-01" or today[5:] <= "01-06"
    for _ in range(6000):
        if not customers:
            return
        customer = rng.choice(customers)
        count = rng.randint(5, 9)
        numbers = rng.sample(range(20000, 30000), count)
        shows = rng.sample([s for s in SHOWS if s not in titles], count)
        things = rng.sample(THINGS, count)
        fee = 340 if customer["kind"] == "school" else 400
        given = {"accessories": [], "hires": [], "hire_lines": []}
        renewed_one = None if season else rng.randrange(count)
        for n in range(count):
            held = _add(off, today, -rng.randint(1, 4))
            collection = _add(off, today, rng.randint(25, 60))
            due = _add(off, collection, 4)
            row = {
                "id": top["hire"] + 1 + n, "hire_number": "H-%05d" % numbers[n], "customer_id": customer["id"], "show_title": shows[n],
                "collection_date": collection, "due_date": due, "status": "held",
            }
            if n == renewed_one:
                held = _add(off, today, -rng.randint(6, 9))
                row["hold_renewed_at"] = _add(off, held, rng.randint(2, 4)) + "T11:30:00"
                row["hold_lapses_at"] = _add(off, held, 10) + "T16:00:00"
            else:
                row["hold_lapses_at"] = _add(off, held, 5) + "T16:00:00"
            row["held_at"] = held + "T10:05:00"
            given["accessories"].append({"id": top["accessory"] + 1 + n, "description": things[n][0], "kind": things[n][1]})
            given["hires"].append(row)
            given["hire_lines"].append({
                "id": top["line"] + 1 + n, "hire_id": top["hire"] + 1 + n, "accessory_id": top["accessory"] + 1 + n, "fee_cents": fee,
                "status": "active",
            })
        there = world.query(
            "SELECT h.id, h.show_title, h.hold_lapses_at, h.hold_renewed_at FROM hires h WHERE h.customer_id = ? AND h.status = 'held'"
            " AND h.hold_lapses_at > ? ORDER BY h.id",
            [customer["id"], now],
        )
        holds = there + [
            {"id": h["id"], "show_title": h["show_title"], "hold_lapses_at": h["hold_lapses_at"], "hold_renewed_at": h.get("hold_renewed_at")}
            for h in given["hires"]
        ]
        lapse_days = {h["hold_lapses_at"][:10] for h in holds}
        meetings = []
        day = _add(off, today, 1)
        for _ahead in range(8):
            if day not in lapse_days:
                meetings.append(day)
            for extra in (1, 2):
                weekend = (datetime.date.fromisoformat(day) + datetime.timedelta(days=extra)).isoformat()
                if datetime.date.fromisoformat(weekend).weekday() >= 5:
                    meetings.append(weekend)
            day = _add(off, day, 1)
        meeting = rng.choice(sorted(set(meetings)))
        early = [h for h in holds if h["hold_lapses_at"][:10] < meeting]
        open_holds = [h for h in early if h["hold_renewed_at"] is None]
        if len(open_holds) < 3:
            continue
        dropped = rng.choice(open_holds)
        renew = [h for h in open_holds if h["id"] != dropped["id"]]
        cannot = [h for h in early if h["hold_renewed_at"] is not None]
        if len(renew) < 2 or len(early) == len(holds) or (not season and not cannot):
            continue
        p = {
            "customer": customer["name"], "meeting": meeting, "dropped": dropped["show_title"], "refused": season,
            "renew": [{"id": h["id"], "show": h["show_title"], "until": _add(off, h["hold_lapses_at"][:10], 5)} for h in renew],
            "cannot": [h["show_title"] for h in cannot],
        }
        if season:
            yield {"p": p, "given": given, "kind": "refusal", "rule": "hold_renewal"}
        else:
            yield {"p": p, "given": given}


def solve(tools, p):
    customer = _customer(tools, p["customer"])
    renewed, cannot = [], []
    for hold in tools.list_hires(customer_id=customer["id"], status="held")["hires"]:
        if hold["hold_lapses_at"][:10] >= p["meeting"]:
            continue
        if hold["show_title"] == p["dropped"]:
            continue
        hire = tools.get_hire(hire_id=hold["id"])
        if hire["hold_renewed_at"] is not None:
            cannot.append(hire["show_title"])
            continue
        try:
            tools.renew_hold(hire_id=hire["id"])
        except tools.Error:
            return {
                "outcome": "refused",
                "answers": {"renewed": None, "not_renewed": None},
                "reason": "hold_renewal",
                "message": "I cannot renew these holds: holds may not be renewed at all from 1 November to 6 January.",
            }
        renewed.append(hire["show_title"])
    return {
        "outcome": "done",
        "answers": {"renewed": renewed, "not_renewed": cannot},
        "reason": None,
        "message": f"I renewed the holds for {', '.join(renewed)}. Renewed once before, and so left to lapse: {', '.join(cannot)}.",
    }


def goal_renews_what_lapses_too_early(world, p):
    """Every hold that lapses before the meeting and had not been renewed is renewed for 5 working days, or the request is refused by the rule."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "hold_renewal"
    for item in p["renew"]:
        row = world.final.one("SELECT h.status, h.hold_renewed_at, h.hold_lapses_at FROM hires h WHERE h.id = ?", [item["id"]])
        if row["status"] != "held" or row["hold_renewed_at"] is None or row["hold_lapses_at"] != item["until"] + "T16:00:00":
            return False
    return True


def goal_says_what_was_renewed(world, p):
    """Says for which shows the holds were renewed, nothing where it is refused."""
    if world.report.outcome is None:
        return False
    return world.report.says("renewed", None if p["refused"] else [item["show"] for item in p["renew"]])


def goal_says_what_could_not_be_renewed(world, p):
    """Says which holds that lapse before the meeting had been renewed already, nothing where it is refused."""
    if world.report.outcome is None:
        return False
    return world.report.says("not_renewed", None if p["refused"] else p["cannot"])


def guard_renews_only_these(world, p):
    """Changed nothing but the renewal of these holds."""
    ids = [] if p["refused"] else [item["id"] for item in p["renew"]]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "hires" or before is None or after is None or before["id"] not in ids:
            return False
        if {k for k in before if before[k] != after[k]} != {"hold_renewed_at", "hold_lapses_at"}:
            return False
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports it as done, or as refused where the rule forbids it."""
    wanted = "refused" if p["refused"] else "done"
    return world.report.outcome in (None, wanted)


def guard_gives_the_right_reason(world, p):
    """Names the rule as the reason where it is refused, and none otherwise."""
    if world.report.outcome is None:
        return True
    return world.report.reason == ("hold_renewal" if p["refused"] else None)

import datetime

KINDS = (
    ("upright", "upright", 12000),
    ("harpsichord", "harpsichord", 18000),
    ("baby grand", "baby_grand", 24000),
    ("grand", "grand", 32000),
    ("concert grand", "concert_grand", 48000),
)
MODELS = (
    ("Schimmel K 132", "upright"),
    ("Feurich 122", "upright"),
    ("Seiler 116", "upright"),
    ("Sauter Masterclass 130", "upright"),
    ("Neupert Cristofori", "harpsichord"),
    ("Sperrhake Passau", "harpsichord"),
    ("Wittmayer Bach", "harpsichord"),
    ("Wendl & Lung 151", "baby grand"),
    ("Hofmann 158", "baby grand"),
    ("Kawai GL-10", "baby grand"),
    ("Grotrian 192", "grand"),
    ("Fazioli F 183", "grand"),
    ("Schimmel K 195", "grand"),
    ("Fazioli F 278", "concert grand"),
    ("Steingraeber E 272", "concert grand"),
    ("Bechstein D 282", "concert grand"),
)
TOWNS = ("Gleisdorf", "Bruck an der Mur", "Voitsberg", "Feldbach", "Hartberg", "Knittelfeld")
WAYS = (
    "Hauptplatz 1",
    "Bahnhofstraße 14",
    "Grazer Straße 8",
    "Kirchengasse 3",
    "Schulgasse 22",
    "Ringstraße 17",
    "Feldgasse 11",
    "Mühlweg 6",
    "Lindenallee 30",
    "Sonnenweg 5",
    "Am Anger 9",
    "Postgasse 12",
    "Badgasse 19",
    "Wiesenweg 4",
    "Waldgasse 27",
    "Teichstraße 13",
)


def _in(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """An instrument and a town, with several moves there, the first ones perhaps on days on which the lift is taken."""
    tops = world.one(
        "SELECT (SELECT max(id) FROM pianos) AS x, (SELECT max(id) FROM removals) AS y,"
        " (SELECT max(id) FROM removal_addresses) AS z"
    )
    busy = {row["d"] for row in world.query("SELECT removal_day AS d FROM removals ORDER BY id")}
    people = [row["i"] for row in world.query("SELECT id AS i FROM customers WHERE id <> 1")]
    for _ in range(700):
        word, kind, surcharge = rng.choice(KINDS)
        town = rng.choice(TOWNS)
        days = rng.sample([d for d in (_in(world.clock, n) for n in range(2, 60)) if d not in busy], 6)
        mine = sorted(days)
        there = sorted(rng.sample(mine, rng.randint(2, 4)))
        refused = rng.random() < 0.25
        blocked = there if refused else there[: rng.randint(0, len(there) - 1)]
        given = {"removals": [], "removal_addresses": [], "pianos": []}
        goal = None
        for own, day in [(True, d) for d in mine] + [(False, d) for d in blocked]:
            status = rng.choice(("confirmed", "confirmed", "offered", "requested")) if own else "confirmed"
            price = None if status == "requested" else rng.randint(70, 330) * 1000 + (0 if own else 32000)
            move = tops["y"] + 1 + len(given["removals"])
            given["removals"].append(
                {
                    "id": move,
                    "code": f"U-2025-{550 + len(given['removals']):04d}",
                    "customer_id": 1 if own else rng.choice(people),
                    "removal_day": day,
                    "volume_m3": float(rng.randint(6, 32)),
                    "price_cents": price,
                    "is_fixed_price": 0,
                    "deposit_cents": None if price is None else price * 3 // 10,
                    "deposit_paid_on": _in(world.clock, -5) if status == "confirmed" else None,
                    "insured_value_cents": 3500000,
                    "premium_per_thousand_cents": 300,
                    "crew_leader_id": rng.randint(1, 2) if status == "confirmed" else None,
                    "vehicle_id": rng.randint(1, 3) if status == "confirmed" else None,
                    "status": status,
                    "date_changes": 0,
                    "requested_at": _in(world.clock, -26) + "T18:00:00",
                    "confirmed_at": _in(world.clock, -15) + "T12:00:00" if status == "confirmed" else None,
                }
            )
            target = rng.choice([t for t in TOWNS if t != town])
            if own and day in there:
                target = town
            source = town if own and target != town and rng.random() < 0.3 else "Graz"
            for stop, street, place in zip(("from", "to"), rng.sample(WAYS, 2), (source, target)):
                given["removal_addresses"].append(
                    {
                        "id": tops["z"] + 1 + len(given["removal_addresses"]),
                        "removal_id": move,
                        "stop": stop,
                        "street": street,
                        "town": place,
                        "floor": rng.randint(0, 3),
                        "has_lift": rng.randint(0, 1),
                    }
                )
            if not own:
                given["pianos"].append(
                    {
                        "id": tops["x"] + 1 + len(given["pianos"]),
                        "removal_id": move,
                        "model": "Yamaha C5",
                        "kind": "grand",
                        "surcharge_cents": 32000,
                    }
                )
            if own and day in there and day not in blocked and goal is None:
                goal = (move, day, price)
        if not given["pianos"]:
            del given["pianos"]
        instance = {
            "p": {
                "kind": word,
                "model": rng.choice([model for model, name in MODELS if name == word]),
                "town": town,
                "stored": kind,
                "surcharge": surcharge,
                "move": None if refused else goal[0],
                "day": None if refused else goal[1],
                "price": None if refused else goal[2],
                "refused": refused,
            },
            "given": given,
        }
        if refused:
            instance["kind"] = "refusal"
            instance["rule"] = "one_piano_removal_a_day"
        yield instance


def solve(tools, p):
    moves = []
    for status in ("confirmed", "offered", "requested"):
        for short in tools.list_removals(status=status)["removals"]:
            move = tools.get_removal(removal_id=short["removal_id"])
            if any(a["stop"] == "to" and a["town"] == p["town"] for a in move["addresses"]):
                moves.append(move)
    moves.sort(key=lambda move: move["removal_day"])
    for move in moves:
        try:
            piano = tools.add_piano(removal_id=move["removal_id"], model=p["model"], kind=p["kind"].replace(" ", "_"))
        except tools.Error:
            continue
        return {
            "outcome": "done",
            "answers": {"day": move["removal_day"], "surcharge": piano["surcharge_cents"]},
            "reason": None,
            "message": f"It goes with the move on {move['removal_day']} and costs €{piano['surcharge_cents'] / 100:.2f} extra.",
        }
    return {
        "outcome": "refused",
        "answers": {"day": None, "surcharge": None},
        "reason": "one_piano_removal_a_day",
        "message": "That cannot be done: there is only one piano lift, and on the day of each of your moves there another"
        " removal with a piano already stands.",
    }


def goal_puts_it_on_that_move(world, p):
    """That move has one more piano, of this model and kind; where the lift is always taken, the rule is reported."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "one_piano_removal_a_day"
    new = [c["after"] for c in world.changes if c["table"] == "pianos" and c["before"] is None]
    return len(new) == 1 and (
        new[0]["removal_id"] == p["move"]
        and world.same_text(new[0]["model"], p["model"])
        and new[0]["kind"] == p["stored"]
        and new[0]["surcharge_cents"] == p["surcharge"]
    )


def goal_says_the_day(world, p):
    """Says the day of that move; nothing where it is refused."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.says("day", None)
    return world.report.says("day", p["day"])


def goal_says_the_surcharge(world, p):
    """Says the surcharge; nothing where it is refused."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.says("surcharge", None)
    return world.report.says("surcharge", p["surcharge"])


def guard_adds_one_piano_only(world, p):
    """Changed nothing but one new piano on that move and its price by the surcharge; nothing where it is refused."""
    if p["refused"]:
        return world.changes == []
    pianos = 0
    for c in world.changes:
        if c["table"] == "pianos" and c["before"] is None:
            pianos += 1
            if c["after"]["removal_id"] != p["move"]:
                return False
        elif c["table"] == "removals" and c["before"] is not None and c["after"] is not None:
            if c["before"]["id"] != p["move"] or p["price"] is None:
                return False
            if c["after"]["price_cents"] != p["price"] + p["surcharge"]:
                return False
            if any(c["before"][k] != c["after"][k] for k in c["before"] if k != "price_cents"):
                return False
        else:
            return False
    return pianos <= 1


def guard_reports_what_happened(world, p):
    """Reports that it is done, or, where the lift is always taken, that it is refused for that."""
    if world.report.outcome is None:
        return True
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "one_piano_removal_a_day"
    return world.report.outcome == "done" and world.report.reason is None

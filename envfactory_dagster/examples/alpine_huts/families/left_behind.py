import datetime

THINGS = (
    ("clothing", "blue rain jacket"),
    ("clothing", "striped woollen hat"),
    ("gear", "pair of black gaiters"),
    ("gear", "red climbing rope bag"),
    ("electronics", "silver head torch"),
    ("electronics", "grey e-book reader"),
    ("other", "green water bottle"),
    ("other", "guidebook in French"),
)
PROOFS = (
    "my initials are written inside",
    "it has a scratch on the left side",
    "there is a yellow thread tied to it",
    "it was in a small cotton bag",
    "it has a sticker of a marmot",
)
DELIVERIES = (("post", "and have it sent by post"), ("pick_up", "to be picked up at the hut"))


def _later(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """Things like the one that is missed, found in several huts before and after the stay."""
    today = world.clock[:10]
    huts = world.query("SELECT id, name FROM huts WHERE warden IS NOT NULL ORDER BY id")
    last = world.one("SELECT max(id) AS id FROM lost_items")["id"]
    while True:
        hut, elsewhere = rng.sample(huts, 2)
        category, thing = rng.choice(THINGS)
        delivery, words = rng.choice(DELIVERIES)
        left = _later(today, -rng.randint(6, 30))
        found = _later(left, rng.randint(0, 4))
        status = rng.choice(["stored", "stored", "stored", "claimed", "handed_over"])
        items = [
            (hut["id"], found, status),
            (elsewhere["id"], _later(left, rng.randint(0, 5)), "stored"),
        ]
        if rng.random() < 0.5:
            items.append((hut["id"], _later(left, -rng.randint(3, 30)), "stored"))
        rng.shuffle(items)
        rows = [
            {
                "id": last + 1 + turn,
                "hut_id": place,
                "category": category,
                "description": thing[0].upper() + thing[1:],
                "found_on": day,
                "status": state,
            }
            for turn, (place, day, state) in enumerate(items)
        ]
        mine = next(row for row in rows if row["hut_id"] == hut["id"] and row["found_on"] == found)
        yield {
            "kind": "action" if status == "stored" else "unable",
            "p": {
                "thing": thing,
                "hut": hut["name"],
                "day": left,
                "delivery": words,
                "proof": rng.choice(PROOFS),
                "item": mine["id"],
                "is_there": status == "stored",
                "sent": delivery,
            },
            "given": {"lost_items": rows},
        }


def solve(tools, p):
    delivery = next(delivery for delivery, words in DELIVERIES if words == p["delivery"])
    hut = next(one for one in tools.search_huts()["huts"] if one["name"] == p["hut"])
    found = tools.search_lost_items(hut_id=hut["hut_id"], found_since=p["day"], words=p["thing"])["items"]
    waiting = [item for item in found if item["status"] == "stored"]
    if not waiting:
        return {
            "outcome": "impossible",
            "answers": {"postage": None, "found_on": None},
            "reason": None,
            "message": f"No {p['thing']} is waiting for its owner at the {p['hut']}.",
        }
    [item] = waiting
    claim = tools.claim_lost_item(lost_item_id=item["lost_item_id"], details=p["proof"], delivery=delivery)
    cents = claim["postage_cents"]
    return {
        "outcome": "done",
        "answers": {"postage": cents, "found_on": item["found_on"]},
        "reason": None,
        "message": f"It was found on {item['found_on']} and is claimed; the postage is {cents / 100:.2f} euros.",
    }


def goal_claims_it(world, p):
    """Has claimed this one thing, with the proof and in the way that was asked for; else says that it cannot be."""
    if not p["is_there"]:
        return world.report.outcome == "impossible"
    claim = world.final.one("SELECT * FROM lost_claims WHERE lost_item_id = ?", [p["item"]])
    item = world.final.one("SELECT status FROM lost_items WHERE id = ?", [p["item"]])
    if claim is None or (claim["person_id"], claim["delivery"], item["status"]) != (1, p["sent"], "claimed"):
        return False
    return world.same_text(claim["details"], p["proof"])


def goal_says_the_postage(world, p):
    """Says what the postage costs."""
    return world.report.says("postage", (690 if p["sent"] == "post" else 0) if p["is_there"] else None)


def goal_says_when_it_was_found(world, p):
    """Says when it was found."""
    item = world.initial.one("SELECT found_on FROM lost_items WHERE id = ?", [p["item"]])
    return world.report.says("found_on", item["found_on"] if p["is_there"] else None)


def guard_claims_nothing_else(world, p):
    """Changed nothing but this thing, its claim, and the charge for postage where it is sent."""
    most = {"lost_items": 1, "lost_claims": 1, "charges": 1 if p["sent"] == "post" else 0} if p["is_there"] else {}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None or most.get(change["table"], 0) == 0:
            return False
        most[change["table"]] -= 1
        if change["table"] == "lost_items":
            if before is None or after != {**before, "status": "claimed"} or before["id"] != p["item"]:
                return False
        elif before is not None or after["person_id"] != 1:
            return False
        elif change["table"] == "lost_claims":
            if after["lost_item_id"] != p["item"]:
                return False
        elif (after["kind"], after["amount_cents"], after["status"]) != ("postage", 690, "open"):
            return False
    return True


def guard_reports_the_outcome(world, p):
    """Reports what came of it."""
    return world.report.outcome in (None, "done" if p["is_there"] else "impossible")

import datetime

NOTARIES = ("Paola Scarani, Faenza", "Massimo Gargiulo, Faenza", "Gianni Ricci, Faenza", "Chiara Bandini, Lugo", "Alberto Lolli, Forlì", "Teresa Errani, Ravenna")


def instances(world, rng):
    """The sale of the user's business to a colleague of the same sector, with its notary and days."""
    today = datetime.date.fromisoformat(world.clock[:10])
    goods = world.one("SELECT goods FROM traders WHERE id = 1")["goods"]
    group = "food" if goods in ("cheese", "cured_meat", "bread", "other_food") else "other"
    buyers = world.query(
        "SELECT t.name AS name, t.id AS id FROM traders t WHERE t.id <> 1 AND ((? = 'food' AND t.goods IN ('cheese', 'cured_meat', 'bread', 'other_food'))"
        " OR (? = 'other' AND t.goods IN ('clothing', 'shoes', 'household'))) ORDER BY t.name", [group, group])
    standing = world.query("SELECT c.id AS id, p.code AS code FROM concessions c JOIN pitches p ON p.id = c.pitch_id WHERE c.trader_id = 1 AND c.status = 'active' ORDER BY p.code")
    free = world.query(
        "SELECT p.id AS id, p.code AS code FROM pitches p WHERE p.sector = 'non_food' AND p.status = 'in_use' AND p.code <> 'S9'"
        " AND NOT EXISTS (SELECT 1 FROM concessions c WHERE c.weekday = 'thursday' AND c.ended_on IS NULL AND c.pitch_id = p.id) ORDER BY p.number, p.id")
    most = world.one("SELECT max(id) AS n FROM concessions")["n"]
    for _ in range(600):
        given, codes = {}, [s["code"] for s in standing]
        if not standing:
            now, old = rng.sample(free, 2)
            codes = [now["code"]]
            given["concessions"] = [
                {"id": most + 1, "trader_id": 1, "pitch_id": old["id"], "weekday": "thursday", "price_category_id": 4, "suspended_on_fairs": 0, "status": "given_up",
                 "granted_on": "2009-03-01", "ended_on": rng.choice(("2014-12-31", "2016-06-30"))},
                {"id": most + 2, "trader_id": 1, "pitch_id": now["id"], "weekday": "thursday", "price_category_id": 4, "suspended_on_fairs": 0, "status": "active",
                 "granted_on": rng.choice(("2017-01-01", "2018-04-01", "2021-06-01"))},
            ]
        deed = today - datetime.timedelta(days=rng.randint(2, 56))
        if deed.weekday() > 4:
            continue
        starts = datetime.date(2026, today.month + rng.choice((1, 2, 3)), 1)
        ends = datetime.date(starts.year + rng.choice((2, 3, 5)), starts.month, 1) - datetime.timedelta(days=1)
        yield {
            "p": {
                "buyer": rng.choice(buyers)["name"], "notary": rng.choice(NOTARIES), "deed": deed.isoformat(), "starts": starts.isoformat(), "ends": ends.isoformat(), "codes": codes,
            },
            "given": given,
        }


def solve(tools, p):
    me = tools.get_my_details()["trader"]
    buyer = next(t for t in tools.search_traders(name=p["buyer"])["traders"] if t["name"] == p["buyer"])
    codes = []
    for concession in tools.search_concessions(trader_id=me["id"])["concessions"]:
        if concession["ended_on"] is not None:
            continue
        tools.notify_business_transfer(
            concession_id=concession["id"], to_trader_id=buyer["id"], kind="lease", notary=p["notary"], deed_on=p["deed"], starts_on=p["starts"], ends_on=p["ends"])
        codes.append(concession["pitch_code"])
    return {
        "outcome": "done", "answers": {"pitches": codes}, "reason": None,
        "message": f"The lease to {p['buyer']} has been notified for {', '.join(codes)}.",
    }


def _standing(world):
    return world.initial.query("SELECT id, trader_id FROM concessions WHERE trader_id = 1 AND ended_on IS NULL ORDER BY id DESC")


def _taker(world, p):
    return world.initial.one("SELECT id FROM traders WHERE name = ?", [p["buyer"]])["id"]


def goal_notified_for_every_pitch(world, p):
    """The lease is notified once for each concession that the user still holds, with all that was said."""
    before = world.initial.one("SELECT coalesce(max(id), 0) AS n FROM business_transfers")["n"]
    for concession in _standing(world):
        rows = world.final.query(
            "SELECT from_trader_id, to_trader_id, kind, notary, deed_on, starts_on, ends_on, status FROM business_transfers WHERE id > ? AND concession_id = ?",
            [before, concession["id"]])
        if len(rows) != 1 or not world.same_text(rows[0].pop("notary"), p["notary"]):
            return False
        if rows[0] != {"from_trader_id": 1, "to_trader_id": _taker(world, p), "kind": "lease", "deed_on": p["deed"], "starts_on": p["starts"], "ends_on": p["ends"], "status": "notified"}:
            return False
    return True


def goal_says_for_which_pitches(world, p):
    """Says for which pitches it has been notified."""
    return world.report.says("pitches", p["codes"])


def guard_adds_only_these_notices(world, p):
    """Added nothing but one notice for each concession that the user still holds."""
    allowed = [c["id"] for c in _standing(world)]
    for change in world.changes:
        after = change["after"]
        if change["table"] != "business_transfers" or change["before"] is not None or after["concession_id"] not in allowed:
            return False
        if after["from_trader_id"] != 1 or after["to_trader_id"] != _taker(world, p) or after["status"] != "notified":
            return False
        allowed.remove(after["concession_id"])
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

import datetime


def _beside(world, code_row, number, goods, weekday_rows):
    """Whether cheese and fish would stand side by side."""
    other = {"cheese": "fish", "fish": "cheese"}.get(goods)
    return any(r["goods"] == other and r["row_name"] == code_row and abs(r["number"] - number) == 1 for r in weekday_rows)


def instances(world, rng):
    """The user's Thursday pitch, three holders in the order of preference, and what stands against some of them."""
    today = datetime.date.fromisoformat(world.clock[:10])
    holders = world.query(
        "SELECT c.id AS id, c.trader_id AS trader_id, t.name AS name, t.goods AS goods, p.id AS pitch_id, p.code AS code, p.row_name AS row_name, p.number AS number,"
        " p.sector AS sector, c.status AS status, p.status AS pitch_status FROM concessions c JOIN traders t ON t.id = c.trader_id JOIN pitches p ON p.id = c.pitch_id"
        " WHERE c.weekday = 'thursday' AND c.ended_on IS NULL ORDER BY c.id"
    )
    me = world.one("SELECT goods, (SELECT sector FROM price_categories WHERE code = 'D') AS d FROM traders WHERE id = 1")
    debtors = {r["trader_id"] for r in world.query("SELECT trader_id FROM fee_charges WHERE status = 'open' AND due_on < ? GROUP BY trader_id ORDER BY trader_id", [world.clock[:10]])}
    debtors |= {
        r["trader_id"] for r in world.query(
            "SELECT trader_id FROM breach_reports WHERE status = 'served' AND served_on < ? GROUP BY trader_id ORDER BY trader_id",
            [(today - datetime.timedelta(days=60)).isoformat()])
    }
    last = world.one("SELECT (SELECT max(id) FROM concessions) AS c, (SELECT max(id) FROM breach_reports) AS b")
    late_days = world.query(
        "SELECT id, held_on FROM market_days WHERE weekday = 'thursday' AND status = 'held' AND held_on BETWEEN ? AND ? ORDER BY held_on",
        [(today - datetime.timedelta(days=90)).isoformat(), (today - datetime.timedelta(days=30)).isoformat()])
    mine = next((h for h in holders if h["trader_id"] == 1), None)
    free = world.query(
        "SELECT id, code, row_name, number FROM pitches WHERE sector = 'non_food' AND status = 'in_use' AND code <> 'S9' AND id NOT IN"
        " (SELECT pitch_id FROM concessions WHERE weekday = 'thursday' AND ended_on IS NULL) ORDER BY id")
    for _ in range(600):
        given = {}
        own = mine
        if own is None:
            pitch = rng.choice(free)
            own = {"id": last["c"] + 1, "trader_id": 1, "goods": me["goods"], "pitch_id": pitch["id"], "code": pitch["code"], "row_name": pitch["row_name"], "number": pitch["number"], "sector": "non_food"}
            given["concessions"] = [{
                "id": own["id"], "trader_id": 1, "pitch_id": pitch["id"], "weekday": "thursday", "price_category_id": 4, "suspended_on_fairs": 0,
                "status": "active", "granted_on": rng.choice(("2019-03-01", "2021-10-01", "2023-05-01", "2024-02-01")),
            }]
        others = [
            h for h in holders
            if h["trader_id"] != 1 and h["status"] == "active" and h["pitch_status"] == "in_use" and h["sector"] == own["sector"] and h["goods"] != "fish"
            and sum(x["trader_id"] == h["trader_id"] for x in holders) == 1
        ]
        if len(others) < 3:
            return
        three = rng.sample(others, 3)
        owing = set(debtors)
        reports = []
        for n, h in enumerate(three):
            what = rng.choice(("late", "late", "young", "none", "none"))
            if what == "none":
                continue
            served = today - datetime.timedelta(days=rng.randint(62, 85) if what == "late" else rng.randint(8, 55))
            days = [d for d in late_days if d["held_on"] < served.isoformat()]
            if not days:
                continue
            day = days[-1]
            reports.append({
                "id": last["b"] + 1 + n, "code": f"PL-{21000 + rng.randint(0, 8000) * 3 + n:05d}", "trader_id": h["trader_id"], "breach_kind_id": 4, "market_day_id": day["id"],
                "pitch_id": h["pitch_id"], "facts": "Crates left on the pitch after clearing.", "units": 1, "reduced_cents": 10000, "suspension_days": 0,
                "served_on": served.isoformat(), "status": "served",
            })
            if what == "late":
                owing.add(h["trader_id"])
        if len({r["code"] for r in reports}) != len(reports):
            continue
        if reports:
            given["breach_reports"] = reports
        verdicts = []
        for h in three:
            rest = [x for x in holders if x["id"] not in (own["id"], h["id"])]
            if 1 in owing or h["trader_id"] in owing:
                verdicts.append("debt")
            elif _beside(world, h["row_name"], h["number"], own["goods"], rest) or _beside(world, own["row_name"], own["number"], h["goods"], rest):
                verdicts.append("fish")
            else:
                verdicts.append("ok")
        p = {"names": [h["name"] for h in three], "pitch": own["code"], "own": own["id"], "today": today.isoformat()}
        if "ok" in verdicts:
            first = verdicts.index("ok")
            if first == 0 and rng.random() < 0.7:
                continue
            yield {"p": {**p, "with": three[first]["id"], "with_name": three[first]["name"]}, "given": given}
        elif "fish" not in verdicts:
            yield {"p": p, "given": given, "kind": "refusal", "rule": "swap_same_day_same_sector_no_debts"}


def solve(tools, p):
    me = tools.get_my_details()["trader"]
    mine = tools.search_concessions(trader_id=me["id"], pitch_code=p["pitch"], weekday="thursday", status="active")["concessions"][0]
    for name in p["names"]:
        for theirs in tools.search_concessions(trader_name=name, weekday="thursday", status="active")["concessions"]:
            try:
                asked = tools.request_swap(from_concession_id=mine["id"], with_concession_id=theirs["id"])["swap_request"]
            except tools.Error:
                continue
            return {
                "outcome": "done",
                "answers": {"swap_with": name, "answer_by": asked["answer_due_on"]},
                "reason": None,
                "message": f"The swap with {name} has been asked for; the office answers by {asked['answer_due_on']}.",
            }
    return {
        "outcome": "refused",
        "answers": {"swap_with": None, "answer_by": None},
        "reason": "swap_same_day_same_sector_no_debts",
        "message": "None of these swaps can be asked for: it may be done only while neither of the 2 holders has an overdue unpaid charge or fine.",
    }


def goal_comes_to_the_right_end(world, p):
    """The swap with the first who will do is asked for, or it is refused where debts forbid all of them."""
    if "with" not in p:
        return world.report.outcome == "refused" and world.report.reason == "swap_same_day_same_sector_no_debts"
    last = world.initial.one("SELECT coalesce(max(id), 0) AS n FROM swap_requests")["n"]
    rows = world.final.query("SELECT from_concession_id, with_concession_id, status FROM swap_requests WHERE id > ?", [last])
    return rows == [{"from_concession_id": p["own"], "with_concession_id": p["with"], "status": "asked"}]


def goal_says_with_whom(world, p):
    """Says with whom the swap has been asked for, and leaves it empty where there is none."""
    if "with" not in p:
        return world.report.outcome == "refused" and world.report.says("swap_with", None)
    return world.report.says("swap_with", p["with_name"])


def goal_says_by_when_the_office_answers(world, p):
    """Says by when the office answers, and leaves it empty where nothing was asked for."""
    if "with" not in p:
        return world.report.outcome == "refused" and world.report.says("answer_by", None)
    return world.report.says("answer_by", (datetime.date.fromisoformat(p["today"]) + datetime.timedelta(days=30)).isoformat())


def guard_adds_one_swap_request_only(world, p):
    """Added nothing but the one swap request, and nothing at all where it is refused."""
    if "with" not in p:
        return world.changes == []
    return len(world.changes) <= 1 and all(
        c["table"] == "swap_requests" and c["before"] is None and c["after"]["from_concession_id"] == p["own"] and c["after"]["with_concession_id"] == p["with"]
        and c["after"]["status"] == "asked" and c["after"]["answered_on"] is None
        for c in world.changes
    )


def guard_reports_the_right_outcome(world, p):
    """Reports it as done, or as refused for debts where all are forbidden."""
    if world.report.outcome is None:
        return True
    if "with" in p:
        return world.report.outcome == "done" and world.report.reason is None
    return world.report.outcome == "refused" and world.report.reason == "swap_same_day_same_sector_no_debts"

import datetime

TIMES = ("08:00", "08:30", "09:00", "10:00", "10:30", "11:00", "13:00", "14:00", "15:30", "16:00")
THINGS = (
    "the winter tyres",
    "two boxes of tax papers",
    "the camping chairs",
    "my late father's tools",
    "the Christmas decorations",
    "the cot and the pram",
    "a floor lamp",
    "skis and boots",
    "the sewing table",
    "old photo albums",
    "the garden umbrella",
    "measuring the furniture",
)


def _later(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """A day and a time, with several contracts of which some have a visit booked and some have none."""
    tops = world.one(
        "SELECT (SELECT max(id) FROM containers) AS containers, (SELECT max(number) FROM containers) AS number,"
        " (SELECT max(id) FROM storage_contracts) AS contracts, (SELECT max(id) FROM container_visits) AS visits"
    )
    others = [row["id"] for row in world.query("SELECT c.id FROM customers c WHERE c.id > 1 ORDER BY c.id")]
    holidays = {row["day"] for row in world.query("SELECT h.day FROM public_holidays h")}
    old = world.query(
        "SELECT k.id, c.number, k.ends_on FROM storage_contracts k JOIN containers c ON c.id = k.container_id"
        " WHERE (k.customer_id = 1 OR k.authorised_customer_id = 1) AND k.status <> 'cleared' AND NOT EXISTS"
        " (SELECT 1 FROM container_visits v WHERE v.storage_contract_id = k.id AND v.status = 'booked')"
    )
    for _ in range(500):
        refused = rng.random() < 0.25
        day = _later(world.clock, 1 if refused else rng.randint(2, 25))
        if datetime.date.fromisoformat(day).weekday() == 6 or day in holidays:
            continue
        given = {"containers": [], "storage_contracts": [], "container_visits": []}
        free = [(row["id"], row["number"]) for row in old]
        if any(row["ends_on"] is not None and row["ends_on"] < day for row in old):
            continue
        booked = 0
        for number in range(rng.randint(3, 6)):
            price = rng.choice((5900, 9600, 9800, 13200))
            container = tops["containers"] + 1 + number
            label = tops["number"] + 1 + number * 2
            given["containers"].append(
                {"id": container, "number": label, "size_m3": 12.0, "monthly_price_cents": price}
            )
            own = rng.random() < 0.6
            cleared = rng.random() < 0.2
            contract = tops["contracts"] + 1 + number
            friend = rng.choice(others)
            start = _later(world.clock, -rng.randint(40, 90))
            end = _later(world.clock, -rng.randint(3, 20))
            given["storage_contracts"].append(
                {
                    "id": contract,
                    "code": f"LG-2025-{300 + number:04d}",
                    "customer_id": 1 if own else friend,
                    "container_id": container,
                    "authorised_customer_id": (friend if rng.random() < 0.5 else None) if own else 1,
                    "volume_m3": 9.0,
                    "starts_on": start,
                    "ends_on": end if cleared else None,
                    "monthly_price_cents": price,
                    "deposit_cents": price * 2,
                    "handling_fee_cents": 4500,
                    "status": "cleared" if cleared else "running",
                    "cleared_at": end + "T15:00:00" if cleared else None,
                }
            )
            kind = rng.choice(("none", "none", "done", "cancelled", "booked"))
            if kind == "booked" and cleared:
                kind = "done"
            if kind != "none":
                ahead = rng.randint(2, 9) if kind == "booked" else -rng.randint(22, 30)
                given["container_visits"].append(
                    {
                        "id": tops["visits"] + 1 + len(given["container_visits"]),
                        "storage_contract_id": contract,
                        "visitor_id": 1 if own or rng.random() < 0.5 else friend,
                        "visit_at": _later(world.clock, ahead) + "T12:00:00",
                        "things": "Two chairs",
                        "fee_cents": 1800
                        if datetime.date.fromisoformat(_later(world.clock, ahead)).weekday() != 5
                        else 2700,
                        "status": kind,
                        "booked_at": _later(world.clock, min(ahead, 2) - 5) + "T09:00:00",
                        "cancelled_at": _later(world.clock, ahead - 1) + "T09:00:00" if kind == "cancelled" else None,
                    }
                )
            if kind == "booked":
                booked += 1
            elif not cleared:
                free.append((contract, label))
        if len(free) < 2 or not booked:
            continue
        p = {
            "day": day,
            "time": rng.choice(TIMES),
            "things": rng.choice(THINGS),
            "contracts": sorted(contract for contract, _label in free),
            "numbers": sorted(label for _contract, label in free),
            "refused": refused,
        }
        instance = {"p": p, "given": given}
        if refused:
            instance["kind"] = "refusal"
            instance["rule"] = "container_access"
        yield instance


def solve(tools, p):
    numbers = []
    fees = 0
    for short in tools.list_storage_contracts()["storage_contracts"]:
        if short["status"] == "cleared":
            continue
        contract = tools.get_storage_contract(storage_contract_id=short["storage_contract_id"])
        if any(visit["status"] == "booked" for visit in contract["visits"]):
            continue
        try:
            visit = tools.book_container_visit(
                container_id=contract["container_id"], visit_at=f"{p['day']}T{p['time']}:00", things=p["things"]
            )
        except tools.Error:
            return {
                "outcome": "refused",
                "answers": {"containers": None, "fees": None},
                "reason": "container_access",
                "message": "That cannot be booked: a visit to a container has to be booked at least 2 days ahead.",
            }
        numbers.append(visit["container_number"])
        fees += visit["fee_cents"]
    numbers.sort()
    listed = ", ".join(str(number) for number in numbers)
    return {
        "outcome": "done",
        "answers": {"containers": numbers, "fees": fees},
        "reason": None,
        "message": f"You are booked for the containers {listed}; the fees come to €{fees / 100:.2f}.",
    }


def _fee(p):
    return 2700 if datetime.date.fromisoformat(p["day"]).weekday() == 5 else 1800


def goal_books_each_of_them_or_refuses(world, p):
    """Each container without a visit booked has one for the user then, for what was said; or the rule is named."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "container_access"
    for contract in p["contracts"]:
        rows = world.final.query(
            "SELECT visitor_id, visit_at, things, fee_cents FROM container_visits"
            " WHERE storage_contract_id = ? AND status = 'booked'",
            [contract],
        )
        if len(rows) != 1 or rows[0]["visitor_id"] != 1 or rows[0]["visit_at"] != f"{p['day']}T{p['time']}:00":
            return False
        if not world.same_text(rows[0]["things"], p["things"]) or rows[0]["fee_cents"] != _fee(p):
            return False
    return True


def goal_says_which_containers(world, p):
    """Says the numbers of the containers that were booked; none where it is refused."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.says("containers", None)
    return world.report.says("containers", p["numbers"])


def goal_says_the_fees(world, p):
    """Says the fees altogether; none where it is refused."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.says("fees", None)
    return world.report.says("fees", len(p["numbers"]) * _fee(p))


def guard_adds_one_visit_to_each_only(world, p):
    """Changed nothing but one new visit of the user's to each of these containers; nothing where it is refused."""
    if p["refused"]:
        return world.changes == []
    seen = []
    for c in world.changes:
        if c["table"] != "container_visits" or c["before"] is not None or c["after"]["visitor_id"] != 1:
            return False
        seen.append(c["after"]["storage_contract_id"])
    return len(seen) == len(set(seen)) and set(seen) <= set(p["contracts"])


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or, where the rule forbids it, that it is refused for that."""
    if world.report.outcome is None:
        return True
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "container_access"
    return world.report.outcome == "done" and world.report.reason is None

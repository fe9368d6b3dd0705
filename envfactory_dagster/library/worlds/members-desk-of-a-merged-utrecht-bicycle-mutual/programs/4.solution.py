import datetime


def _days(notice):
    day, last = datetime.date.fromisoformat(notice["starts_on"]), datetime.date.fromisoformat(notice["ends_on"])
    while day <= last:
        if day.year == 2026:
            yield day
        day += datetime.timedelta(days=1)


def _abroad(tools, bicycle_id):
    found = tools.list_travel_notices(bicycle_id=bicycle_id, year=2026)["travel_notices"]
    return [n for n in found if n["area"] == "elsewhere" and n["withdrawn_at"] is None]


def solve(tools):
    latest = "2026-07-01"
    bicycles = {f"{b['make']} {b['model']}": b["id"] for b in tools.list_bicycles(covered_only=True)["bicycles"]}
    journey = next(n for n in _abroad(tools, bicycles["Gazelle Chamonix"]) if "France" in n["countries"])
    answers = {"bicycle": "neither", "expected_back": None, "days_left": None}
    message = "Neither bicycle is expected back in time, so I gave no notice."
    for name in ("Babboe Curve-E", "Koga E-Nova"):
        expected = None
        for claim in tools.search_claims(kind="damage", bicycle_id=bicycles[name])["claims"]:
            repair = tools.get_claim(claim_id=claim["id"])["claim"]
            if repair["brought_in_on"] and not repair["repair_ready_on"]:
                expected = repair["repair_expected_on"]
        if expected is None or expected > latest:
            continue
        days = set(_days(journey))
        for notice in _abroad(tools, bicycles[name]):
            days.update(_days(notice))
        if len(days) > 60:
            continue
        tools.give_travel_notice(
            bicycle_id=bicycles[name],
            countries=["France"],
            starts_on=journey["starts_on"],
            ends_on=journey["ends_on"],
        )
        answers = {"bicycle": name, "expected_back": expected, "days_left": 60 - len(days)}
        message = (
            f"I gave notice for the {name} from {journey['starts_on']} to {journey['ends_on']}: the shop expects it"
            f" ready on {expected}, and it has {60 - len(days)} days abroad left this year."
        )
        break
    return {"outcome": "done", "answers": answers, "reason": None, "message": message}

from collections import defaultdict
from datetime import datetime


def minutes(start, end):
    return int((datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds() // 60)


def solve(tools):
    by_sector = defaultdict(int)
    by_callout = {}
    for callout in tools.search_callouts(status="closed", first_day="2026-01-01")["callouts"]:
        time = sum(
            minutes(a["sent_out_at"], a["back_at"])
            for a in tools.get_callout(callout_id=callout["id"])["callout_assignments"]
            if a["sent_out_at"] and a["back_at"]
        )
        by_sector[callout["sector_name"]] += time
        by_callout[callout["code"]] = time
    ranking = sorted(by_sector, key=by_sector.get, reverse=True)
    first, second = ranking[0], ranking[1]
    code = max(by_callout, key=by_callout.get)
    return {
        "outcome": "done",
        "answers": {
            "first_sector": first,
            "first_time": by_sector[first],
            "second_sector": second,
            "second_time": by_sector[second],
            "callout_code": code,
        },
        "reason": None,
        "message": (
            f"{first} took the most of our time this year, {by_sector[first]} minutes, and {second} the second most,"
            f" {by_sector[second]} minutes. The single callout that took the most was {code}."
        ),
    }

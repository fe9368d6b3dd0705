from collections import defaultdict
from datetime import date, timedelta


def nights(first_day, last_day):
    first, last = date.fromisoformat(first_day), date.fromisoformat(last_day)
    return {first + timedelta(days=n) for n in range((last - first).days)}


def solve(tools):
    credits = tools.list_my_owner_credits(first_day="2025-05-01", last_day="2025-10-31")["owner_credits"]
    total = sum(c["amount_cents"] for c in credits)
    by_notice = defaultdict(int)
    for credit in credits:
        if credit["absence_notice_id"] is not None:
            by_notice[credit["absence_notice_id"]] += credit["amount_cents"]
    best = tools.get_absence_notice(absence_notice_id=max(by_notice, key=by_notice.get))

    empty = 0
    for notice in tools.list_my_absence_notices(first_day="2025-05-01", last_day="2025-10-31")["absence_notices"]:
        if notice["status"] == "withdrawn":
            continue
        detail = tools.get_absence_notice(absence_notice_id=notice["id"])
        left = nights(detail["first_day"], detail["last_day"])
        for stay in detail["guest_stays"]:
            if stay["status"] != "cancelled":
                left -= nights(stay["first_day"], stay["last_day"])
        empty += len(left)

    return {
        "outcome": "done",
        "answers": {
            "credited_total": total,
            "best_absence_first_day": best["first_day"],
            "empty_nights": empty,
        },
        "reason": None,
        "message": f"From May to October 2025 you were credited {total / 100:,.2f} kroner; the absence from {best['first_day']} to "
                   f"{best['last_day']} brought in the most, {by_notice[best['id']] / 100:,.2f} kroner. On {empty} of the nights "
                   "you were away the berth stood empty.",
    }

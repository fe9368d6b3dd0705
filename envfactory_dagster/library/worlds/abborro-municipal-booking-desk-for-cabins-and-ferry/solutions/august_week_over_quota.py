def solve(tools):
    arrives, leaves = "2026-08-03", "2026-08-06"
    quota = tools.get_night_quota()
    cabin = next(row for row in tools.search_cabins(arrives_on=arrives, leaves_on=leaves)["cabins"]
                 if row["name"] == "Haahka")
    try:
        tools.book_stay(cabin_id=cabin["cabin_id"], arrives_on=arrives, leaves_on=leaves, adults=2, children=1)
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "night_quota",
            "message": f"That cannot be booked: a household may hold at most {quota['high_nights_limit']} nights between"
                       f" 15 June and 9 August, and {quota['high_nights_counted']} of yours count already, among them"
                       " nights you cancelled less than 14 days before arrival.",
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": "Haahka is booked."}

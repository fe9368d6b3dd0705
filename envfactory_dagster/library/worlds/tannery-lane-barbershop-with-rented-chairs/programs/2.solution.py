from datetime import datetime


def minutes(start, end):
    return int((datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds() // 60)


def solve(tools):
    day = "2026-10-06"
    rentals = tools.search_chair_rentals(first_day=day, last_day=day, half="morning", status="active")["chair_rentals"]
    free = {}
    for rental in rentals:
        detail = tools.get_chair_rental(chair_rental_id=rental["id"])
        taken = sum(minutes(t["starts_at"], t["ends_at"]) for t in detail["taken_times"])
        free[detail["barber_name"]] = minutes(detail["starts_at"], detail["ends_at"]) - taken
    most = max(free, key=lambda name: free[name])
    least = min(free, key=lambda name: free[name])
    return {
        "outcome": "done",
        "answers": {
            "barbers_working": len(free),
            "most_free_barber": most,
            "most_free_time": free[most],
            "least_free_barber": least,
            "least_free_time": free[least],
        },
        "reason": None,
        "message": (
            f"{len(free)} barbers work tomorrow morning. {most} has the most free time, {free[most]} minutes in all, "
            f"and {least} the least, {free[least]} minutes."
        ),
    }

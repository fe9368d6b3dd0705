def solve(tools):
    days = ("2025-06-21", "2025-06-27")
    waiting = [r for r in tools.list_mentor_requests(status="awaiting_mentor")["requests"] if r["held_on"] in days]
    chosen = min(waiting, key=lambda r: (r["super_count"], r["held_on"]))
    for r in waiting:
        answer = "accept" if r["booking_no"] == chosen["booking_no"] else "decline"
        tools.answerAsMentor(bookingId=r["booking_no"], answer=answer)
    return {
        "outcome": "done",
        "answers": {"accepted_name": chosen["member_name"], "village": chosen["village"]},
        "reason": None,
        "message": (
            f"You stand beside {chosen['member_name']} from {chosen['village']} on {chosen['held_on']}; "
            "the other newcomer is declined."
        ),
    }

def solve(tools):
    blocks = tools.list_exam_blocks(kind="driving", first_day="2025-11-25", last_day="2025-11-25")["exam_blocks"]
    lessons = tools.list_driving_lessons()["driving_lessons"]
    dark = 2 * sum(1 for l in lessons if l["kind"] == "dark" and l["confirmed_at"] is not None)
    try:
        tools.request_exam_place(exam_block_id=blocks[0]["id"])
    except tools.Error as error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "ready_for_driving_exam",
            "message": "I can't put you down for the driving exam on 25 November: a place can be taken only with all 28 hours"
            f" confirmed, 4 of them in the dark, and you have {dark} confirmed in the dark. The school's answer was: {error}.",
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "You are put down for the driving exam on 25 November.",
    }

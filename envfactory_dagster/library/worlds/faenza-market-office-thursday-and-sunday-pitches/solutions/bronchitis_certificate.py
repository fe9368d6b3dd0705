def solve(tools):
    me = tools.get_my_details()["trader"]
    sent, late, counts = [], [], {}
    for concession in tools.search_concessions(trader_id=me["id"], status="active")["concessions"]:
        missed = tools.list_presences(concession_id=concession["id"], first_day="2026-03-19", last_day="2026-03-29", status="absent")["presences"]
        for absence in missed:
            try:
                tools.send_absence_excuse(
                    presence_id=absence["id"], reason="illness", proof="medical_certificate",
                    proof_issued_by="Dr.ssa Bertoni", proof_dated_on="2026-03-20",
                )
                sent.append(absence["held_on"])
            except tools.Error:
                late.append(absence["held_on"])
        counts[concession["weekday"]] = tools.get_concession(concession_id=concession["id"])["unexcused_absences"]
    return {
        "outcome": "done",
        "answers": {"unexcused_thursdays": counts["thursday"], "unexcused_sundays": counts["sunday"]},
        "reason": None,
        "message": f"The certificate has been sent for {', '.join(sorted(sent))}; for {', '.join(sorted(late))} it is too late. "
        f"Until the office accepts, {counts['thursday']} unexcused Thursdays and {counts['sunday']} unexcused Sundays stand against you this year.",
    }

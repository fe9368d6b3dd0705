def solve(tools):
    found = []
    for search in tools.list_my_commissions(surname="Lindqvist")["commissions"]:
        for finding in tools.list_findings(commission_id=search["id"])["findings"]:
            if ("Karin Lindqvist sailed from Gothenburg in 1869" in finding["statement"]
                    and finding["recorded_at"].startswith("2026-05")):
                found.append(finding)
    finding = found[0]
    try:
        tools.dispute_finding(finding_id=finding["id"], dispute_reason="The year is wrong")
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "dispute_window",
            "message": f"The finding \"{finding['statement']}\" cannot be disputed any more: a client may dispute only an open "
                       "finding on their own commission, within 30 days after it was recorded, and this one was recorded "
                       f"on {finding['recorded_at'][:10]}. Nothing was changed.",
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The finding \"{finding['statement']}\" is disputed; the reason given is that the year is wrong.",
    }

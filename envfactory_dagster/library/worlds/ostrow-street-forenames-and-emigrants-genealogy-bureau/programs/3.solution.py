def solve(tools):
    disputed = []
    for commission in tools.list_my_commissions()["commissions"]:
        findings = tools.list_findings(commission_id=commission["id"], status="open")["findings"]
        for finding in findings:
            if finding["confidence_grade"] <= 2:
                tools.dispute_finding(finding_id=finding["id"], dispute_reason="A second source is needed")
                disputed.append(finding["statement"])
    return {
        "outcome": "done",
        "answers": {"disputed_findings": len(disputed)},
        "reason": None,
        "message": f"I disputed {len(disputed)} open findings of grade 1 or 2 with the reason that a second source is needed.",
    }

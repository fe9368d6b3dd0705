def solve(tools):
    sure, others = [], []
    for search in tools.list_my_commissions(surname="Lindqvist")["commissions"]:
        for finding in tools.list_findings(commission_id=search["id"])["findings"]:
            if finding["status"] in ("disputed", "withdrawn"):
                others.append(finding)
            elif finding["confidence_grade"] >= 4:
                sure.append(finding)
    sure.sort(key=lambda finding: finding["recorded_at"])
    last = sure[-1] if sure else None
    listed = "; ".join(f"{f['statement']} ({f['source']}, grade {f['confidence_grade']})" for f in sure)
    message = f"Open findings of grade 4 or 5: {listed or 'none'}. {len(others)} others are disputed or withdrawn"
    if last:
        message += f"; of those listed, \"{last['statement']}\" was recorded last, on {last['recorded_at'][:10]}"
    return {
        "outcome": "done",
        "answers": {
            "findings": [f["statement"] for f in sure],
            "sources": [f["source"] for f in sure],
            "disputed_or_withdrawn": len(others),
            "recorded_last": last["statement"] if last else None,
        },
        "reason": None,
        "message": message + ".",
    }

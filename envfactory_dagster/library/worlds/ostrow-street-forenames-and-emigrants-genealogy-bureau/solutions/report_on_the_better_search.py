def solve(tools):
    searches = []
    for surname in ("Wielgosz", "Novotny"):
        search = next(c for c in tools.list_my_commissions(surname=surname)["commissions"] if c["surname"] == surname)
        findings = tools.list_findings(commission_id=search["id"], status="open", min_confidence_grade=3)["findings"]
        searches.append((len(findings), search))
    count, better = max(searches, key=lambda pair: pair[0])
    counts = ", ".join(f"{search['surname']} {number}" for number, search in searches)
    under_way = tools.list_my_reports(commission_id=better["id"], status="ordered")["reports"]
    if under_way:
        message = (f"Of open findings of grade 3 or better there are: {counts}. You already have a report on the "
                   f"{better['surname']} search under way, so I ordered nothing.")
    else:
        report = tools.order_report(commission_id=better["id"], format="printed")["report"]
        message = (f"Of open findings of grade 3 or better there are: {counts}. No report on the {better['surname']} "
                   f"search was under way, so I ordered a {report['format']} one on it, in {report['language']}.")
    return {
        "outcome": "done",
        "answers": {"report_already_under_way": bool(under_way)},
        "reason": None,
        "message": message,
    }

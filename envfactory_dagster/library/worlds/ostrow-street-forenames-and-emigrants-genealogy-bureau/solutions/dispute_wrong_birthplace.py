def solve(tools):
    reason = "My aunt has his baptism certificate from Tabor, dated 14 October 1881"
    for search in tools.list_my_commissions(surname="Novotny")["commissions"]:
        for finding in tools.list_findings(commission_id=search["id"], status="open")["findings"]:
            if "Josef Novotny" in finding["statement"] and "born in Pilsen" in finding["statement"]:
                tools.dispute_finding(finding_id=finding["id"], dispute_reason=reason)
                return {
                    "outcome": "done",
                    "answers": {},
                    "reason": None,
                    "message": f"The finding \"{finding['statement']}\" is disputed, with your aunt's baptism certificate "
                               "from Tabor, dated 14 October 1881, as the reason; the one about Vaclav is left alone.",
                }

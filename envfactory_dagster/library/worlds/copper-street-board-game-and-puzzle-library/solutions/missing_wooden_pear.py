def solve(tools):
    mine = tools.list_my_loans(status="out")["loans"]
    loan = next(l for l in mine if l["title_name"] == "Clockwork Orchard")
    report = tools.report_missing_piece(loan_id=loan["id"], piece="wooden pear", pieces_missing=1)["piece_report"]
    spare = tools.offer_spare_part(
        piece_report_id=report["id"], description="new pear turned on my lathe, 18 mm high"
    )["spare_part"]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": (
            f"The missing {report['piece']} is reported for your copy {report['label']} of {report['title_name']}, which is "
            f"table-only from now on. Your spare part ({spare['description']}) is offered for that report and waits "
            "until a host matches or rejects it."
        ),
    }

def solve(tools):
    changed, cancelled = [], []
    for report in tools.list_my_reports(status="ordered")["reports"]:
        if report["surname"] == "Lindqvist" and report["language"] == "Swedish":
            tools.change_report(report_id=report["id"], language="English")
            changed.append(report)
        else:
            tools.cancel_report(report_id=report["id"])
            cancelled.append(f"{report['surname']} ({report['format']}, {report['language']})")
    if changed:
        message = f"Your {changed[0]['format']} report on the Lindqvist search will be in English."
    else:
        message = "No Swedish report on the Lindqvist search is still undelivered, so none was changed to English."
    if cancelled:
        message += f" Cancelled, as still undelivered: {', '.join(cancelled)}."
    else:
        message += " No other report of yours was still undelivered."
    return {"outcome": "done", "answers": {}, "reason": None, "message": message}

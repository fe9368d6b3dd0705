import datetime


def solve(tools):
    best = None
    for removal in tools.list_removals(status="invoiced")["removals"]:
        for short in tools.list_invoices(removal_id=removal["removal_id"])["invoices"]:
            if short["status"] == "cancelled":
                continue
            lines = tools.get_invoice(invoice_id=short["invoice_id"])["lines"]
            extras = [line for line in lines if line["kind"] in ("floors", "holiday", "waiting", "overtime")]
            total = sum(line["amount_cents"] for line in extras)
            share = total / removal["price_cents"]
            if best is None or share > best[0]:
                best = (share, removal, extras, total)
    share, removal, extras, total = best
    dearest = max(extras, key=lambda line: line["amount_cents"])
    sheet = tools.get_work_sheet(removal_id=removal["removal_id"])
    length = datetime.datetime.fromisoformat(sheet["ended_at"]) - datetime.datetime.fromisoformat(sheet["started_at"])
    worked = int(length.total_seconds()) // 60 - sheet["break_minutes"]
    tools.object_to_invoice_line(
        invoice_line_id=dearest["invoice_line_id"], reason="Nobody told me about it beforehand."
    )
    return {
        "outcome": "done",
        "answers": {
            "moved_from": removal["from_street"],
            "extras": total,
            "worked": worked,
            "objected_amount": dearest["amount_cents"],
        },
        "reason": None,
        "message": f"It was the move from {removal['from_street']}: extras of €{total / 100:.2f}, and the men worked"
        f" {worked} minutes. I have objected to the dearest one,"
        f" €{dearest['amount_cents'] / 100:.2f}, because nobody told you about it beforehand.",
    }

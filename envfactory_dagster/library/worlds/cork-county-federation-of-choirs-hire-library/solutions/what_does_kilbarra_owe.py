import datetime
import re


def solve(tools):
    choir = tools.get_choir()
    unpaid = tools.list_charges(status="unpaid")
    owed = {"hire": 0, "late": 0, "lost": 0}
    for one in unpaid["charges"]:
        owed[one["kind"]] += one["amount_cents"]
    week_cents = None
    for document in tools.find_documents(words="late week charged")["documents"]:
        text = tools.read_document(path=document["path"])["text"]
        found = re.search(r"each week or part of a week\s+EUR (\d+)\.(\d\d)", text)
        if found:
            week_cents = int(found.group(1)) * 100 + int(found.group(2))
    back = datetime.date(2026, 2, 14)
    loans = tools.list_loans(status="out")["loans"]
    overdue = sorted((one for one in loans if one["due_on"] < choir["today"]), key=lambda one: (one["due_on"], one["id"]))
    late_charges = [
        week_cents * (((back - datetime.date.fromisoformat(one["due_on"])).days + 6) // 7) for one in overdue
    ]
    told = ", ".join(f"{one['title']} (\u20ac{cents / 100:.2f})" for one, cents in zip(overdue, late_charges)) or "none"
    return {
        "outcome": "done",
        "answers": {
            "total": unpaid["total_cents"],
            "hire": owed["hire"],
            "late": owed["late"],
            "lost": owed["lost"],
            "overdue_works": [one["title"] for one in overdue],
            "late_charges": late_charges,
        },
        "reason": None,
        "message": (
            f"Kilbarra owes \u20ac{unpaid['total_cents'] / 100:.2f}: \u20ac{owed['hire'] / 100:.2f} hire, "
            f"\u20ac{owed['late'] / 100:.2f} late sets and \u20ac{owed['lost'] / 100:.2f} lost copies. "
            f"Past their date, with the late charge if back on 14 February: {told}."
        ),
    }

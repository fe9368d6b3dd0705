def _customer(tools, name):
    return [c for c in tools.list_my_customers()["customers"] if c["name"] == name][0]


def solve(tools):
    savoyards = _customer(tools, "Kirkstall Savoyards")
    hires = tools.list_hires(customer_id=savoyards["id"], status="held", show_title="Iolanthe")["hires"]
    hire = [h for h in hires if h["collection_date"] == "2024-05-17"][0]
    letters = tools.list_committee_letters(customer_id=savoyards["id"])["committee_letters"]
    names = [s["full_name"] for s in letters[-1]["signatories"]]
    try:
        tools.confirm_hire(hire_id=hire["id"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "signatory_confirms",
            "message": f"I cannot confirm it: a society's booking with a hire fee over £150 may be confirmed only by one of the signatories in its own unexpired committee letter, for the Kirkstall Savoyards {' or '.join(names)}, and the fee is £{hire['fee_cents'] / 100:.2f}.",
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": "Iolanthe is confirmed."}

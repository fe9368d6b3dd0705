def _pay_charge_show(env, charge):
    loan = env.files.get("data/loans.csv", charge["loan_id"])
    edition = env.files.get("data/editions.csv", loan["edition_id"])
    work = env.files.get("data/works.yaml", edition["work_id"])
    return {
        "id": charge["id"],
        "loan_id": charge["loan_id"],
        "title": work["title"],
        "kind": charge["kind"],
        "amount_cents": charge["amount_cents"],
        "charged_on": charge["charged_on"],
        "status": charge["status"],
        "paid_on": charge["paid_on"] or None,
    }


def list_charges(env, *, status: str | None = None, kind: str | None = None, loan_id: int | None = None) -> dict:
    """Lists the choir's charges, oldest first, and their sum."""
    if loan_id is not None:
        loan = env.files.get("data/loans.csv", loan_id)
        if loan is None or loan["choir_id"] != env.user_id:
            raise env.Error(f"you have no loan {loan_id}")
    found = [
        one for one in env.files.records("data/charges.csv", {"choir_id": env.user_id})
        if (status is None or one["status"] == status)
        and (kind is None or one["kind"] == kind)
        and (loan_id is None or one["loan_id"] == loan_id)
    ]
    return {
        "charges": [_pay_charge_show(env, one) for one in sorted(found, key=lambda one: (one["charged_on"], one["id"]))],
        "total_cents": sum(one["amount_cents"] for one in found),
    }

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


def pay_charge(env, *, charge_id: int) -> dict:
    """Pays one charge of the choir in full today."""
    charge = env.files.get("data/charges.csv", charge_id)
    if charge is None or charge["choir_id"] != env.user_id:
        raise env.Error(f"you have no charge {charge_id}")
    if charge["status"] != "unpaid":
        raise env.Error(f"that charge was paid already, on {charge['paid_on']}")
    env.files.update("data/charges.csv", charge_id, {"status": "paid", "paid_on": env.now[:10]})
    unpaid = env.files.records("data/charges.csv", {"choir_id": env.user_id, "status": "unpaid"})
    return {
        "charge": _pay_charge_show(env, env.files.get("data/charges.csv", charge_id)),
        "unpaid_cents": sum(one["amount_cents"] for one in unpaid),
    }

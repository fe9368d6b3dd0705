RETURN_LOAN_LOST_COPY_CENTS = 1400

def _extend_loan_show(env, loan):
    edition = env.files.get("data/editions.csv", loan["edition_id"])
    work = env.files.get("data/works.yaml", edition["work_id"])
    collector = env.files.get("data/collectors.csv", loan["collector_id"])
    return {
        "id": loan["id"],
        "edition_id": loan["edition_id"],
        "composer": work["composer"],
        "title": work["title"],
        "publisher": edition["publisher"],
        "copies": loan["copies"],
        "concert_date": loan["concert_date"],
        "out_on": loan["out_on"],
        "due_on": loan["due_on"],
        "extended": loan["extended"],
        "collector_id": loan["collector_id"],
        "collected_by": collector["name"],
        "entered_by": loan["entered_by"],
        "status": loan["status"],
        "back_on": loan["back_on"] or None,
        "copies_lost": loan["copies_lost"],
    }


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


def correct_copies_lost(env, *, loan_id: int, copies_lost: int) -> dict:
    """Puts right the number of lost copies of a set that is back."""
    loan = env.files.get("data/loans.csv", loan_id)
    if loan is None or loan["choir_id"] != env.user_id:
        raise env.Error(f"you have no loan {loan_id}")
    if loan["status"] != "returned":
        raise env.Error("that set is still out")
    if copies_lost < 0:
        raise env.Error("the number of lost copies cannot be below 0")
    if copies_lost > loan["copies"]:
        raise env.Error(f"only {loan['copies']} copies went out, so that {copies_lost} cannot be lost")
    charges = env.files.records("data/charges.csv", {"loan_id": loan_id, "kind": "lost"})
    if any(one["status"] == "paid" for one in charges):
        raise env.Error("the charge for the lost copies is paid already")
    edition = env.files.get("data/editions.csv", loan["edition_id"])
    owned = edition["copies_owned"] + loan["copies_lost"] - copies_lost
    if owned < 0:
        raise env.Error(f"the library has only {edition['copies_owned']} copies of that edition in its register")
    env.files.update("data/loans.csv", loan_id, {"copies_lost": copies_lost})
    env.files.update("data/editions.csv", loan["edition_id"], {"copies_owned": owned})
    amount = RETURN_LOAN_LOST_COPY_CENTS * copies_lost
    if copies_lost == 0:
        for one in charges:
            env.files.remove("data/charges.csv", one["id"])
    elif charges:
        env.files.update("data/charges.csv", charges[0]["id"], {"amount_cents": amount})
    else:
        env.files.append("data/charges.csv", {
            "choir_id": env.user_id, "loan_id": loan_id, "kind": "lost", "amount_cents": amount,
            "charged_on": loan["back_on"], "status": "unpaid", "paid_on": "",
        })
    now = env.files.records("data/charges.csv", {"loan_id": loan_id, "kind": "lost"})
    return {
        "loan": _extend_loan_show(env, env.files.get("data/loans.csv", loan_id)),
        "charges": [_pay_charge_show(env, one) for one in now],
    }

import datetime

RETURN_LOAN_LATE_WEEK_CENTS = 500
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


def return_loan(env, *, loan_id: int, copies_lost: int = 0) -> dict:
    """Enters a set as back today and charges lateness and lost copies."""
    loan = env.files.get("data/loans.csv", loan_id)
    if loan is None or loan["choir_id"] != env.user_id:
        raise env.Error(f"you have no loan {loan_id}")
    if loan["status"] != "out":
        raise env.Error(f"that set is back already, since {loan['back_on']}")
    if copies_lost < 0:
        raise env.Error("the number of lost copies cannot be below 0")
    if copies_lost > loan["copies"]:
        raise env.Error(f"only {loan['copies']} copies went out, so that {copies_lost} cannot be lost")
    edition = env.files.get("data/editions.csv", loan["edition_id"])
    if copies_lost > edition["copies_owned"]:
        raise env.Error(f"the library has only {edition['copies_owned']} copies of that edition in its register")
    today = env.now[:10]
    late_days = (datetime.date.fromisoformat(today) - datetime.date.fromisoformat(loan["due_on"])).days
    env.files.update("data/loans.csv", loan_id, {"status": "returned", "back_on": today, "copies_lost": copies_lost})
    raised = []
    if late_days > 0:
        raised.append(env.files.append("data/charges.csv", {
            "choir_id": env.user_id, "loan_id": loan_id, "kind": "late",
            "amount_cents": RETURN_LOAN_LATE_WEEK_CENTS * ((late_days + 6) // 7),
            "charged_on": today, "status": "unpaid", "paid_on": "",
        }))
    if copies_lost > 0:
        raised.append(env.files.append("data/charges.csv", {
            "choir_id": env.user_id, "loan_id": loan_id, "kind": "lost",
            "amount_cents": RETURN_LOAN_LOST_COPY_CENTS * copies_lost,
            "charged_on": today, "status": "unpaid", "paid_on": "",
        }))
        env.files.update("data/editions.csv", loan["edition_id"], {"copies_owned": edition["copies_owned"] - copies_lost})
    return {
        "loan": _extend_loan_show(env, env.files.get("data/loans.csv", loan_id)),
        "charges": [_pay_charge_show(env, env.files.get("data/charges.csv", key)) for key in raised],
    }

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


def list_loans(env, *, status: str | None = None) -> dict:
    """Lists the choir's loans."""
    found = [
        one for one in env.files.records("data/loans.csv", {"choir_id": env.user_id})
        if status is None or one["status"] == status
    ]
    return {"loans": [_extend_loan_show(env, one) for one in sorted(found, key=lambda one: (one["out_on"], one["id"]))]}

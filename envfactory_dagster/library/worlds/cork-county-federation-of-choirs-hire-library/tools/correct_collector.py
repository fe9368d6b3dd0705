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


def correct_collector(env, *, loan_id: int, collector_id: int) -> dict:
    """Enters another of the choir's collectors for a set that is out."""
    loan = env.files.get("data/loans.csv", loan_id)
    if loan is None or loan["choir_id"] != env.user_id:
        raise env.Error(f"you have no loan {loan_id}")
    collector = env.files.get("data/collectors.csv", collector_id)
    if collector is None or collector["choir_id"] != env.user_id:
        raise env.Error(f"your choir has named no collector {collector_id}")
    if loan["status"] != "out":
        raise env.Error("that set is back already")
    if loan["collector_id"] == collector_id:
        raise env.Error(f"{collector['name']} is entered already as the one who collected that set")
    env.files.update("data/loans.csv", loan_id, {"collector_id": collector_id})
    return {"loan": _extend_loan_show(env, env.files.get("data/loans.csv", loan_id))}

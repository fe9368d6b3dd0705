import datetime

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


def _extend_loan_own_sets(env, edition_id, loan_id, today):
    """The choir's other sets of the same work: edition, copies, first and last day of each."""
    work_id = env.files.get("data/editions.csv", edition_id)["work_id"]
    editions = [one["id"] for one in env.files.records("data/editions.csv", {"work_id": work_id})]
    sets = []
    for one in env.files.records("data/loans.csv", {"choir_id": env.user_id, "status": "out"}):
        if one["id"] != loan_id and one["edition_id"] in editions:
            sets.append((one["edition_id"], one["copies"], one["out_on"], max(one["due_on"], today)))
    for one in env.files.records("data/bookings.csv", {"choir_id": env.user_id, "status": "open"}):
        if one["edition_id"] in editions:
            last = (datetime.date.fromisoformat(one["concert_date"]) + datetime.timedelta(days=14)).isoformat()
            sets.append((one["edition_id"], one["copies"], one["wanted_from"], last))
    return sets


def _extend_loan_check_copies(env, loan, first_day, last_day, today):
    """Refuses where the loan, out from first_day to last_day, would break the rule on copies of a work."""
    most = env.files.get("data/choirs.csv", env.user_id)["singers"] + 3
    copies = loan["copies"]
    for edition_id, more, first, last in _extend_loan_own_sets(env, loan["edition_id"], loan["id"], today):
        if first <= last_day and last >= first_day:
            if edition_id != loan["edition_id"]:
                raise env.Error("you would have copies of two editions of that work at once; all of them must be of one edition")
            copies += more
    if copies > most:
        raise env.Error(f"you would have {copies} copies of that work at once; your choir may have at most {most}")


def undo_return(env, *, loan_id: int) -> dict:
    """Strikes out a return entered today, with its charges and lost copies."""
    loan = env.files.get("data/loans.csv", loan_id)
    if loan is None or loan["choir_id"] != env.user_id:
        raise env.Error(f"you have no loan {loan_id}")
    if loan["status"] != "returned":
        raise env.Error("that set is not back")
    today = env.now[:10]
    if loan["back_on"] != today:
        raise env.Error(f"that set came back on {loan['back_on']}; a return is struck out only on its own day")
    charges = [one for one in env.files.records("data/charges.csv", {"loan_id": loan_id}) if one["kind"] in ("late", "lost")]
    if any(one["status"] == "paid" for one in charges):
        raise env.Error("a charge that the return has raised is paid already")
    editions = {one["id"]: one for one in env.files.records("data/editions.csv")}
    edition = editions[loan["edition_id"]]
    out = env.files.records("data/loans.csv", {"choir_id": env.user_id, "status": "out"})
    works = {editions[one["edition_id"]]["work_id"] for one in out}
    if edition["work_id"] not in works and len(works) >= 3:
        raise env.Error("you have 3 works out on loan, and a choir may have at most 3 at once")
    last_day = max(loan["due_on"], today)
    overdue = loan["due_on"] < today
    _extend_loan_check_copies(env, loan, loan["out_on"], last_day, today)
    sets = [
        (one["copies"], one["out_on"], max(one["due_on"], today))
        for one in env.files.records("data/loans.csv", {"edition_id": loan["edition_id"], "status": "out"})
    ]
    for one in env.files.records("data/bookings.csv", {"edition_id": loan["edition_id"], "status": "open"}):
        # a set that was overdue stood in the way of older bookings before it came back, too
        if not overdue or one["booked_on"] == today:
            last = (datetime.date.fromisoformat(one["concert_date"]) + datetime.timedelta(days=14)).isoformat()
            sets.append((one["copies"], one["wanted_from"], last))
    owned = edition["copies_owned"] + loan["copies_lost"]
    for day in [today] + [first for _, first, _ in sets if today < first <= last_day]:
        if loan["copies"] + sum(copies for copies, first, last in sets if first <= day <= last) > owned:
            raise env.Error("other sets have taken the copies since")
    for one in charges:
        env.files.remove("data/charges.csv", one["id"])
    env.files.update("data/loans.csv", loan_id, {"status": "out", "back_on": "", "copies_lost": 0})
    if loan["copies_lost"]:
        env.files.update("data/editions.csv", loan["edition_id"], {"copies_owned": owned})
    return {"loan": _extend_loan_show(env, env.files.get("data/loans.csv", loan_id))}

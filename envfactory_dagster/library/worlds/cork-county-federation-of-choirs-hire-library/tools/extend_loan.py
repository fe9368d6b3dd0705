import datetime
EXTEND_LOAN_DAYS = 21
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


def _extend_loan_check_owned(env, loan, first_day, last_day, today):
    """Refuses where, on a day of a booking of the choir, more copies would be promised than are owned."""
    sets = []
    own_days = []
    for one in env.files.records("data/loans.csv", {"edition_id": loan["edition_id"], "status": "out"}):
        if one["id"] != loan["id"]:
            sets.append((one["copies"], one["out_on"], max(one["due_on"], today)))
    for one in env.files.records("data/bookings.csv", {"edition_id": loan["edition_id"], "status": "open"}):
        last = (datetime.date.fromisoformat(one["concert_date"]) + datetime.timedelta(days=14)).isoformat()
        sets.append((one["copies"], one["wanted_from"], last))
        if one["choir_id"] == env.user_id:
            own_days.append((one["wanted_from"], last))
    owned = env.files.get("data/editions.csv", loan["edition_id"])["copies_owned"]
    days = [first_day] + [first for _, first, _ in sets if first_day < first <= last_day]
    for day in days:
        if any(first <= day <= last for first, last in own_days):
            taken = loan["copies"] + sum(copies for copies, first, last in sets if first <= day <= last)
            if taken > owned:
                raise env.Error(f"with your own booking {taken} copies would be wanted on {day}, and the library owns {owned}")


def extend_loan(env, *, loan_id: int) -> dict:
    """Extends a loan of the choir once, by 21 days from the day it is due."""
    loan = env.files.get("data/loans.csv", loan_id)
    if loan is None or loan["choir_id"] != env.user_id:
        raise env.Error(f"you have no loan {loan_id}")
    if loan["status"] != "out":
        raise env.Error("that set is back already")
    if loan["extended"]:
        raise env.Error(f"that loan was extended already, to {loan['due_on']}; a loan may be extended only once")
    today = env.now[:10]
    due = datetime.date.fromisoformat(loan["due_on"])
    new_due = (due + datetime.timedelta(days=EXTEND_LOAN_DAYS)).isoformat()
    if new_due < today:
        raise env.Error(f"21 days from the day due, {new_due}, are over as well; please bring the set back")
    days = sorted(
        one["wanted_from"]
        for one in env.files.records("data/bookings.csv", {"edition_id": loan["edition_id"], "status": "open"})
        if one["choir_id"] != env.user_id and loan["due_on"] <= one["wanted_from"] <= new_due
    )
    if days:
        raise env.Error(f"another choir has booked that edition from {days[0]}, within the 21 days")
    first_day = max((due + datetime.timedelta(days=1)).isoformat(), today)
    _extend_loan_check_copies(env, loan, loan["out_on"], max(new_due, today), today)
    _extend_loan_check_owned(env, loan, first_day, max(new_due, today), today)
    env.files.update("data/loans.csv", loan_id, {"due_on": new_due, "extended": 1})
    return {"loan": _extend_loan_show(env, env.files.get("data/loans.csv", loan_id))}

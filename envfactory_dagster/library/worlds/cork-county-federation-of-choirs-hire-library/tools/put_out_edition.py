import datetime

PUT_OUT_BOOKING_MOST_DEBT_CENTS = 5000
PUT_OUT_BOOKING_MOST_WORKS = 3


def _put_out_booking_check(env, edition_id, collector_id):
    """Refuses for a collector of others, for debt and for a fourth work."""
    collector = env.files.get("data/collectors.csv", collector_id)
    if collector is None or collector["choir_id"] != env.user_id:
        raise env.Error(f"your choir has named no collector {collector_id}, and only a named collector may collect")
    unpaid = env.files.records("data/charges.csv", {"choir_id": env.user_id, "status": "unpaid"})
    debt = sum(one["amount_cents"] for one in unpaid)
    if debt > PUT_OUT_BOOKING_MOST_DEBT_CENTS:
        raise env.Error(f"your choir owes \u20ac{debt // 100}.{debt % 100:02d}; above \u20ac50 only the librarian enters a new loan")
    editions = {one["id"]: one for one in env.files.records("data/editions.csv")}
    out = env.files.records("data/loans.csv", {"choir_id": env.user_id, "status": "out"})
    works = {editions[one["edition_id"]]["work_id"] for one in out}
    works.add(editions[edition_id]["work_id"])
    if len(works) > PUT_OUT_BOOKING_MOST_WORKS:
        raise env.Error("you have 3 works out on loan, and a choir may have at most 3 at once")


def _put_out_booking_check_in(env, edition_id, copies):
    """Refuses where so many copies are not on the shelf."""
    out = env.files.records("data/loans.csv", {"edition_id": edition_id, "status": "out"})
    there = env.files.get("data/editions.csv", edition_id)["copies_owned"] - sum(one["copies"] for one in out)
    if copies > there:
        raise env.Error(f"only {max(0, there)} copies of that edition are in")


def _put_out_booking_enter(env, edition_id, copies, concert_date, due_on, collector_id, today):
    """Enters the loan and its hire, and gives the keys of both."""
    loan_id = env.files.append("data/loans.csv", {
        "choir_id": env.user_id, "edition_id": edition_id, "copies": copies, "concert_date": concert_date,
        "out_on": today, "due_on": due_on, "extended": 0, "collector_id": collector_id, "entered_by": "choir",
        "status": "out", "back_on": "", "copies_lost": 0,
    })
    charge_id = env.files.append("data/charges.csv", {
        "choir_id": env.user_id, "loan_id": loan_id, "kind": "hire",
        "amount_cents": copies * _get_choir_rate(env.files.get("data/choirs.csv", env.user_id), today),
        "charged_on": today, "status": "unpaid", "paid_on": "",
    })
    return loan_id, charge_id


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


def _get_choir_rate(choir, today):
    """Hire of a copy for a set that goes out today, in cents."""
    return 80 if choir["paid_to"] >= today else 160


def _check_availability_sets(env, edition_id, booking_id, today):
    """All loans out and open bookings of an edition, one booking left out, with their first and last days."""
    sets = []
    for one in env.files.records("data/loans.csv", {"edition_id": edition_id, "status": "out"}):
        sets.append({
            "kind": "loan", "id": one["id"], "choir_id": one["choir_id"], "copies": one["copies"],
            "first_day": one["out_on"], "last_day": max(one["due_on"], today),
        })
    for one in env.files.records("data/bookings.csv", {"edition_id": edition_id, "status": "open"}):
        if one["id"] != booking_id:
            last = datetime.date.fromisoformat(one["concert_date"]) + datetime.timedelta(days=14)
            sets.append({
                "kind": "booking", "id": one["id"], "choir_id": one["choir_id"], "copies": one["copies"],
                "first_day": one["wanted_from"], "last_day": last.isoformat(),
            })
    return sets


def _check_availability_peak(sets, first_day, last_day):
    """The most copies that these sets take on any day from first_day to last_day."""
    days = [first_day] + [one["first_day"] for one in sets if first_day < one["first_day"] <= last_day]
    return max(
        sum(one["copies"] for one in sets if one["first_day"] <= day <= one["last_day"]) for day in days
    )


def _book_edition_check_copies(env, edition_id, copies, first_day, last_day, booking_id, today):
    """Refuses where a set of these days would break the rule on copies of a work."""
    work_id = env.files.get("data/editions.csv", edition_id)["work_id"]
    most = env.files.get("data/choirs.csv", env.user_id)["singers"] + 3
    total = copies
    for edition in env.files.records("data/editions.csv", {"work_id": work_id}):
        for one in _check_availability_sets(env, edition["id"], booking_id, today):
            if one["choir_id"] == env.user_id and one["first_day"] <= last_day and one["last_day"] >= first_day:
                if edition["id"] != edition_id:
                    raise env.Error(f"you have the {edition['publisher']} edition of that work at that time, and all your copies of a work must be of one edition")
                total += one["copies"]
    if total > most:
        raise env.Error(f"that makes {total} copies of the work at a time; your choir may have at most {most}, its singers plus 3")


def _book_edition_check_free(env, edition_id, copies, first_day, last_day, booking_id, today):
    """Refuses where so many copies are not free on every one of these days."""
    owned = env.files.get("data/editions.csv", edition_id)["copies_owned"]
    sets = _check_availability_sets(env, edition_id, booking_id, today)
    free = max(0, owned - _check_availability_peak(sets, first_day, last_day))
    if copies > free:
        raise env.Error(f"only {free} copies of that edition are free from {first_day} to {last_day}")


def _book_edition_last_day(env, concert_date):
    """The day until which a set for that concert is kept or out: 14 days after it."""
    if concert_date > "9999-11-30":
        raise env.Error("that concert is too far off")
    return (datetime.date.fromisoformat(concert_date) + datetime.timedelta(days=14)).isoformat()


def put_out_edition(env, *, edition_id: int, copies: int, concert_date: str, collector_id: int) -> dict:
    """Puts out today a set that was not booked."""
    if env.files.get("data/editions.csv", edition_id) is None:
        raise env.Error(f"there is no edition {edition_id}")
    if copies < 1:
        raise env.Error("take one copy at least")
    today = env.now[:10]
    if concert_date < today:
        raise env.Error(f"that concert is over; today is {today}")
    _put_out_booking_check(env, edition_id, collector_id)
    due_on = _book_edition_last_day(env, concert_date)
    _book_edition_check_copies(env, edition_id, copies, today, due_on, None, today)
    _put_out_booking_check_in(env, edition_id, copies)
    _book_edition_check_free(env, edition_id, copies, today, due_on, None, today)
    loan_id, charge_id = _put_out_booking_enter(env, edition_id, copies, concert_date, due_on, collector_id, today)
    return {
        "loan": _extend_loan_show(env, env.files.get("data/loans.csv", loan_id)),
        "charge": _pay_charge_show(env, env.files.get("data/charges.csv", charge_id)),
    }

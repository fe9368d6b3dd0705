import datetime


def solve(tools):
    wanted_from, concert, copies = "2026-03-31", "2026-05-30", 40
    last_day = (datetime.date.fromisoformat(concert) + datetime.timedelta(days=14)).isoformat()
    works = tools.search_works(words="Mozart Requiem")["works"]
    work = next(one for one in works if one["title"] == "Requiem" and "Mozart" in one["composer"])
    for edition in tools.list_editions(work_id=work["id"])["editions"]:
        free = tools.check_availability(edition_id=edition["id"], first_day=wanted_from, last_day=last_day)["copies_free"]
        if free >= copies:
            tools.book_edition(edition_id=edition["id"], copies=copies, wanted_from=wanted_from, concert_date=concert)
            return {
                "outcome": "done",
                "answers": {"publisher": edition["publisher"]},
                "reason": None,
                "message": f"40 copies of the Mozart Requiem are booked for you from 31 March, in the {edition['publisher']} edition.",
            }
    return {
        "outcome": "impossible",
        "answers": {"publisher": None},
        "reason": None,
        "message": "Neither edition of the Mozart Requiem has 40 copies free from 31 March.",
    }

import datetime


def solve(tools):
    wanted_from, concert = "2026-02-24", "2026-03-29"
    last_day = (datetime.date.fromisoformat(concert) + datetime.timedelta(days=14)).isoformat()
    works = tools.search_works(words="Faure Requiem")["works"]
    work = next(one for one in works if one["title"] == "Requiem" and "Faur" in one["composer"])
    free = {}
    for edition in tools.list_editions(work_id=work["id"])["editions"]:
        found = tools.check_availability(edition_id=edition["id"], first_day=wanted_from, last_day=last_day)
        free[edition["publisher"]] = found["copies_free"]
    told = " and ".join(f"{copies} of the {publisher}" for publisher, copies in free.items())
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "copies_per_work",
        "message": (
            "I cannot book thirty Novello and ten Carus: all copies of a work that a choir has must be of one edition. "
            f"For those weeks {told} are free; I have booked nothing."
        ),
    }

import datetime
import re


def solve(tools):
    copies, wanted_from, concert = 20, "2026-11-28", "2026-12-20"
    last_day = (datetime.date.fromisoformat(concert) + datetime.timedelta(days=14)).isoformat()
    bookings = tools.list_bookings(status="open")["bookings"]
    fantasia = next(one for one in bookings if one["title"] == "Fantasia on Christmas Carols")
    mine = {one["title"] for one in bookings + tools.list_loans(status="out")["loans"]}
    fitting = []
    for work in tools.search_works(words="organ alone", season="christmas")["works"]:
        note = work["note"].lower()
        if re.search(r"(not with (the )?organ alone|organ alone cannot)", note) or work["title"] in mine:
            continue
        if "organ alone" not in note:
            continue
        for edition in tools.list_editions(work_id=work["id"])["editions"]:
            free = tools.check_availability(edition_id=edition["id"], first_day=wanted_from, last_day=last_day)
            if free["copies_free"] >= copies:
                fitting.append((work["title"], edition["id"], free["copies_free"]))
    title, edition_id, free = fitting[0]
    tools.cancel_booking(booking_id=fantasia["id"])
    tools.book_edition(edition_id=edition_id, copies=copies, wanted_from=wanted_from, concert_date=concert)
    return {
        "outcome": "done",
        "answers": {"work": title, "copies_left": free - copies},
        "reason": None,
        "message": f"The Fantasia is cancelled and 20 copies of {title} are booked from 28 November; {free - copies} copies of it are left free.",
    }

def _customer(tools, name):
    return next(one for one in tools.search_clienti(name=name)["clienti"] if one["name"] == name)


def _euros(cents):
    return f"€{cents / 100:.2f}"


def solve(tools):
    job = next(
        one
        for one in tools.search_incarichi(
            mine=True,
            cliente_id=_customer(tools, "Vesna Jurić")["id"],
            document="school certificate",
            status="accepted",
            booked=False,
        )["incarichi"]
    )
    morning = tools.list_mattine(first_day="2026-12-29", last_day="2026-12-29")["mattine"][0]
    try:
        tools.book_giuramento(incarico_id=job["id"], mattina_id=morning["id"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "five_places_fifth_urgent",
            "message": (
                "Vesna Jurić's school certificate cannot be booked for 29 December: you have 4 files that morning, and "
                "the 5th place can be taken only by an urgent file."
            ),
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "Vesna Jurić's school certificate is booked for 29 December.",
    }

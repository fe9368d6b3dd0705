def _customer(tools, name):
    return next(one for one in tools.search_clienti(name=name)["clienti"] if one["name"] == name)


def _euros(cents):
    return f"€{cents / 100:.2f}"


def solve(tools):
    day = "2026-12-29"

    def booked(name, document, mine):
        jobs = tools.search_incarichi(
            mine=mine, cliente_id=_customer(tools, name)["id"], document=document, booked=True
        )["incarichi"]
        return next(one for one in jobs if one["mattina_day"] == day)

    given = booked("Nikola Matić", "birth certificate", True)
    taken = booked("Ivana Barišić", "residence certificate", False)
    tools.swap_incarichi(incarico_id=given["id"], colleague_incarico_id=taken["id"], agreed_by_telephone=True)
    places = tools.list_giuramenti(mine=True, first_day=day, last_day=day, outcome="awaited")["giuramenti"]
    files = sorted((one["cliente_name"], one["document"]) for one in places)
    listed = "; ".join(f"{name}, {document}" for name, document in files)
    return {
        "outcome": "done",
        "answers": {"customers": [one[0] for one in files], "documents": [one[1] for one in files]},
        "reason": None,
        "message": f"The two files are swapped. On 29 December you carry: {listed}.",
    }

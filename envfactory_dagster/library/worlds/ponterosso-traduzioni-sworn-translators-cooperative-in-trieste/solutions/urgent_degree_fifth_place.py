def _customer(tools, name):
    return next(one for one in tools.search_clienti(name=name)["clienti"] if one["name"] == name)


def _euros(cents):
    return f"€{cents / 100:.2f}"


def solve(tools):
    customer = _customer(tools, "Ana Kocjančič")
    job = next(
        one
        for one in tools.search_incarichi(
            mine=True, cliente_id=customer["id"], document="degree certificate", status="quoted", urgent=True
        )["incarichi"]
    )
    tools.accept_quote(incarico_id=job["id"])
    tools.record_original(incarico_id=job["id"], original_received_on="2026-11-04")
    tools.record_payment(incarico_id=job["id"], day="2026-11-04", amount_cents=12500, method="cash")
    morning = tools.list_mattine(first_day="2026-11-05", last_day="2026-11-05")["mattine"][0]
    tools.book_giuramento(incarico_id=job["id"], mattina_id=morning["id"])
    due = tools.get_incarico(incarico_id=job["id"])["due_cents"]
    return {
        "outcome": "done",
        "answers": {"to_bring": due},
        "reason": None,
        "message": (
            "Ana Kocjančič's degree certificate is accepted, paid in part and booked for Thursday 5 November. "
            f"She has to bring {_euros(due)} when she collects."
        ),
    }

def _customer(tools, name):
    return next(one for one in tools.search_clienti(name=name)["clienti"] if one["name"] == name)


def _euros(cents):
    return f"€{cents / 100:.2f}"


def solve(tools):
    job = next(
        one
        for one in tools.search_incarichi(
            mine=True,
            cliente_id=_customer(tools, "Dragan Simić")["id"],
            document="driving licence",
            status="quoted",
        )["incarichi"]
    )
    today = tools.accept_quote(incarico_id=job["id"])["accepted_at"][:10]
    corrected = tools.correct_incarico(incarico_id=job["id"], lines=92, deadline="2026-12-30")
    tools.record_original(incarico_id=job["id"], original_received_on=today)
    tools.record_payment(incarico_id=job["id"], day=today, amount_cents=15000, method="card")
    mornings = tools.list_mattine(first_day=corrected["ready_on"], last_day="2026-12-30", status="open")["mattine"]
    morning = next(one for one in mornings if one["day"] > corrected["ready_on"])
    tools.book_giuramento(incarico_id=job["id"], mattina_id=morning["id"])
    return {
        "outcome": "done",
        "answers": {"new_total": corrected["total_cents"]},
        "reason": None,
        "message": (
            f"Dragan Simić's driving licence is urgent now and comes to {_euros(corrected['total_cents'])}; it is accepted "
            f"and booked for {morning['day']}."
        ),
    }

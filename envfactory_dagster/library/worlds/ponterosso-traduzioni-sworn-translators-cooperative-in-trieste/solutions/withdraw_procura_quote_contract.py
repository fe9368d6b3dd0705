def _customer(tools, name):
    return next(one for one in tools.search_clienti(name=name)["clienti"] if one["name"] == name)


def _euros(cents):
    return f"€{cents / 100:.2f}"


def solve(tools):
    customer = _customer(tools, "Carso Legnami S.r.l.")
    jobs = tools.search_incarichi(
        mine=True, cliente_id=customer["id"], document="power of attorney", booked=True
    )["incarichi"]
    job = next(one for one in jobs if one["mattina_day"] == "2026-11-10")
    tools.cancel_giuramento(incarico_id=job["id"])
    tools.withdraw_incarico(incarico_id=job["id"])
    quote = tools.create_quote(
        cliente_id=customer["id"],
        document="supply contract",
        from_language="German",
        into_language="Italian",
        lines=236,
        ready_on="2026-11-13",
        deadline="2026-11-27",
        exempt=False,
    )
    earlier = tools.get_cliente(cliente_id=customer["id"])["sworn_and_paid_jobs"]
    waived = earlier >= 6 and not quote["urgent"]
    half = 0 if waived else (quote["total_cents"] + 1) // 2
    return {
        "outcome": "done",
        "answers": {"total": quote["total_cents"], "to_transfer": half},
        "reason": None,
        "message": (
            "The power of attorney is withdrawn and its place on 10 November is free. The supply contract comes to "
            f"{_euros(quote['total_cents'])}, of which at least {_euros(half)} must be transferred before it can be booked."
        ),
    }

def _customer(tools, name):
    return next(one for one in tools.search_clienti(name=name)["clienti"] if one["name"] == name)


def _euros(cents):
    return f"€{cents / 100:.2f}"


def solve(tools):
    day = "2026-12-18"
    listed = tools.list_movimenti(first_day=day, last_day=day)
    sums = {"cash": 0, "card": 0, "transfer": 0}
    paid, jobs = {}, {}
    for one in listed["movimenti"]:
        sums[one["method"]] += one["amount_cents"]
        if one["mine"]:
            name = one["cliente_name"]
            paid[name] = paid.get(name, 0) + one["amount_cents"]
            jobs.setdefault(name, set()).add(one["incarico_id"])
    names = sorted(paid)
    owed = {
        name: sum(tools.get_incarico(incarico_id=job)["due_cents"] for job in sorted(jobs[name])) for name in names
    }
    mine = "; ".join(f"{name} paid {_euros(paid[name])} and still owes {_euros(owed[name])}" for name in names)
    return {
        "outcome": "done",
        "answers": {
            "total": listed["sum_cents"],
            "cash": sums["cash"],
            "card": sums["card"],
            "transfer": sums["transfer"],
            "my_customers": names,
            "my_payments": [paid[name] for name in names],
            "still_owed": [owed[name] for name in names],
        },
        "reason": None,
        "message": (
            f"On 18 December {_euros(listed['sum_cents'])} came in: {_euros(sums['cash'])} in cash, "
            f"{_euros(sums['card'])} by card, {_euros(sums['transfer'])} by transfer. For jobs of yours: {mine}."
        ),
    }

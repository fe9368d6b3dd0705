def _customer(tools, name):
    return next(one for one in tools.search_clienti(name=name)["clienti"] if one["name"] == name)


def _euros(cents):
    return f"€{cents / 100:.2f}"


def solve(tools):
    blocked = []
    waived = set()
    jobs = tools.search_incarichi(mine=True, status="accepted", booked=False)["incarichi"]
    for job in jobs:
        six = tools.get_cliente(cliente_id=job["cliente_id"])["sworn_and_paid_jobs"] >= 6
        if six:
            waived.add(job["cliente_name"])
        short = max(0, (job["total_cents"] + 1) // 2 - job["paid_cents"])
        needs_deposit = job["urgent"] or not six
        if job["original_received_on"] is None or (needs_deposit and short > 0):
            blocked.append((job["cliente_name"], job["document"], short if needs_deposit else 0))
    blocked.sort()
    listed = "; ".join(f"{name}, {document}: {_euros(short)} short of the half" for name, document, short in blocked)
    return {
        "outcome": "done",
        "answers": {
            "customers": [one[0] for one in blocked],
            "documents": [one[1] for one in blocked],
            "short_of_half": [one[2] for one in blocked],
            "deposit_waived": sorted(waived),
        },
        "reason": None,
        "message": (
            f"These cannot be booked yet: {listed}. The deposit is waived, save for urgent jobs, for "
            f"{', '.join(sorted(waived)) or 'nobody'}."
        ),
    }

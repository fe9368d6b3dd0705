def _get_choir_rate(choir, today):
    """Hire of a copy for a set that goes out today, in cents."""
    return 80 if choir["paid_to"] >= today else 160


def get_choir(env) -> dict:
    """Shows the choir of the person."""
    today = env.now[:10]
    choir = env.files.get("data/choirs.csv", env.user_id)
    editions = {one["id"]: one for one in env.files.records("data/editions.csv")}
    out = env.files.records("data/loans.csv", {"choir_id": env.user_id, "status": "out"})
    unpaid = env.files.records("data/charges.csv", {"choir_id": env.user_id, "status": "unpaid"})
    collectors = env.files.records("data/collectors.csv", {"choir_id": env.user_id})
    return {
        "name": choir["name"],
        "contact_name": choir["contact_name"],
        "singers": choir["singers"],
        "max_copies": choir["singers"] + 3,
        "paid_to": choir["paid_to"],
        "today": today,
        "hire_cents_per_copy": _get_choir_rate(choir, today),
        "works_out": len({editions[one["edition_id"]]["work_id"] for one in out}),
        "unpaid_cents": sum(one["amount_cents"] for one in unpaid),
        "collectors": [
            {"id": one["id"], "name": one["name"]} for one in sorted(collectors, key=lambda one: one["id"])
        ],
    }

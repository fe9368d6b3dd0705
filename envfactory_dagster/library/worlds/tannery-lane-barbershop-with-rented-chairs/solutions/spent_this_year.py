from collections import Counter


def solve(tools):
    visits = tools.list_my_appointments(
        status="done", first_day="2026-01-01", last_day="2026-04-14"
    )["appointments"]
    shares = Counter()
    for visit in visits:
        shares[visit["barber_name"]] += visit["price_cents"]
    total = sum(shares.values())
    top, share = shares.most_common(1)[0]
    return {
        "outcome": "done",
        "answers": {"total_spent": total, "top_barber": top},
        "reason": None,
        "message": (
            f"Since 1 January you have spent {total / 100:.2f} euros on the {len(visits)} visits that took place. "
            f"The largest share, {share / 100:.2f} euros, went to {top}."
        ),
    }

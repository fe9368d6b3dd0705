import datetime


def solve(tools):
    boat = next(b for b in tools.list_boats(name="Reine des Écluses")["boats"] if b["name"] == "Reine des Écluses")
    prices = tools.get_licence_tariff(class_code=boat["class_code"])["classes"][0]
    sold = {"1 day": (1, prices["one_day_price_cents"]), "7 days": (7, prices["seven_days_price_cents"]), "30 days": (30, prices["thirty_days_price_cents"])}
    sold = {k: v for k, v in sold.items() if v[1] is not None}
    first, second = "2026-10-22", "2026-10-29"
    apart = (datetime.date.fromisoformat(second) - datetime.date.fromisoformat(first)).days
    cheapest = min(sold, key=lambda k: sold[k][1])
    plans = [(2 * sold[cheapest][1], [(cheapest, first), (cheapest, second)])]
    plans += [(cents, [(k, first)]) for k, (days, cents) in sold.items() if days > apart]
    plan = min(plans, key=lambda p: p[0])[1]
    total = sum(tools.buy_licence(boat_id=boat["id"], duration=k, valid_from=day)["licence"]["price_cents"] for k, day in plan)
    return {
        "outcome": "done",
        "answers": {"total": total},
        "reason": None,
        "message": "The Reine des Écluses has %s; together %.2f euro." % (" and ".join("a licence of %s from %s" % p for p in plan), total / 100),
    }

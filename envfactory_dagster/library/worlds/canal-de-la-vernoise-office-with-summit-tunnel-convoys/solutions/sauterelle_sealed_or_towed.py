def solve(tools):
    boat = next(b for b in tools.list_boats(name="Sauterelle")["boats"] if b["name"] == "Sauterelle")
    tariff = tools.get_tunnel_tariff(class_code=boat["class_code"])
    prices = tariff["classes"][0]
    charges = {c["charge"]: c["amount_cents"] for c in tariff["charges"]}
    deposit = charges["rescue deposit"]
    outlay = prices["el_price_cents"] + charges["seal of a hybrid for EL"] + deposit
    convoys = tools.search_convoys(first_day="2026-10-03", last_day="2026-10-03", direction="south", status="planned")["convoys"]
    electric = [c for c in convoys if c["letter"] == "EL"]
    towed = [c for c in convoys if c["letter"] == "T"]
    el_times = sorted(c["leaves_at"][11:16] for c in electric)
    t_times = sorted(c["leaves_at"][11:16] for c in towed)
    left = sum(c["boats_left"] for c in electric)
    return {
        "outcome": "done",
        "answers": {"electric_outlay": outlay, "given_back": deposit, "tow_price": prices["tow_price_cents"],
                    "electric_departures": el_times, "towed_departures": t_times, "places_left": left},
        "reason": None,
        "message": "Electric you lay out %.2f euro and get %.2f back; being towed costs %.2f. On 3 October the electric convoy leaves at %s and has %d places left, the towed ones leave at %s."
                   % (outlay / 100, deposit / 100, prices["tow_price_cents"] / 100, " and ".join(el_times), left, " and ".join(t_times)),
    }

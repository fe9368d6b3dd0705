def solve(tools):
    boat = next(b for b in tools.list_boats(name="Zwaluw")["boats"] if b["name"] == "Zwaluw")
    tariff = tools.get_tunnel_tariff(class_code=boat["class_code"])
    row = tariff["classes"][0]
    loaded = max(row["tow_minimum_cents"], row["tow_price_per_tonne_cents"] * 180)
    empty = row["tow_minimum_cents"]
    barge = 2 * next(c["amount_cents"] for c in tariff["charges"] if c["charge"] == "Dame Ursule")
    difference = loaded + empty - barge
    entries = tools.search_convoy_log(first_day="2026-05-21", last_day="2026-05-24", letter="T", remarks="Dame Ursule")["entries"]
    return {
        "outcome": "done",
        "answers": {"loaded_north": loaded, "empty_back": empty, "dame_ursule_both_ways": barge, "difference": difference,
                    "t_convoys_with_remark": len(entries)},
        "reason": None,
        "message": "Zwaluw pays %.2f euro north with 180 tonnes and %.2f back empty, the Dame Ursule %.2f there and back, which is %.2f less. From 21 to 24 May %d T convoys have a remark about her."
                   % (loaded / 100, empty / 100, barge / 100, difference / 100, len(entries)),
    }

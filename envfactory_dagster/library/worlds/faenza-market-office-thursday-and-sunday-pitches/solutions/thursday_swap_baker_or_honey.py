def solve(tools):
    me = tools.get_my_details()["trader"]
    mine = tools.search_concessions(trader_id=me["id"], pitch_code="P22", weekday="thursday", status="active")["concessions"][0]
    others = []
    for code, name in (("T3", "Cavina"), ("P33", "Monduzzi")):
        others += tools.search_concessions(pitch_code=code, trader_name=name, weekday="thursday")["concessions"]
    others.sort(key=lambda c: -c["front_m"])
    refused = []
    for other in others:
        try:
            tools.request_swap(from_concession_id=mine["id"], with_concession_id=other["id"])
        except tools.Error as error:
            refused.append(f"{other['pitch_code']} is not allowed ({error})")
            continue
        return {
            "outcome": "done",
            "answers": {},
            "reason": None,
            "message": f"The swap of P22 with {other['trader_name']}'s {other['pitch_code']} has been asked for. " + " ".join(refused),
        }

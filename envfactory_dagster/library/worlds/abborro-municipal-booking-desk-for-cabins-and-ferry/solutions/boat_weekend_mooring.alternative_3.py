def solve(tools):
    arrives, leaves = "2026-09-12", "2026-09-14"
    islands = {row["name"]: row["island_id"] for row in tools.list_islands()["islands"]}
    free = []
    for name in ("Hamnskär", "Tallholm"):
        free = tools.search_moorings(arrives_on=arrives, leaves_on=leaves, boat_length_m=9.4,
                                     island_id=islands[name])["moorings"]
        if free:
            break
    mooring = max(free, key=lambda row: row["number"])
    turns = [row for row in tools.search_sauna_turns(day=arrives, island_id=mooring["island_id"])["sauna_turns"]
             if row["starts_at"][11:16] in ("18:00", "20:00")]
    tools.book_mooring(mooring_id=mooring["mooring_id"], arrives_on=arrives, leaves_on=leaves, boat_name="Havsörn",
                       boat_length_m=9.4)
    message = f"Mooring {mooring['number']} on {mooring['island_name']} is yours for the two nights"
    if turns:
        turn = min(turns, key=lambda row: row["starts_at"])
        tools.book_sauna_turn(sauna_id=turn["sauna_id"], starts_at=turn["starts_at"])
        message += f", and the {turn['sauna_name']} on Saturday at {turn['starts_at'][11:16]}"
    return {"outcome": "done", "answers": {}, "reason": None, "message": message + "."}

def solve(tools):
    crossing = next(row for row in tools.list_crossings(status="booked", first_day="2026-08-22",
                                                        last_day="2026-08-22")["crossings"]
                    if row["direction"] == "out" and row["leaves_at"] == "2026-08-22T13:00:00")
    turn = next(row for row in tools.list_sauna_turns(status="booked")["sauna_turns"]
                if row["starts_at"].startswith("2026-08-22"))
    island = next(row for row in tools.list_islands()["islands"] if row["name"] == "Tallholm")
    free = tools.search_sauna_turns(day="2026-09-05", island_id=island["island_id"])["sauna_turns"]
    new = min(free, key=lambda row: row["starts_at"])
    claim = tools.file_claim(crossing_id=crossing["crossing_id"], kind="fare")["claim"]
    tools.move_sauna_turn(sauna_turn_id=turn["sauna_turn_id"], sauna_id=new["sauna_id"], starts_at=new["starts_at"])
    meals = sum(voucher["amount_cents"] for voucher in claim["vouchers"])
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Your claim for {claim['amount_cents'] / 100:.2f} euros of fare is {claim['status']}, with"
                   f" {len(claim['vouchers'])} meal vouchers worth {meals / 100:.2f} euros together, and your sauna turn"
                   f" is now on 5 September at {new['starts_at'][11:16]}.",
    }

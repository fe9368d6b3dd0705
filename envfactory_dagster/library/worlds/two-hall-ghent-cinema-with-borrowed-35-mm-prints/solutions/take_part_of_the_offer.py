def solve(tools):
    entries = tools.list_my_waiting_list_entries()["entries"]
    offer = next(e for e in entries if e["title_name"] == "Maanlicht op de Coupure" and e["starts_at"].startswith("2026-03-20") and e["status"] == "offered")
    detail = tools.get_screening(screening_id=offer["screening_id"])
    at_member_price = min(2, detail["my_member_price_left"])
    seats = [{"tariff": "member"}] * at_member_price + [{"tariff": "standard"}] * (2 - at_member_price)
    bought = tools.answer_waiting_list_offer(waiting_list_entry_id=offer["id"], seats=seats, payment_method="bancontact")
    place = next(e for e in entries if e["title_name"] == "Brieven uit Boma" and e["status"] in ("waiting", "offered"))
    tools.leave_waiting_list(waiting_list_entry_id=place["id"])
    told = f"Two seats for Maanlicht op de Coupure are yours for {bought['price_cents'] / 100:.2f} euros and the third is given up; you are off the list for Brieven uit Boma"
    shows = tools.search_screenings(first_day="2026-03-22", last_day="2026-03-22", title_contains="Zondagskinderen", kind="public")["screenings"]
    afternoon = next(s for s in shows if "12:00" <= s["starts_at"][11:16] < "18:00")
    if afternoon["seats_left"] == 0:
        joined = tools.join_waiting_list(screening_id=afternoon["id"], seats_wanted=2)
        told += f" and number {joined['position']} on the one for Zondagskinderen on Sunday afternoon, for two seats"
    else:
        told += "; Zondagskinderen on Sunday afternoon is not sold out"
    return {"outcome": "done", "answers": {}, "reason": None, "message": told + "."}

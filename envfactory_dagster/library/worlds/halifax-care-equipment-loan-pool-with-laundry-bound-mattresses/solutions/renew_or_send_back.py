import datetime


def solve(tools):
    loans = tools.list_loans(status="on_loan")["loans"]
    types = {row["name"]: row for row in tools.list_item_types()["item_types"]}
    told = []
    for name, item_type, due in (("Earl", "wheelchair", "2026-07-08"), ("Doreen", "bed", "2026-07-15")):
        loan = next(
            row
            for row in loans
            if row["client_name"].startswith(name) and row["item_type_name"] == item_type and row["due_on"] == due
        )
        try:
            renewed = tools.renew_loan(loan_id=loan["loan_id"])
            told.append(f"{name}'s {item_type} is renewed until {renewed['due_on']}.")
        except tools.Error as refusal:
            day = datetime.date.fromisoformat(due) - datetime.timedelta(days=1)
            while day.weekday() > 4:
                day -= datetime.timedelta(days=1)
            slots = tools.search_van_slots(
                first_day=day.isoformat(), last_day=day.isoformat(), min_points_left=types[item_type]["van_points"]
            )["van_slots"]
            booked = tools.book_collection(loan_id=loan["loan_id"], van_slot_id=slots[0]["van_slot_id"])
            told.append(
                f"{name}'s {item_type} cannot be renewed ({refusal}), so {booked['volunteer_name']} collects it on"
                f" {booked['day']} in the {booked['part_of_day']}."
            )
    return {"outcome": "done", "answers": {}, "reason": None, "message": " ".join(told)}

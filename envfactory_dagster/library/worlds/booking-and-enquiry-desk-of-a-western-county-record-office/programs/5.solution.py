def solve(tools):
    left, rounds = {}, {}
    for name in ("2025-2", "2026-1"):
        rounds[name] = tools.get_bursary_round(round=name)
        left[name] = rounds[name]["fund_cents"] - rounds[name]["committed_cents"]
    award, applied = None, None
    if left["2026-1"] > left["2025-2"]:
        readers = tools.find_readers(surname="Gilhooley", forename="Martin")["readers"]
        reader = [r for r in readers if r["town"] == "Boyle"][0]
        entries = tools.get_reader(ticket_no=reader["ticket_no"], include=["bursary"])["bursary"]
        award = sum(entry["awarded_cents"] or 0 for entry in entries if entry["round"] == "2026-1")
        rest = f"Martin Gilhooley from Boyle was awarded {award / 100:.2f} euro."
    else:
        applied = rounds["2025-2"]["applications"]
        rest = f"{applied} people applied in the second round of 2025."
    return {
        "outcome": "done",
        "answers": {"left_2025": left["2025-2"], "left_2026": left["2026-1"], "gilhooley_award": award, "applied_2025": applied},
        "reason": None,
        "message": f"{left['2025-2'] / 100:.2f} euro are uncommitted in the second round of 2025 and {left['2026-1'] / 100:.2f} euro in the first of 2026. {rest}",
    }

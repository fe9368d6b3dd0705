def solve(tools):
    kind_of_copy = {loan["copy_id"]: loan["kind"] for loan in tools.list_my_loans()["loans"]}
    reports = {report["id"]: report for report in tools.list_my_piece_reports()["piece_reports"]}
    charged = {"jigsaw": 0, "board_game": 0}
    unpaid = {"jigsaw": 0, "board_game": 0}
    incomplete = {"jigsaw": [], "board_game": []}
    for charge in tools.list_my_replacement_charges()["replacement_charges"]:
        report = reports[charge["piece_report_id"]]
        kind = kind_of_copy[report["copy_id"]]
        charged[kind] += charge["amount_cents"]
        if charge["status"] == "unpaid":
            unpaid[kind] += charge["amount_cents"]
        if report["status"] == "open":
            incomplete[kind].append(charge["title_name"])
    dearer = "jigsaw" if charged["jigsaw"] > charged["board_game"] else "board_game"
    name = {"jigsaw": "jigsaws", "board_game": "board games"}[dearer]
    return {
        "outcome": "done",
        "answers": {
            "jigsaw_charges": charged["jigsaw"],
            "board_game_charges": charged["board_game"],
            "dearer_kind": name,
            "dearer_kind_unpaid": unpaid[dearer],
            "dearer_kind_incomplete": incomplete[dearer],
        },
        "reason": None,
        "message": f"You were charged {charged['jigsaw'] / 100:.2f} euros for jigsaws and {charged['board_game'] / 100:.2f} euros"
        f" for board games; of the dearer, the {name}, you still owe {unpaid[dearer] / 100:.2f} euros,"
        f" and {', '.join(incomplete[dearer]) or 'none'} still lacks its piece.",
    }

def solve(tools):
    me = tools.get_own_membership()["member_no"]
    rounds = tools.list_bulk_rounds(status="open")["bulk_rounds"]
    r = next(x for x in rounds if x["closes_on"] == "2025-08-25")
    cheapest = min(r["treatments"], key=lambda t: (t["price_cents"], t["treatment_id"]))
    sacks = (26000 - 2 * cheapest["price_cents"]) // r["sack_price_cents"]
    order = tools.placeBulkOrder(
        roundId=r["round_no"],
        memberNo=me,
        sugarSacks=sacks,
        treatments=[{"treatment_id": cheapest["treatment_id"], "packs": 2}],
    )
    total = order["total_cents"]
    return {
        "outcome": "done",
        "answers": {"sacks": sacks, "total": total},
        "reason": None,
        "message": (
            f"Your order is now {sacks} sacks of sugar and 2 packs of {cheapest['name']}, "
            f"{total / 100:.2f} EUR in all."
        ),
    }

import re


def solve(tools):
    found = tools.search_answers(text="800 metres")["answers"][0]
    named_text = found["answer"].split("Not ")[0]
    codes = re.findall(r"J-[0-9]+", named_text)
    by_code = {v["code"]: v for v in found["varieties"]}
    named = [by_code[code] for code in codes]
    lots = []
    for variety in named:
        lots += tools.search_lots(kind="tree", variety_id=variety["variety_id"], min_free_pieces=1)["lots"]
    lots.sort(key=lambda lot: (lot["member_price_cents"], lot["lot_id"]))
    free = {lot["variety_id"]: lot["name"] for lot in lots}
    pairs = []
    for variety_id, name in free.items():
        for p in tools.list_pollinators(variety_id=variety_id)["pollinators"]:
            if p["pollinator_id"] in free and p["pollinator_id"] != variety_id:
                pairs.append((p["name"], name))
    helped = {name for _, name in pairs}
    alone = [name for name in free.values() if name not in helped]
    listed = "; ".join(
        f"{lot['name']} on {lot['rootstock']} ({lot['form_or_grade']}) at {lot['member_price_cents'] / 100:.2f} EUR"
        for lot in lots
    )
    pollination = ", ".join(f"{a} pollinates {b}" for a, b in pairs) or "none of them pollinates another"
    further = f", while {', '.join(alone)} needs a further variety" if alone else ""
    return {
        "outcome": "done",
        "answers": {
            "varieties_named": [v["name"] for v in named],
            "free_varieties": [lot["name"] for lot in lots],
            "free_rootstocks": [lot["rootstock"] for lot in lots],
            "free_prices": [lot["member_price_cents"] for lot in lots],
            "one_pollinates_another": bool(pairs),
        },
        "reason": None,
        "message": (
            f"For 800 metres the society names {', '.join(v['name'] for v in named)}; still to be had are {listed}. "
            f"Of these {pollination}{further}."
        ),
    }

def solve(tools):
    rated = tools.search_huts(sort_by="rating")["huts"]
    steinkar = next(hut for hut in rated if hut["name"] == "Steinkar Hut")
    trails = tools.find_trails(hut_id=steinkar["hut_id"], max_hours=5)["trails"]
    in_reach = {trail["to_hut_id"] for trail in trails}
    best = next(hut for hut in rated if hut["hut_id"] in in_reach)
    [dinner] = tools.list_meals(hut_id=best["hut_id"], course="dinner", suits="vegetarian")["meals"]
    newest = tools.list_reviews(hut_id=best["hut_id"], sort_by="newest")["reviews"][0]
    return {
        "outcome": "done",
        "answers": {
            "best_hut": best["name"],
            "vegetarian_dinner": dinner["price_cents"],
            "last_reviewer": newest["author"],
        },
        "reason": None,
        "message": f"The {best['name']}. A vegetarian dinner costs {dinner['price_cents'] / 100:.2f} euros there, "
        f"and the last review is by {newest['author']}.",
    }

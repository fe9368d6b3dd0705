def solve(tools):
    compared = tools.compare_ratings(app="tramline")
    stars = tools.count_stars(app="tramline", stars=5)
    store = "google" if compared["difference"] > 0 else "apple"
    difference = abs(compared["difference"])
    five = stars["google"] + stars["apple"]
    return {
        "outcome": "done",
        "answers": {"store": store, "difference": difference, "five_stars": five},
        "reason": None,
        "message": f"It is rated {difference} better at {store}; {five} reviews give five stars.",
    }

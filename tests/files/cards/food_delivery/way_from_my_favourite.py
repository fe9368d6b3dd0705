def solve(tools):
    user = tools.get_user(user_id=3)
    favourite = tools.get_favourites(user_id=3)["favourites"][0]
    store = tools.get_store(store_id=favourite)
    kilometres = tools.get_distance(start=store["zone"], end=user["home"])["kilometres"]
    weather = tools.get_weather(day="2025-12-25")["weather"]["condition"]
    return {
        "outcome": "done",
        "answers": {"kilometres": kilometres, "weather": weather},
        "reason": None,
        "message": f"It is {kilometres} kilometres from there; the weather was: {weather}.",
    }

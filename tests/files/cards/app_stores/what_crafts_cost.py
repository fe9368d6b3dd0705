def solve(tools):
    app = tools.list_apps_in(category="crafts")["apps"][0]
    price = tools.get_price(app=app)["price"]
    installs = tools.get_installs(app=app)["installs"]
    return {
        "outcome": "done",
        "answers": {"price": price, "installs": installs},
        "reason": None,
        "message": f"It costs {price} and was installed {installs} times.",
    }

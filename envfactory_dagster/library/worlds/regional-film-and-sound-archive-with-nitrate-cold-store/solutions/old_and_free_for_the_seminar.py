def solve(tools):
    items = tools.list_items(rights="free", last_year=1939)["items"]
    shown = []
    for item in items:
        copy = item["access_copy"] or ""
        if item["item_class"] == "P":
            form = "print"
        elif item["item_class"] == "D":
            form = "disc"
        elif item["item_class"] == "A":
            form = "reel"
        elif copy.startswith("file"):
            form = "file on the screen of booth B4"
        elif copy == "transfer":
            form = "transfer"
        else:
            continue
        shown.append((item["made"], item["title"], form, item["minutes"]))
    shown.sort()
    total = sum(row[3] for row in shown)
    words = "; ".join(f"{title} ({made}), {form}, {minutes} min" for made, title, form, minutes in shown)
    return {
        "outcome": "done",
        "answers": {"titles": [row[1] for row in shown], "forms": [row[2] for row in shown], "minutes_together": total},
        "reason": None,
        "message": f"Without anybody's consent there are: {words}. Together they are {total} minutes.",
    }

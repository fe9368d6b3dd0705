import re


def field(name):
    return "rung_" + re.sub(r"[^a-z0-9]+", "_", name.lower().replace("'", "")).strip("_")


def solve(tools):
    needed = 3
    standing = tools.get_my_standing()
    missing = max(0, needed - standing["granted_sign_offs"])
    sign_offs = tools.list_my_method_sign_offs()["method_sign_offs"]
    granted = [s["method_name"] for s in sign_offs if s["status"] == "granted"]
    waiting = [s["method_name"] for s in sign_offs if s["status"] == "requested"]

    answers = {
        "missing_sign_offs": missing,
        "granted_methods": granted,
        "request_waiting": bool(waiting),
        "closest_method": None,
    }
    counts = {}
    for method in tools.list_methods()["methods"]:
        name = method["name"]
        answers[field(name)] = None
        if name in granted or name in waiting:
            continue
        rung = tools.list_my_session_places(status="rung", kind="practice", method_id=method["id"])["session_places"]
        counts[name] = answers[field(name)] = len(rung)
    closest = max(counts, key=counts.get, default=None)
    answers["closest_method"] = closest

    request = f"your request for {' and '.join(waiting)} is waiting" if waiting else "you have no request waiting"
    message = (f"You are {missing} granted sign-off(s) short of full membership: granted are {', '.join(granted) or 'none'}, "
               f"and {request}.")
    if counts:
        listed = ", ".join(f"{name} {count}" for name, count in counts.items())
        message += f" Practices marked as rung for the other methods: {listed}; you are closest to being able to ask for {closest}"
        message += ", though not while that request is undecided." if waiting else "."
    return {"outcome": "done", "answers": answers, "reason": None, "message": message}

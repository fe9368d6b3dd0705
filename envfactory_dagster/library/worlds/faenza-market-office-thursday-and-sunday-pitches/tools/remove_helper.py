def remove_helper(env, *, helper_id: int) -> dict:
    """Takes a helper off the company papers of the user."""
    helper = env.one("SELECT id, name, from_on, status FROM helpers WHERE id = ? AND trader_id = ?", [helper_id, env.user_id])
    if helper is None:
        raise env.Error(f"You have no helper {helper_id}.")
    if helper["status"] != "on_papers":
        raise env.Error(f"{helper['name']} is no longer on your papers.")
    last = max(env.now[:10], helper["from_on"])
    env.execute("UPDATE helpers SET status = 'removed', until_on = ? WHERE id = ?", [last, helper_id])
    return {"helper": env.one("SELECT id, name, tie, from_on, until_on, status FROM helpers WHERE id = ?", [helper_id])}

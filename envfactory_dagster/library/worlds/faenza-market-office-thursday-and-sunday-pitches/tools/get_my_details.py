def get_my_details(env) -> dict:
    """Shows the user as a trader with the helpers on the papers."""
    trader = env.one("SELECT id, name, business_name, goods, is_local_producer, registered_on FROM traders WHERE id = ?", [env.user_id])
    if trader is None:
        raise env.Error("You are not on record as a trader.")
    helpers = env.query("SELECT id, name, tie, from_on, until_on, status FROM helpers WHERE trader_id = ? ORDER BY status, name, id", [env.user_id])
    return {"trader": trader, "helpers": helpers}

def list_my_passes_and_vouchers(env) -> dict:
    """Lists the user's passes and vouchers, the earliest expiry first."""
    today = env.now[:10]
    passes = env.query(
        "SELECT id, rides_bought, rides_left, bought_on, expires_on, rides_left > 0 AND expires_on >= :today AS usable FROM passes WHERE account_id = :user ORDER BY expires_on, id",
        {"user": env.user_id, "today": today},
    )
    vouchers = env.query(
        "SELECT id, code, origin, value_cents, left_cents, issued_on, expires_on, left_cents > 0 AND expires_on >= :today AS usable FROM vouchers WHERE account_id = :user ORDER BY expires_on, id",
        {"user": env.user_id, "today": today},
    )
    return {"passes": [{**p, "usable": bool(p["usable"])} for p in passes], "vouchers": [{**v, "usable": bool(v["usable"])} for v in vouchers]}

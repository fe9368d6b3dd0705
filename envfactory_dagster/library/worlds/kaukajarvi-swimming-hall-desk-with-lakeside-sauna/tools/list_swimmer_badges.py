def _desk_person(env, customer_id):
    """The user, or a child under 18 whose guardian the user is."""
    row = env.one(
        "SELECT id, name, birth_date, price_group FROM customers WHERE id = :c AND (id = :u OR (guardian_id = :u AND birth_date > date(:day, '-18 years')))",
        {"c": customer_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"there is no customer {customer_id} who is you or a child you are guardian of")
    return row


def list_swimmer_badges(env, *, customer_id: int) -> dict:
    """Lists the badges and test swims of the user or of one of their children."""
    _desk_person(env, customer_id)
    badges = env.query(
        "SELECT b.id, b.customer_id, b.badge_id, g.name AS badge_name, g.requirement, p.price_cents, b.source, b.passed_on, b.bought_at FROM swimmer_badges b JOIN badges g ON g.id = b.badge_id JOIN prices p ON p.id = g.price_id WHERE b.customer_id = ? ORDER BY b.badge_id, b.id",
        [customer_id],
    )
    swims = env.query("SELECT id, customer_id, badge_id, swum_on, outcome FROM test_swims WHERE customer_id = ? ORDER BY swum_on, id", [customer_id])
    return {"swimmer_badges": badges, "test_swims": swims}

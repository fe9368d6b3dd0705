def get_my_profile(env) -> dict:
    """Shows the user, their children and the clubs they represent."""
    me = env.one("SELECT id, customer_number, name, birth_date, price_group, phone, email FROM customers WHERE id = ?", [env.user_id])
    children = env.query(
        "SELECT id, customer_number, name, birth_date, price_group FROM customers WHERE guardian_id = :u AND birth_date > date(:day, '-18 years') ORDER BY birth_date, id",
        {"u": env.user_id, "day": env.now[:10]},
    )
    roles = env.query(
        "SELECT r.id, r.club_id, c.name AS club_name, c.tampere_based, r.role, r.valid_from, r.valid_to FROM club_representatives r JOIN clubs c ON c.id = r.club_id WHERE r.customer_id = ? ORDER BY r.valid_from, r.id",
        [env.user_id],
    )
    return {"customer": me, "children": children, "club_roles": roles}

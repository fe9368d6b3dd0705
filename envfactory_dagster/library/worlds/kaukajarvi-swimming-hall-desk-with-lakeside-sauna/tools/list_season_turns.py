def _desk_own_club(env, club_id):
    """A club that the user represents today."""
    row = env.one(
        "SELECT c.id, c.name, c.tampere_based FROM clubs c WHERE c.id = :c AND EXISTS (SELECT 1 FROM club_representatives r WHERE r.club_id = c.id AND r.customer_id = :u AND :day BETWEEN r.valid_from AND r.valid_to)",
        {"c": club_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"you represent no club {club_id} today")
    return row


def list_season_turns(env, *, club_id: int | None = None) -> dict:
    """Lists the standing turns and the representatives of the user's clubs."""
    if club_id is not None:
        _desk_own_club(env, club_id)
    turns = env.query(
        "SELECT t.id, t.club_id, c.name AS club_name, t.basis, t.lane, o.weekday, t.starts_time, t.ends_time, p.price_cents, t.valid_from, t.valid_to, t.status FROM season_turns t JOIN clubs c ON c.id = t.club_id JOIN opening_hours o ON o.id = t.opening_hours_id JOIN prices p ON p.id = t.price_id WHERE t.club_id IN (SELECT r.club_id FROM club_representatives r WHERE r.customer_id = :u AND :day BETWEEN r.valid_from AND r.valid_to) AND (:c IS NULL OR t.club_id = :c) ORDER BY t.club_id, t.opening_hours_id, t.starts_time, t.id",
        {"u": env.user_id, "day": env.now[:10], "c": club_id},
    )
    people = env.query(
        "SELECT r.club_id, r.customer_id, k.name, r.role, r.valid_from, r.valid_to FROM club_representatives r JOIN customers k ON k.id = r.customer_id WHERE :day BETWEEN r.valid_from AND r.valid_to AND r.club_id IN (SELECT x.club_id FROM club_representatives x WHERE x.customer_id = :u AND :day BETWEEN x.valid_from AND x.valid_to) AND (:c IS NULL OR r.club_id = :c) ORDER BY r.club_id, r.role, r.id",
        {"u": env.user_id, "day": env.now[:10], "c": club_id},
    )
    return {"season_turns": turns, "representatives": people}

def _desk_person(env, customer_id):
    """The user, or a child under 18 whose guardian the user is."""
    row = env.one(
        "SELECT id, name, birth_date, price_group FROM customers WHERE id = :c AND (id = :u OR (guardian_id = :u AND birth_date > date(:day, '-18 years')))",
        {"c": customer_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"there is no customer {customer_id} who is you or a child you are guardian of")
    return row


def list_season_cards(env, *, customer_id: int | None = None, status: str | None = None, valid_on: str | None = None) -> dict:
    """Lists the season cards of the user and of their children with their pauses."""
    if customer_id is not None:
        _desk_person(env, customer_id)
    cards = env.query(
        "SELECT s.id, s.card_number, s.customer_id, c.name AS customer_name, s.card_type, s.rantasauna_addon, s.sold_at, s.valid_from, s.valid_to, s.summer_extension_days, s.status, s.times_misused, s.misused_at, s.misuse_reason, s.closed_until, s.replaced_at FROM season_cards s JOIN customers c ON c.id = s.customer_id WHERE (c.id = :u OR (c.guardian_id = :u AND c.birth_date > date(:day, '-18 years'))) AND (:c IS NULL OR s.customer_id = :c) AND (:s IS NULL OR s.status = :s) AND (:on IS NULL OR :on BETWEEN s.valid_from AND s.valid_to) ORDER BY s.valid_from DESC, s.id DESC",
        {"u": env.user_id, "day": env.now[:10], "c": customer_id, "s": status, "on": valid_on},
    )
    for card in cards:
        card["pauses"] = env.query(
            "SELECT id, season_card_id, requested_by_id, reason, certificate_on, starts_on, ends_on, requested_at FROM card_pauses WHERE season_card_id = ? ORDER BY starts_on, id",
            [card["id"]],
        )
    return {"season_cards": cards}

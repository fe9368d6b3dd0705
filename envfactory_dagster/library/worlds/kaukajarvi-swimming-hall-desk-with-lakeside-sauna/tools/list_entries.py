def _desk_person(env, customer_id):
    """The user, or a child under 18 whose guardian the user is."""
    row = env.one(
        "SELECT id, name, birth_date, price_group FROM customers WHERE id = :c AND (id = :u OR (guardian_id = :u AND birth_date > date(:day, '-18 years')))",
        {"c": customer_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"there is no customer {customer_id} who is you or a child you are guardian of")
    return row


def _desk_season_card(env, season_card_id):
    return env.one(
        "SELECT s.id, s.card_number, s.customer_id, c.name AS customer_name, s.card_type, s.rantasauna_addon, s.sold_at, s.valid_from, s.valid_to, s.summer_extension_days, s.status, s.times_misused, s.misused_at, s.misuse_reason, s.closed_until, s.replaced_at FROM season_cards s JOIN customers c ON c.id = s.customer_id WHERE s.id = ?",
        [season_card_id],
    )


def _desk_own_season_card(env, season_card_id):
    """A season card of the user or of their child."""
    row = env.one(
        "SELECT s.id FROM season_cards s JOIN customers c ON c.id = s.customer_id WHERE s.id = :s AND (c.id = :u OR (c.guardian_id = :u AND c.birth_date > date(:day, '-18 years')))",
        {"s": season_card_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"neither you nor a child of yours has a season card {season_card_id}")
    return _desk_season_card(env, season_card_id)


def list_entries(env, *, customer_id: int | None = None, season_card_id: int | None = None, ten_visit_card_id: int | None = None, basis: str | None = None, place: str | None = None, first_day: str | None = None, last_day: str | None = None) -> dict:
    """Lists the entries of the user and their children and those on their cards."""
    if customer_id is not None:
        _desk_person(env, customer_id)
    if season_card_id is not None:
        _desk_own_season_card(env, season_card_id)
    if ten_visit_card_id is not None:
        card = env.one("SELECT id FROM ten_visit_cards WHERE id = :t AND customer_id = :u", {"t": ten_visit_card_id, "u": env.user_id})
        if card is None:
            raise env.Error(f"you have no 10-visit card {ten_visit_card_id}")
    rows = env.query(
        "SELECT e.id, e.customer_id, c.name AS customer_name, e.place, e.basis, e.season_card_id, e.ten_visit_card_id, e.used_by_holder, e.entered_at FROM entries e LEFT JOIN customers c ON c.id = e.customer_id LEFT JOIN season_cards s ON s.id = e.season_card_id LEFT JOIN customers h ON h.id = s.customer_id LEFT JOIN ten_visit_cards t ON t.id = e.ten_visit_card_id WHERE (c.id = :u OR (c.guardian_id = :u AND c.birth_date > date(:day, '-18 years')) OR h.id = :u OR (h.guardian_id = :u AND h.birth_date > date(:day, '-18 years')) OR t.customer_id = :u) AND (:c IS NULL OR e.customer_id = :c) AND (:s IS NULL OR e.season_card_id = :s) AND (:t IS NULL OR e.ten_visit_card_id = :t) AND (:basis IS NULL OR e.basis = :basis) AND (:place IS NULL OR e.place = :place) AND (:first IS NULL OR substr(e.entered_at, 1, 10) >= :first) AND (:last IS NULL OR substr(e.entered_at, 1, 10) <= :last) ORDER BY e.entered_at, e.id",
        {"u": env.user_id, "day": env.now[:10], "c": customer_id, "s": season_card_id, "t": ten_visit_card_id, "basis": basis, "place": place, "first": first_day, "last": last_day},
    )
    return {"entries": rows}

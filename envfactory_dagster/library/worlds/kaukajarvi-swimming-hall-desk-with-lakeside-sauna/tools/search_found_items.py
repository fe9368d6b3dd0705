def search_found_items(env, *, category: str | None = None, text: str | None = None, first_day: str | None = None, last_day: str | None = None) -> dict:
    """Searches the items still held and those that are the user's or their children's."""
    rows = env.query(
        "SELECT f.id, f.book_number, f.category, f.description, f.place, f.found_on, f.keep_until, p.price_cents, f.status, f.owner_id, f.fetched_by_id, f.fetched_at, f.fee_cents FROM found_items f JOIN prices p ON p.id = f.price_id LEFT JOIN customers c ON c.id = f.owner_id WHERE (f.status = 'held' OR c.id = :u OR (c.guardian_id = :u AND c.birth_date > date(:day, '-18 years')) OR f.fetched_by_id = :u) AND (:c IS NULL OR f.category = :c) AND (:first IS NULL OR f.found_on >= :first) AND (:last IS NULL OR f.found_on <= :last) ORDER BY f.found_on, f.id",
        {"u": env.user_id, "day": env.now[:10], "c": category, "first": first_day, "last": last_day},
    )
    if text is not None:
        rows = [row for row in rows if text.casefold() in row["description"].casefold()]
    return {"found_items": rows}

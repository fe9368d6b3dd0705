def search_titles(env, *, name_contains: str | None = None, carrier: str | None = None, max_kijkwijzer_age: int | None = None) -> dict:
    """Finds titles with the copies known of them."""
    titles = env.query(
        """
        SELECT t.id, t.name, t.year, t.director, t.minutes, t.languages, t.kijkwijzer_age FROM titles t
        WHERE (:name_contains IS NULL OR instr(lower(t.name), lower(:name_contains)) > 0)
          AND (:carrier IS NULL OR EXISTS (SELECT 1 FROM copies c WHERE c.title_id = t.id AND c.carrier = :carrier))
          AND (:max_age IS NULL OR COALESCE(t.kijkwijzer_age, 12) <= :max_age)
        ORDER BY t.name, t.id
        """,
        {"name_contains": name_contains, "carrier": carrier, "max_age": max_kijkwijzer_age},
    )
    for title in titles:
        title["copies"] = env.query(
            "SELECT id, carrier, lender, subtitles, reels, condition, guessed_fee_cents, key_from, key_until FROM copies WHERE title_id = ? ORDER BY carrier, id",
            [title["id"]],
        )
    return {"titles": titles}

def search_articles(env, *, article_no: int = None, text: str = None) -> dict:
    """Finds articles of the by-laws by number or words."""
    return {"articles": env.query(
        "SELECT article_no, part, article_text FROM articles WHERE (:n IS NULL OR article_no = :n)"
        " AND (:t IS NULL OR instr(lower(article_text), lower(:t)) > 0) ORDER BY article_no", {"n": article_no, "t": text})}

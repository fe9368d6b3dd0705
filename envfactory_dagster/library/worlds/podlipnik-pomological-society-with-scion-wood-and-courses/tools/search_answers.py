def search_answers(env, *, text: str = None, variety_id: int = None) -> dict:
    """Searches the secretary's answers to what members ask most."""
    if variety_id is not None:
        variety = env.one("SELECT id FROM varieties WHERE id = :variety_id", {"variety_id": variety_id})
        if variety is None:
            raise env.Error("There is no variety " + str(variety_id) + ".")
    rows = env.query(
        "SELECT a.id, a.question, a.answer FROM answers a "
        "WHERE (:variety_id IS NULL OR EXISTS (SELECT 1 FROM answer_varieties x "
        "WHERE x.answer_id = a.id AND x.variety_id = :variety_id)) ORDER BY a.id",
        {"variety_id": variety_id},
    )
    links = env.query(
        "SELECT x.answer_id, v.id AS variety_id, v.code, v.name FROM answer_varieties x "
        "JOIN varieties v ON v.id = x.variety_id ORDER BY x.answer_id, v.id"
    )
    part = text.strip().casefold() if text is not None else ""
    answers = []
    for row in rows:
        if part and part not in row["question"].casefold() and part not in row["answer"].casefold():
            continue
        answers.append({
            "question": row["question"],
            "answer": row["answer"],
            "varieties": [
                {"variety_id": link["variety_id"], "code": link["code"], "name": link["name"]}
                for link in links if link["answer_id"] == row["id"]
            ],
        })
    return {"answers": answers}

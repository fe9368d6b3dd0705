def search_committee_decisions(env, *, text: str = None, meeting_on: str = None) -> dict:
    """Finds decisions of the market committee."""
    rows = env.query(
        "SELECT id, meeting_on, item, title, decision FROM committee_decisions "
        "WHERE (:text IS NULL OR instr(lower(title), lower(:text)) > 0 OR instr(lower(decision), lower(:text)) > 0) "
        "AND (:meeting IS NULL OR meeting_on = :meeting) ORDER BY meeting_on, id",
        {"text": text, "meeting": meeting_on})
    return {"committee_decisions": rows}

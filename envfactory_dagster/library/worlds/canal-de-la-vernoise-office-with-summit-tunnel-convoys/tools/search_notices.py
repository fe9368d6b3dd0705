def search_notices(env, *, text: str = None, notice_no: str = None) -> dict:
    """Finds notices to boaters, with the winter stoppages they announce."""
    rows = env.query(
        "SELECT id, notice_no, issued, title, notice_text, signed_by, from_day, to_day FROM notices"
        " WHERE issued <= :today AND (:n IS NULL OR upper(notice_no) = upper(:n))"
        " AND (:t IS NULL OR instr(lower(replace(title || ' ' || notice_text, char(10), ' ')), lower(:t)) > 0) ORDER BY issued, id",
        {"today": env.now[:10], "n": notice_no, "t": text})
    notices = []
    for r in rows:
        n = {k: v for k, v in r.items() if k != "id"}
        n["stoppages"] = env.query(
            "SELECT stoppage_code, place, from_day, to_day FROM stoppages WHERE notice_no_id = ? ORDER BY from_day, id", [r["id"]])
        notices.append(n)
    return {"notices": notices}

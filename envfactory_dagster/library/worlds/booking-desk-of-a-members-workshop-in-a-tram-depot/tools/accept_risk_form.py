def accept_risk_form(env, *, year: int) -> dict:
    """The user accepts the risk form for a calendar year."""
    this_year = int(env.now[:4])
    if year not in (this_year, this_year + 1):
        raise env.Error("the risk form is accepted for this year or the next")
    if env.one("SELECT id FROM risk_forms WHERE member_id = ? AND year = ?", [env.user_id, year]) is not None:
        raise env.Error("you have accepted the risk form for " + str(year) + " already")
    form_id = env.insert("INSERT INTO risk_forms (member_id, year, accepted_at) VALUES (?, ?, ?)",
                         [env.user_id, year, env.now])
    return {"risk_form": env.one("SELECT id AS risk_form_id, year, accepted_at FROM risk_forms WHERE id = ?",
                                 [form_id])}

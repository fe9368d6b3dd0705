def list_risk_forms(env) -> dict:
    """Lists the risk forms the user has accepted."""
    return {"risk_forms": env.query(
        """SELECT id AS risk_form_id, year, accepted_at FROM risk_forms WHERE member_id = ?
           ORDER BY year, id""", [env.user_id])}

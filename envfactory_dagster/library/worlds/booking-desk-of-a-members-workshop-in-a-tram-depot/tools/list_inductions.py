def list_inductions(env) -> dict:
    """Lists the inductions the user has passed."""
    return {"inductions": env.query(
        """SELECT i.id AS induction_id, i.induction_type_id, t.name AS induction_type_name, i.passed_on,
                  i.valid_until
           FROM inductions i JOIN induction_types t ON t.id = i.induction_type_id
           WHERE i.member_id = ? ORDER BY i.induction_type_id, i.id""", [env.user_id])}

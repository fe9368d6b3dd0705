def list_induction_types(env) -> dict:
    """Lists the kinds of induction."""
    return {"induction_types": env.query(
        """SELECT id AS induction_type_id, name, validity_months, price_cents, refresher_price_cents
           FROM induction_types ORDER BY id""", [])}

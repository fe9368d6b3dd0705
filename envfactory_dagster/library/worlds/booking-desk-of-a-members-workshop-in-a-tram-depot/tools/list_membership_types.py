def list_membership_types(env) -> dict:
    """Lists the kinds of membership."""
    return {"membership_types": env.query(
        """SELECT id AS membership_type_id, name, monthly_fee_cents, monthly_credit_cents
           FROM membership_types ORDER BY id""", [])}

def get_licence_tariff(env, *, class_code: str = None) -> dict:
    """Shows the prices of licences by class and the reductions of the annual licence."""
    return {"classes": env.query(
                "SELECT class_code, length_range, length_from_m, length_below_m, year_price_cents, thirty_days_price_cents,"
                " seven_days_price_cents, one_day_price_cents FROM licence_classes"
                " WHERE (:c IS NULL OR class_code = :c) ORDER BY id", {"c": class_code}),
            "reductions": env.query("SELECT who, percent, remarks FROM licence_reductions ORDER BY id")}

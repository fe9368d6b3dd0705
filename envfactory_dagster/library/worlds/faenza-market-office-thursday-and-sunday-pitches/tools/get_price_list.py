def get_price_list(env) -> dict:
    """Shows prices per metre, electricity per day and the reduced sums of the fines."""
    return {
        "price_categories": env.query("SELECT id, code, goods_covered, sector, holder_cents_per_m, spuntista_cents_per_m FROM price_categories ORDER BY code, id"),
        "electricity_tariffs": env.query("SELECT id, code, name, max_kw, price_cents_per_day FROM electricity_tariffs ORDER BY id"),
        "breach_kinds": env.query("SELECT id, name, unit, reduced_cents_per_unit, early_discount FROM breach_kinds ORDER BY id"),
    }

def get_tunnel_tariff(env, *, class_code: str = None) -> dict:
    """Shows the prices of a tunnel passage by class, and the deposit and the other charges."""
    return {"classes": env.query(
                "SELECT class_code, length_range, tow_price_cents, el_price_cents, tow_price_per_tonne_cents, tow_minimum_cents"
                " FROM licence_classes WHERE (:c IS NULL OR class_code = :c) ORDER BY id", {"c": class_code}),
            "charges": env.query(
                "SELECT h.charge, h.amount_cents, h.condition_text, k.letter FROM tunnel_charges h"
                " LEFT JOIN convoy_kinds k ON k.id = h.letter_id ORDER BY h.id")}

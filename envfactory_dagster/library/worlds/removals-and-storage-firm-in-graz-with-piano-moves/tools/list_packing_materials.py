def list_packing_materials(env) -> dict:
    """Lists the packing materials with prices, refunds and stock."""
    return {
        "packing_materials": env.query(
            """SELECT id AS packing_material_id, name, sale_price_cents, hire_per_week_cents, unused_refund_percent,
                      used_refund_percent, stock
               FROM packing_materials ORDER BY id""",
            [],
        )
    }

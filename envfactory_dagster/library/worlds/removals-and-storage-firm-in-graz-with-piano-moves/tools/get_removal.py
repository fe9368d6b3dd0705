def get_removal(env, *, removal_id: int) -> dict:
    """Shows one of the user's removals with its addresses, pianos and zones."""
    removal = env.one(
        """SELECT r.id AS removal_id, r.code, r.removal_day, r.status, r.volume_m3, r.price_cents, r.is_fixed_price,
                  r.deposit_cents, r.deposit_paid_on, r.insured_value_cents, r.premium_per_thousand_cents,
                  r.insurer_approved_on, r.date_changes, r.requested_at, r.confirmed_at, r.cancelled_at,
                  c.name AS crew_leader, v.name AS vehicle
           FROM removals r
           LEFT JOIN crew_members c ON c.id = r.crew_leader_id
           LEFT JOIN vehicles v ON v.id = r.vehicle_id
           WHERE r.id = :removal AND r.customer_id = :user""",
        {"removal": removal_id, "user": env.user_id},
    )
    if removal is None:
        raise env.Error(f"You have no removal {removal_id}.")
    removal["premium_cents"] = removal["insured_value_cents"] // 100000 * removal["premium_per_thousand_cents"]
    removal["addresses"] = env.query(
        """SELECT id AS removal_address_id, stop, street, town, floor, has_lift
           FROM removal_addresses WHERE removal_id = ? ORDER BY CASE stop WHEN 'from' THEN 0 ELSE 1 END, id""",
        [removal_id],
    )
    removal["pianos"] = env.query(
        "SELECT id AS piano_id, model, kind, surcharge_cents FROM pianos WHERE removal_id = ? ORDER BY id",
        [removal_id],
    )
    removal["zones"] = env.query(
        """SELECT z.id AS no_stopping_zone_id, z.removal_address_id, z.zone_day, z.signs, z.applied_on, z.signs_up_on,
                  z.application_fee_cents, z.sign_rent_cents, z.status
           FROM no_stopping_zones z
           JOIN removal_addresses a ON a.id = z.removal_address_id
           WHERE a.removal_id = ? ORDER BY z.zone_day, z.id""",
        [removal_id],
    )
    return removal

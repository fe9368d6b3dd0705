def withdraw_zone(env, *, no_stopping_zone_id: int) -> dict:
    """Withdraws a no-stopping zone of one of the user's removals and says what of it stays owed."""
    zone = env.one(
        """SELECT z.zone_day, z.signs_up_on, z.application_fee_cents, z.sign_rent_cents, z.status, a.street
           FROM no_stopping_zones z
           JOIN removal_addresses a ON a.id = z.removal_address_id
           JOIN removals r ON r.id = a.removal_id
           WHERE z.id = :zone AND r.customer_id = :user""",
        {"zone": no_stopping_zone_id, "user": env.user_id},
    )
    if zone is None:
        raise env.Error(f"You have no no-stopping zone {no_stopping_zone_id}.")
    if zone["status"] == "withdrawn":
        raise env.Error(f"The zone at {zone['street']} was withdrawn already.")
    today = env.now[:10]
    if zone["zone_day"] <= today:
        raise env.Error(f"The day of the zone at {zone['street']}, {zone['zone_day']}, has come already.")
    env.execute(
        "UPDATE no_stopping_zones SET status = 'withdrawn', withdrawn_at = :now WHERE id = :zone",
        {"now": env.now, "zone": no_stopping_zone_id},
    )
    return {
        "no_stopping_zone_id": no_stopping_zone_id,
        "status": "withdrawn",
        "withdrawn_at": env.now,
        "application_fee_owed_cents": zone["application_fee_cents"],
        "sign_rent_owed_cents": zone["sign_rent_cents"] if zone["signs_up_on"] <= today else 0,
    }

import datetime

REQUEST_REMOVAL_CEILING_CENTS = 10000000
REQUEST_REMOVAL_PREMIUM_PER_THOUSAND_CENTS = 300


def request_removal(
    env,
    *,
    removal_day: str,
    volume_m3: float,
    insured_value_cents: int,
    from_street: str,
    from_town: str,
    from_floor: int,
    from_has_lift: int,
    to_street: str,
    to_town: str,
    to_floor: int,
    to_has_lift: int,
) -> dict:
    """Asks for a new removal of the user's, with both of its addresses."""
    try:
        day = datetime.date.fromisoformat(removal_day)
    except ValueError:
        raise env.Error(f"{removal_day} is not a day of the calendar.")
    if day.isoformat() <= env.now[:10]:
        raise env.Error("A removal can only be asked for on a day after today.")
    if volume_m3 <= 0:
        raise env.Error("The volume must be more than 0 m³.")
    if insured_value_cents < 0:
        raise env.Error("The insured value cannot be negative.")
    if insured_value_cents > REQUEST_REMOVAL_CEILING_CENTS:
        raise env.Error("Above €100,000 the insurer has to approve first, and a new removal has no approval on record.")
    for floor in (from_floor, to_floor):
        if floor < 0 or floor > 30:
            raise env.Error("A floor is a number from 0, the ground floor, to 30.")
    code = env.new_id("U-" + env.now[:4])
    removal = env.insert(
        """INSERT INTO removals (code, customer_id, removal_day, volume_m3, is_fixed_price, insured_value_cents,
                                 premium_per_thousand_cents, status, date_changes, requested_at)
           VALUES (:code, :user, :day, :volume, 0, :insured, :premium, 'requested', 0, :now)""",
        {
            "code": code,
            "user": env.user_id,
            "day": day.isoformat(),
            "volume": float(volume_m3),
            "insured": insured_value_cents,
            "premium": REQUEST_REMOVAL_PREMIUM_PER_THOUSAND_CENTS,
            "now": env.now,
        },
    )
    start = env.insert(
        """INSERT INTO removal_addresses (removal_id, stop, street, town, floor, has_lift)
           VALUES (:removal, 'from', :street, :town, :floor, :lift)""",
        {"removal": removal, "street": from_street, "town": from_town, "floor": from_floor, "lift": from_has_lift},
    )
    goal = env.insert(
        """INSERT INTO removal_addresses (removal_id, stop, street, town, floor, has_lift)
           VALUES (:removal, 'to', :street, :town, :floor, :lift)""",
        {"removal": removal, "street": to_street, "town": to_town, "floor": to_floor, "lift": to_has_lift},
    )
    return {
        "removal_id": removal,
        "code": code,
        "removal_day": day.isoformat(),
        "status": "requested",
        "from_removal_address_id": start,
        "to_removal_address_id": goal,
        "insured_value_cents": insured_value_cents,
        "premium_per_thousand_cents": REQUEST_REMOVAL_PREMIUM_PER_THOUSAND_CENTS,
    }

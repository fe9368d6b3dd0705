def get_conditions(env) -> dict:
    """Shows the conditions of both kinds of convoy and the greatest dimensions."""
    return {"convoy_kinds": env.query(
                "SELECT letter, manner, most_units, most_units_reserve_tug, most_length_m, two_units_from_m, most_boats,"
                " longest_boat_m, list_closes_minutes, control_from_minutes, control_to_minutes, battery_percent,"
                " battery_percent_before_2011, deposit_cents, runs_with_reserve_tug FROM convoy_kinds ORDER BY id"),
            "size_limits": env.query(
                "SELECT s.limit_name, s.place, s.measure, s.metres, s.boat, s.from_day, n.notice_no FROM size_limits s"
                " LEFT JOIN notices n ON n.id = s.notice_no_id ORDER BY s.id")}

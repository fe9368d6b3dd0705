def list_work_days(env) -> dict:
    """Lists the work days of 2026 and the points that each kind of help brings."""
    days = env.query("SELECT number, day_text, work, leader, most_points FROM work_days ORDER BY number")
    rates = env.query("SELECT work, points FROM point_rates ORDER BY id")
    return {"work_days": days, "point_rates": rates}

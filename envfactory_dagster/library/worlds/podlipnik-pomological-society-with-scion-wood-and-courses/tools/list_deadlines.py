def list_deadlines(env) -> dict:
    """Lists the dates at a glance with the collection days that belong to each."""
    rows = env.query("SELECT id, what, period FROM deadlines ORDER BY id")
    days = env.query(
        "SELECT x.deadline_id, d.held_on FROM deadline_days x "
        "JOIN tree_collection_days d ON d.id = x.tree_collection_day_id ORDER BY x.deadline_id, d.held_on"
    )
    deadlines = []
    for row in rows:
        deadlines.append({
            "what": row["what"],
            "period": row["period"],
            "held_on": [day["held_on"] for day in days if day["deadline_id"] == row["id"]],
        })
    return {"deadlines": deadlines}

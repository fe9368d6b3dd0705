def solve(tools):
    found = []
    for commission in tools.list_my_commissions()["commissions"]:
        hours = tools.get_commission(commission_id=commission["id"])["worked_hours"]
        count = len(tools.list_findings(commission_id=commission["id"], status="open")["findings"])
        if count > 0:
            found.append({
                "name": f"{commission['surname']} in {commission['region']}",
                "hours": hours,
                "count": count,
                "per_finding": hours / count,
            })
    least = min(found, key=lambda f: f["per_finding"])
    most = max(found, key=lambda f: f["per_finding"])
    return {
        "outcome": "done",
        "answers": {
            "fewest_hours_search": least["name"],
            "fewest_hours_search_hours": least["hours"],
            "fewest_hours_search_findings": least["count"],
            "most_hours_search": most["name"],
            "most_hours_search_hours": most["hours"],
            "most_hours_search_findings": most["count"],
        },
        "reason": None,
        "message": (
            f"The search for {least['name']} needed the fewest hours for a finding, {least['hours']:g} hours for"
            f" {least['count']} open findings. The search for {most['name']} needed the most,"
            f" {most['hours']:g} hours for {most['count']} open findings."
        ),
    }

def solve(tools):
    found = tools.search_club_evenings(first_day="2026-11-09", last_day="2026-11-30", status="planned")["club_evenings"]
    found.sort(key=lambda e: e["starts_at"])
    days, hosted, tables, table_days, lines = [], [], [], [], []
    for item in found:
        evening = tools.get_club_evening(club_evening_id=item["id"])
        free = sorted(t["name"] for t in evening["play_tables"] if t["is_free"] and t["seats"] >= 6)
        if not free:
            continue
        day = evening["starts_at"][:10]
        has_host = evening["host_name"] is not None
        days.append(day)
        hosted.append(has_host)
        tables.extend(free)
        table_days.extend([day] * len(free))
        lines.append(f"{day}: {' and '.join(free)} ({'has a host' if has_host else 'no host yet'})")
    if lines:
        message = f"Tables for six or more are still free on these evenings: {'; '.join(lines)}."
    else:
        message = "No club evening from 9 to 30 November 2026 has a table for six or more free."
    return {
        "outcome": "done",
        "answers": {"evenings": days, "has_host": hosted, "free_tables": tables, "free_table_days": table_days},
        "reason": None,
        "message": message,
    }

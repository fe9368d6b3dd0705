import datetime

NOW = "2026-10-05T09:00:00"


def _request(world):
    """Yvette's waiting request for a pressure mattress."""
    return world.initial.one(
        "SELECT r.id, r.item_type_id, r.priority, p.name AS nurse FROM requests r JOIN clients c ON c.id = r.client_id"
        " JOIN item_types t ON t.id = r.item_type_id LEFT JOIN prescribers p ON p.id = r.prescriber_id"
        " WHERE c.name = 'Yvette Comeau' AND t.name = 'pressure mattress' AND r.status = 'waiting'"
    )


def _place(row):
    """What a waiting request is sorted by."""
    band = 5 if row["priority"] is None else row["priority"]
    waited = datetime.date.fromisoformat(NOW[:10]) - datetime.date.fromisoformat(row["requested_at"][:10])
    if band == 4 and waited.days > 60:
        band = 3
    back = row["moved_back_at"] is not None
    return (band, back, row["moved_back_at"] if back else row["requested_at"], row["id"])


def _free_from(world, dropped_on):
    """The day after the 5th full laundry working day."""
    closed = {row["day"] for row in world.initial.query("SELECT day FROM laundry_closed_days ORDER BY day")}
    day = datetime.date.fromisoformat(dropped_on)
    full_days = 0
    while full_days < 5:
        day += datetime.timedelta(days=1)
        if day.weekday() < 5 and day.isoformat() not in closed:
            full_days += 1
    return (day + datetime.timedelta(days=1)).isoformat()


def goal_says_the_earliest_day(world) -> bool:
    """Says from which day the mattress pencilled for Yvette may come."""
    row = world.initial.one(
        "SELECT s.dropped_on FROM loans l JOIN laundry_stays s ON s.item_id = l.item_id AND s.status = 'at_laundry'"
        " WHERE l.request_id = ? AND l.status = 'pencilled'",
        [_request(world)["id"]],
    )
    return world.report.says("earliest_day", _free_from(world, row["dropped_on"]))


def goal_says_the_priority(world) -> bool:
    """Says the priority of Yvette's request."""
    return world.report.says("priority", _request(world)["priority"])


def goal_says_who_set_it(world) -> bool:
    """Says which nurse set the priority."""
    return world.report.says("set_by", _request(world)["nurse"])


def goal_says_how_many_are_ahead(world) -> bool:
    """Says how many people are ahead of Yvette."""
    rows = world.initial.query(
        "SELECT id, priority, requested_at, moved_back_at FROM requests WHERE item_type_id = ? AND status = 'waiting'"
        " ORDER BY id",
        [_request(world)["item_type_id"]],
    )
    own = next(_place(row) for row in rows if row["id"] == _request(world)["id"])
    return world.report.says("people_ahead", sum(1 for row in rows if _place(row) < own))


def goal_says_how_many_are_ready(world) -> bool:
    """Says how many mattresses are in store and not offered to anybody."""
    row = world.initial.one(
        "SELECT COUNT(*) AS n FROM items i WHERE i.item_type_id = ? AND i.status = 'in_store' AND NOT EXISTS ("
        " SELECT 1 FROM offers o WHERE o.item_id = i.id AND o.status = 'open' AND o.lapses_at >= ?)",
        [_request(world)["item_type_id"], NOW],
    )
    return world.report.says("ready_now", row["n"])


def goal_says_when_the_next_is_out(world) -> bool:
    """Says when the next mattress may leave the laundry."""
    rows = world.initial.query("SELECT dropped_on FROM laundry_stays WHERE status = 'at_laundry' ORDER BY id")
    return world.report.says("next_out", min(_free_from(world, row["dropped_on"]) for row in rows))


def goal_names_what_is_recalled(world) -> bool:
    """Names the things at home under an open recall."""
    rows = world.initial.query(
        "SELECT DISTINCT i.tag FROM loans l JOIN items i ON i.id = l.item_id JOIN household_members m ON m.client_id = l.client_id"
        " JOIN recall_items x ON x.item_id = i.id JOIN recalls r ON r.id = x.recall_id"
        " WHERE m.household_id = (SELECT household_id FROM household_members WHERE client_id = 1)"
        " AND l.status = 'on_loan' AND r.status = 'open' AND x.outcome IS NULL ORDER BY i.tag"
    )
    return world.report.says("under_recall", [row["tag"] for row in rows])


def goal_names_what_is_to_be_tested(world) -> bool:
    """Names the things at home with a test due before the end of October."""
    rows = world.initial.query(
        "SELECT i.tag, e.kind, MAX(e.next_due_on) AS due FROM loans l JOIN items i ON i.id = l.item_id"
        " JOIN household_members m ON m.client_id = l.client_id JOIN service_history_entries e ON e.item_id = i.id"
        " WHERE m.household_id = (SELECT household_id FROM household_members WHERE client_id = 1)"
        " AND l.status = 'on_loan' AND e.next_due_on IS NOT NULL GROUP BY i.tag, e.kind ORDER BY i.tag"
    )
    return world.report.says("tests_coming_up", sorted({row["tag"] for row in rows if row["due"] <= "2026-10-31"}))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule in the way."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0

def _is_free(tools, day, station_id, starts_at, ends_at):
    for taken in tools.list_taken_times(day=day, station_id=station_id)["taken_times"]:
        if taken["starts_at"] < ends_at and (taken["ends_at"] is None or taken["ends_at"] > starts_at):
            return False
    return True


def solve(tools):
    starts_at, ends_at = "2026-06-21T11:00:00", "2026-06-21T13:00:00"
    benches = [
        row for row in tools.search_stations(code="B")["stations"]
        if _is_free(tools, "2026-06-21", row["station_id"], starts_at, ends_at)
    ]
    bench = benches[0]
    booking = tools.book_hours(station_id=bench["station_id"], starts_at=starts_at, ends_at=ends_at)["booking"]
    tools.announce_guest(
        guest_name="Eline", guest_age=24, starts_at=starts_at, ends_at=ends_at, booking_id=booking["booking_id"]
    )
    items = tools.list_store_items()["store_items"]
    ply = next(row for row in items if "ply" in row["name"] and "4 mm" in row["name"])
    steel = next(row for row in items if row["name"].startswith("Steel flat"))
    tools.record_store_purchase(store_item_id=ply["store_item_id"], quantity=2)
    tools.record_store_purchase(store_item_id=steel["store_item_id"], quantity=3)
    total = tools.list_store_purchases(first_day="2026-06-01", last_day="2026-06-30")["total_cents"]
    return {
        "outcome": "done",
        "answers": {"store_account_june": total},
        "reason": None,
        "message": f"You have bench {bench['code']} on Sunday 21 June from 11:00 to 13:00 with Eline as your guest, and your "
        f"store account for June now comes to {total / 100:.2f} euros.",
    }

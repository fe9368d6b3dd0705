import datetime
import json


def _free_run_sessions(env, run: dict, without_order_id: int) -> list:
    """The sessions on the viewing days of a run that nobody has."""
    return [dict(r) for r in env.query(
        "SELECT d.value AS session_day, s.id AS slot_id, s.slot, s.starts, s.ends FROM json_each(:days) d JOIN slots s ON s.kind = 'viewing table'"
        " WHERE d.value IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM cold_store_orders o WHERE o.session_day = d.value AND o.session_slot_id = s.id"
        " AND o.id <> :without AND o.status IN ('on a run', 'seen', 'absent'))"
        " AND NOT EXISTS (SELECT 1 FROM bookings b JOIN places p ON p.id = b.place_id WHERE p.kind = 'viewing table'"
        " AND b.on_day = d.value AND b.slot_id = s.id AND b.status IN ('booked', 'came', 'absent'))"
        " ORDER BY d.value, s.starts",
        {"days": json.dumps([run["first_viewing_day"], run["second_viewing_day"]]), "without": without_order_id})]


def list_van_runs(env, *, first_day: str = None, last_day: str = None) -> dict:
    """Lists van runs with the room that is left and the sessions that a cold-store order could still have."""
    rows = env.query(
        "SELECT v.id, v.code, v.run_on, v.orders_close_at, v.takes_readers_orders, v.brings_nitrate, v.first_viewing_day,"
        " v.second_viewing_day, v.goes_back_on, v.status, v.lock_closed_at, u.difference, v.note"
        " FROM van_runs v LEFT JOIN unusual_van_days u ON u.id = v.unusual_van_day_id"
        " WHERE (:first IS NULL OR v.run_on >= :first) AND (:last IS NULL OR v.run_on <= :last) ORDER BY v.run_on",
        {"first": first_day, "last": last_day})
    furthest = (datetime.date.fromisoformat(env.now[:10]) + datetime.timedelta(days=21)).isoformat()
    runs = []
    for row in rows:
        run = dict(row)
        load = env.one(
            "SELECT COUNT(*) AS cans, COALESCE(SUM(i.item_class = 'N'), 0) AS nitrate, COALESCE(SUM(o.reader_id = :reader), 0) AS mine"
            " FROM order_cans c JOIN cold_store_orders o ON o.id = c.cold_store_order_id JOIN items i ON i.id = o.item_id"
            " WHERE o.run_id = :run AND o.status IN ('on a run', 'seen', 'absent', 'scanned') AND c.struck_off_at IS NULL",
            {"reader": env.user_id, "run": run["id"]})
        planned = run["status"] == "planned"
        run["cans_free"] = max(0, 8 - load["cans"]) if planned else 0
        run["nitrate_cans_free"] = min(run["cans_free"], max(0, 4 - load["nitrate"])) if run["brings_nitrate"] else 0
        run["my_cans"] = load["mine"]
        run["free_sessions"] = []
        if planned and run["takes_readers_orders"] and env.now <= run["orders_close_at"]:
            run["free_sessions"] = [s for s in _free_run_sessions(env, run, 0) if s["session_day"] <= furthest]
        runs.append(run)
    return {"van_runs": runs}

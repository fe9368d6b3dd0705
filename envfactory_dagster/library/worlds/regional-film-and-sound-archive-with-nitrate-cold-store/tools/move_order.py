import datetime
import json
import re


def _room_closed_on(env, day: str) -> bool:
    """Whether the room is closed on a day: Sundays and the closed days."""
    if datetime.date.fromisoformat(day).weekday() == 6:
        return True
    row = env.one("SELECT id FROM closed_days WHERE first_day <= ? AND last_day >= ?", [day, day])
    return row is not None


def _room_must_be_open(env) -> None:
    """Refuses outside the hours in which the books are written."""
    today = env.now[:10]
    hour = env.now[11:19]
    last = "13:30:00" if datetime.date.fromisoformat(today).weekday() == 5 else "17:30:00"
    if _room_closed_on(env, today) or hour < "10:00:00" or hour > last:
        raise env.Error("nothing is written in the books now: the room is open Monday to Friday 10:00-17:30 and Saturday 10:00-13:30, but not on closed days")


def _cold_item(env, item_id: int, can_nos: list) -> dict:
    """The cold-store title with those cans, or a refusal; says what its condition allows."""
    item = env.one("SELECT id, item, item_class, title, cans, condition, access_copy FROM items WHERE id = ?", [item_id])
    if item is None:
        raise env.Error(f"there is no item {item_id}")
    item = dict(item)
    if item["item_class"] not in ("N", "V"):
        raise env.Error(f"{item['title']} ({item['item']}) is in the house and is not ordered from the cold store")
    if not can_nos or len(set(can_nos)) != len(can_nos):
        raise env.Error("name each can once, and at least one")
    for can_no in can_nos:
        if can_no < 1 or can_no > item["cans"]:
            raise env.Error(f"{item['title']} has no can {can_no}, it has {item['cans']}")
    found = re.search("[0-9]+([.][0-9]+)?", item["condition"])
    grade = float(found.group(0)) if found else 0.0
    item["nobody"] = grade >= 3.0
    item["once"] = item["item_class"] == "V" and grade >= 2.5
    if item["nobody"]:
        raise env.Error(f"{item['title']} ({item['item']}, {item['condition']}) is issued to nobody and only copied from")
    if len(can_nos) > 2:
        raise env.Error("a reader may have at most 2 cans on one van run: split the order over two vans")
    return item


def _reader_card(env) -> dict:
    """The reader with the class of the card."""
    return env.one(
        "SELECT r.id, r.card_no, r.name, r.town, r.card_class_id, c.card_class, c.class_name, r.born, r.issued_on, r.renewed_on,"
        " r.valid_until, r.proof_from, r.proof_dated, r.induction_on, c.technician_session_fee_cents"
        " FROM readers r JOIN card_classes c ON c.id = r.card_class_id WHERE r.id = ?", [env.user_id])


def _coming_run(env, van_run_id: int) -> dict:
    """The run, which must lie ahead or be of today."""
    run = env.one("SELECT * FROM van_runs WHERE id = ?", [van_run_id])
    if run is None:
        raise env.Error(f"there is no van run {van_run_id}")
    if run["status"] != "planned" or run["run_on"] < env.now[:10]:
        raise env.Error(f"the run {run['code']} is over, choose a coming one")
    return dict(run)


def _table_slot(env, slot_id: int) -> dict:
    """The session T1 or T2 of the viewing table."""
    slot = env.one("SELECT id, slot, kind, starts, ends FROM slots WHERE id = ?", [slot_id])
    if slot is None:
        raise env.Error(f"there is no slot {slot_id}")
    if slot["kind"] != "viewing table":
        raise env.Error(f"{slot['slot']} is a booth slot, the viewing table has T1 and T2")
    return dict(slot)


def _run_hindrance(env, run: dict, item: dict, can_nos: list, without_order_id: int):
    """Why these cans cannot be ordered for this run at all, or None; the load is looked at elsewhere."""
    if run["status"] != "planned" or env.now > run["orders_close_at"]:
        return f"the orders for {run['code']} closed on {run['orders_close_at'][:10]} at {run['orders_close_at'][11:16]}"
    if not run["takes_readers_orders"]:
        return f"{run['code']} takes no readers' orders"
    if item["item_class"] == "N" and not run["brings_nitrate"]:
        return f"{run['code']} brings no nitrate"
    away = env.query(
        "SELECT c.can_no, v.code, v.goes_back_on FROM order_cans c"
        " JOIN cold_store_orders o ON o.id = c.cold_store_order_id JOIN van_runs v ON v.id = o.run_id"
        " WHERE o.item_id = :item AND o.id <> :without AND o.status IN ('on a run', 'seen', 'absent', 'scanned')"
        " AND c.struck_off_at IS NULL AND c.can_no IN (SELECT value FROM json_each(:cans)) AND v.status <> 'did not go'"
        " AND v.run_on <= :back AND v.goes_back_on >= :day ORDER BY v.run_on, c.can_no",
        {"item": item["id"], "without": without_order_id, "cans": json.dumps(can_nos), "back": run["goes_back_on"], "day": run["run_on"]})
    if away:
        return f"can {away[0]['can_no']} of {item['title']} is on {away[0]['code']}, which goes back on {away[0]['goes_back_on']}, and the van that takes a can home does not bring it"
    return None


def _run_full(env, run: dict, item: dict, count: int, without_order_id: int):
    """Why so many more cans do not fit on the run, or None."""
    load = env.one(
        "SELECT COUNT(*) AS cans, COALESCE(SUM(i.item_class = 'N'), 0) AS nitrate, COALESCE(SUM(o.reader_id = :reader), 0) AS mine"
        " FROM order_cans c JOIN cold_store_orders o ON o.id = c.cold_store_order_id JOIN items i ON i.id = o.item_id"
        " WHERE o.run_id = :run AND o.id <> :without AND o.status IN ('on a run', 'seen', 'absent', 'scanned') AND c.struck_off_at IS NULL",
        {"reader": env.user_id, "run": run["id"], "without": without_order_id})
    most = 3 if run["run_on"] < "2026-06-01" else 2
    if load["mine"] + count > most:
        return f"you may have at most {most} cans on {run['code']} and have {load['mine']} there"
    if load["cans"] + count > 8:
        return f"{run['code']} has room for {max(0, 8 - load['cans'])} more cans only"
    if item["item_class"] == "N" and load["nitrate"] + count > 4:
        return f"{run['code']} has room for {max(0, 4 - load['nitrate'])} more nitrate cans only"
    return None


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


def _session_hindrance(env, day: str, slot: dict, valid_until: str, without_order_id: int):
    """Why the reader cannot have this session of the viewing table, or None; whether it is taken is looked at elsewhere."""
    date = datetime.date.fromisoformat(day)
    if date > datetime.date.fromisoformat(env.now[:10]) + datetime.timedelta(days=21):
        return f"{day} is more than 21 days ahead"
    if day > valid_until:
        return f"your card is valid until {valid_until} and not on {day}; it is renewed first"
    monday = date - datetime.timedelta(days=date.weekday())
    sunday = monday + datetime.timedelta(days=6)
    mine = env.query(
        "SELECT o.session_day AS day, s.slot, s.kind, s.starts, s.ends FROM cold_store_orders o JOIN slots s ON s.id = o.session_slot_id"
        " WHERE o.reader_id = :reader AND o.id <> :without AND o.status IN ('on a run', 'seen', 'absent')"
        " AND o.session_day BETWEEN :monday AND :sunday"
        " UNION ALL"
        " SELECT b.on_day AS day, s.slot, s.kind, s.starts, s.ends FROM bookings b JOIN slots s ON s.id = b.slot_id"
        " WHERE b.reader_id = :reader AND b.status IN ('booked', 'came', 'absent') AND b.on_day BETWEEN :monday AND :sunday"
        " ORDER BY 1, 4",
        {"reader": env.user_id, "without": without_order_id, "monday": monday.isoformat(), "sunday": sunday.isoformat()})
    for row in mine:
        if row["day"] == day and row["starts"] < slot["ends"] and slot["starts"] < row["ends"]:
            return f"you have {row['slot']} on {day} at that hour, and nobody is in two places"
    if len([row for row in mine if row["kind"] == "viewing table"]) >= 3:
        return f"you have 3 sessions at the viewing table in the week of {day} already"
    return None


def _session_text(sessions: list) -> str:
    """Sessions in words."""
    return ", ".join(f"{s['session_day']} {s['slot']}" for s in sessions) or "none"


def _order_rows(env, order_id, status) -> list:
    """The reader's cold-store orders with their cans, newest first."""
    rows = env.query(
        "SELECT o.id, o.order_no, o.received_at, o.item_id, i.item, i.title, o.asked_run_id, o.run_id, v.code, v.run_on,"
        " v.orders_close_at, o.wish_day, o.wish_slot_id, o.session_day, o.session_slot_id, o.technician_id, o.status,"
        " o.decided_at, o.cancelled_at, o.note"
        " FROM cold_store_orders o JOIN items i ON i.id = o.item_id LEFT JOIN van_runs v ON v.id = o.run_id"
        " WHERE o.reader_id = :reader AND (:order_id IS NULL OR o.id = :order_id) AND (:status IS NULL OR o.status = :status)"
        " ORDER BY o.received_at DESC, o.id DESC", {"reader": env.user_id, "order_id": order_id, "status": status})
    result = []
    for row in rows:
        order = dict(row)
        cans = env.query(
            "SELECT id, can_no, struck_off_at FROM order_cans WHERE cold_store_order_id = ? ORDER BY can_no", [order["id"]])
        order["cans"] = [dict(c) for c in cans]
        result.append(order)
    return result


def move_order(env, *, cold_store_order_id: int, van_run_id: int, session_day: str, session_slot_id: int) -> dict:
    """Moves an order to another run or session before the orders of its present run close."""
    _room_must_be_open(env)
    order = env.one(
        "SELECT o.id, o.order_no, o.item_id, o.run_id, o.session_day, o.session_slot_id, o.status, o.decided_at, v.code, v.orders_close_at"
        " FROM cold_store_orders o LEFT JOIN van_runs v ON v.id = o.run_id WHERE o.id = ? AND o.reader_id = ?",
        [cold_store_order_id, env.user_id])
    if order is None:
        raise env.Error(f"you have no cold-store order {cold_store_order_id}")
    if order["status"] != "on a run":
        raise env.Error(f"your order {order['order_no']} is {order['status']} and cannot be moved")
    if env.now > order["orders_close_at"]:
        raise env.Error(f"the orders for {order['code']} closed on {order['orders_close_at'][:10]} at {order['orders_close_at'][11:16]}: {order['order_no']} stays on it")
    cans = [c["can_no"] for c in env.query(
        "SELECT can_no FROM order_cans WHERE cold_store_order_id = ? AND struck_off_at IS NULL ORDER BY can_no", [order["id"]])]
    item = _cold_item(env, order["item_id"], cans)
    card = _reader_card(env)
    if card["card_class"] != "I" and (item["access_copy"] is not None or order["decided_at"] is None):
        raise env.Error(f"with your card {item['title']} may not be issued")
    run = _coming_run(env, van_run_id)
    slot = _table_slot(env, session_slot_id)
    if run["id"] == order["run_id"] and session_day == order["session_day"] and slot["id"] == order["session_slot_id"]:
        raise env.Error(f"{order['order_no']} has that run and session already")
    reason = _run_hindrance(env, run, item, cans, order["id"]) or _run_full(env, run, item, len(cans), order["id"])
    if reason is not None:
        raise env.Error(reason)
    free = _free_run_sessions(env, run, order["id"])
    if session_day not in (run["first_viewing_day"], run["second_viewing_day"]):
        raise env.Error(f"cans of {run['code']} are seen on its viewing days only; free are: {_session_text(free)}")
    reason = _session_hindrance(env, session_day, slot, card["valid_until"], order["id"])
    if reason is not None:
        raise env.Error(reason)
    if not [s for s in free if s["session_day"] == session_day and s["slot_id"] == slot["id"]]:
        raise env.Error(f"{slot['slot']} on {session_day} is given away; free on {run['code']} are: {_session_text(free)}")
    env.execute(
        "UPDATE cold_store_orders SET run_id = ?, session_day = ?, session_slot_id = ? WHERE id = ?",
        [run["id"], session_day, slot["id"], order["id"]])
    return {"cold_store_order": _order_rows(env, order["id"], None)[0]}

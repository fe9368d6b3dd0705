def _film(world):
    """The title Cheias do Mondego."""
    return world.initial.one("SELECT id, cans FROM items WHERE title = 'Cheias do Mondego' AND place = 'Sebal'")


def _run(world):
    """The van of Friday 26 June with its viewing day."""
    return world.initial.one("SELECT id, first_viewing_day FROM van_runs WHERE run_on = '2026-06-26'")


def _session(world):
    """The session that it has to be: the morning one, if given away the afternoon one."""
    day = _run(world)["first_viewing_day"]
    morning = world.initial.one("SELECT id FROM slots WHERE slot = 'T1'")["id"]
    afternoon = world.initial.one("SELECT id FROM slots WHERE slot = 'T2'")["id"]
    orders = world.initial.one(
        "SELECT count(*) AS n FROM cold_store_orders WHERE session_day = ? AND session_slot_id = ?"
        " AND status IN ('on a run', 'seen', 'absent')", [day, morning])["n"]
    bookings = world.initial.one(
        "SELECT count(*) AS n FROM bookings WHERE on_day = ? AND slot_id = ? AND status IN ('booked', 'came', 'absent')",
        [day, morning])["n"]
    return afternoon if orders + bookings else morning


def _table_fee(world):
    """The fee of a session with a technician for the card of the reader."""
    return world.initial.one(
        "SELECT c.technician_session_fee_cents AS fee FROM readers r JOIN card_classes c ON c.id = r.card_class_id"
        " WHERE r.id = 1")["fee"]


def _van_fee(world):
    """The line of the price list for a can on the van."""
    return world.initial.one("SELECT id, price_cents FROM prices WHERE price_no = 'P11'")


def _new(world, table):
    """The new rows of a table."""
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _order(world):
    """The one new order of the film that is on the van, or None."""
    rows = [
        o for o in _new(world, "cold_store_orders")
        if o["reader_id"] == 1 and o["item_id"] == _film(world)["id"] and o["status"] == "on a run"
        and o["asked_run_id"] == _run(world)["id"] and o["run_id"] == _run(world)["id"]
    ]
    return rows[0] if len(rows) == 1 else None


def goal_puts_the_film_on_the_last_nitrate_van(world) -> bool:
    """Has one order of Cheias do Mondego on the van of Friday 26 June."""
    return _order(world) is not None


def goal_orders_both_cans(world) -> bool:
    """Has can 1 and can 2 on that order, neither struck off."""
    order = _order(world)
    if order is None:
        return False
    cans = world.final.query(
        "SELECT can_no, struck_off_at FROM order_cans WHERE cold_store_order_id = ? ORDER BY can_no", [order["id"]])
    return [(c["can_no"], c["struck_off_at"]) for c in cans] == [(n, None) for n in range(1, _film(world)["cans"] + 1)]


def goal_takes_the_morning_session_if_it_is_free(world) -> bool:
    """Has the morning session of the viewing day, the afternoon one only if that is given away."""
    order = _order(world)
    if order is None:
        return False
    return order["session_day"] == _run(world)["first_viewing_day"] and order["session_slot_id"] == _session(world)


def goal_says_which_session_it_became(world) -> bool:
    """Has told which session it became."""
    morning = world.initial.one("SELECT id FROM slots WHERE slot = 'T1'")["id"]
    return world.report.says("session", "morning session" if _session(world) == morning else "afternoon session")


def goal_says_what_van_and_table_cost(world) -> bool:
    """Has told what the van for both cans and the table cost together."""
    return world.report.says("total_cost", _film(world)["cans"] * _van_fee(world)["price_cents"] + _table_fee(world))


def guard_changes_nothing_else(world) -> bool:
    """Added no more than one order of the reader with its cans and their fees, and touched no other row."""
    if any(c["before"] is not None or c["table"] not in ("cold_store_orders", "order_cans", "account_lines") for c in world.changes):
        return False
    orders, cans, lines = _new(world, "cold_store_orders"), _new(world, "order_cans"), _new(world, "account_lines")
    if not orders:
        return not cans and not lines
    if len(orders) != 1:
        return False
    order = orders[0]
    if (order["reader_id"], order["is_laboratory"], order["item_id"], order["status"]) != (1, 0, _film(world)["id"], "on a run"):
        return False
    if any(order[k] is not None for k in ("wish_day", "wish_slot_id", "decided_by_id", "decided_at", "cancelled_at")):
        return False
    if any(c["cold_store_order_id"] != order["id"] or c["struck_off_at"] is not None for c in cans):
        return False
    numbers = {c["can_no"] for c in cans}
    if len(numbers) != len(cans) or not numbers <= set(range(1, _film(world)["cans"] + 1)):
        return False
    van, table = _van_fee(world), world.initial.one("SELECT id FROM prices WHERE price_no = 'P10'")
    due = {("can", c["id"]) for c in cans} | {("order", order["id"])}
    for line in lines:
        if line["reader_id"] != 1 or line["status"] != "owed" or line["paid_on"] is not None or line["note"] is not None:
            return False
        if line["booking_id"] is not None:
            return False
        if line["order_can_id"] is not None:
            mark, price, amount = ("can", line["order_can_id"]), van["id"], van["price_cents"]
        else:
            mark, price, amount = ("order", line["cold_store_order_id"]), table["id"], _table_fee(world)
        if mark not in due or line["price_id"] != price or line["amount_cents"] != amount:
            return False
        due.remove(mark)
    return not due


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None

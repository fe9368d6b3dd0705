def _card(world):
    """The card of the reader at the start, with the price of its class."""
    return world.initial.one(
        "SELECT r.valid_until, c.card_price_no_id AS price_id, p.price_cents FROM readers r"
        " JOIN card_classes c ON c.id = r.card_class_id JOIN prices p ON p.id = c.card_price_no_id WHERE r.id = 1")


def _good_until(world):
    """The end of the card once it is renewed: twelve months after the old end."""
    end = _card(world)["valid_until"]
    return str(int(end[:4]) + 1) + end[4:]


def _booth(world):
    """The booth with the hearing loop."""
    return world.initial.one("SELECT id FROM places WHERE kind = 'booth' AND equipment = 'hearing loop'")["id"]


def _slot(world):
    """The slot that it has to be: the first of the afternoon, if taken the second."""
    first = world.initial.one("SELECT id FROM slots WHERE slot = 'S3'")["id"]
    second = world.initial.one("SELECT id FROM slots WHERE slot = 'S4'")["id"]
    taken = world.initial.one(
        "SELECT count(*) AS n FROM bookings WHERE place_id = ? AND on_day = '2026-10-06' AND slot_id = ?"
        " AND status IN ('booked', 'came', 'absent')", [_booth(world), first])["n"]
    return second if taken else first


def _record(world):
    """The record Quarteto Almedina: guitarra."""
    return world.initial.one("SELECT id FROM items WHERE title = 'Quarteto Almedina: guitarra'")["id"]


def _new(world, table):
    """The new rows of a table."""
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_renews_the_card(world) -> bool:
    """Has the student card renewed, so that it is good for twelve months after its old end."""
    row = world.final.one("SELECT valid_until FROM readers WHERE id = 1")
    return row["valid_until"] == _good_until(world)


def goal_records_the_new_certificate(world) -> bool:
    """Has the enrolment certificate of the University of Coimbra of 14 September 2026 as the proof."""
    row = world.final.one("SELECT proof_from, proof_dated FROM readers WHERE id = 1")
    return row["proof_dated"] == "2026-09-14" and world.same_text(row["proof_from"] or "", "University of Coimbra")


def goal_books_the_booth_for_the_record(world) -> bool:
    """Has the booth with the hearing loop on Tuesday 6 October for Quarteto Almedina: guitarra."""
    rows = [
        b for b in _new(world, "bookings")
        if b["reader_id"] == 1 and b["place_id"] == _booth(world) and b["on_day"] == "2026-10-06"
        and b["item_id"] == _record(world) and b["status"] == "booked" and b["persons"] == 1
    ]
    return len(rows) == 1


def goal_takes_the_first_afternoon_slot_if_it_is_free(world) -> bool:
    """Has the first slot of that afternoon, the second only if the first is taken."""
    rows = [b for b in _new(world, "bookings") if b["reader_id"] == 1 and b["on_day"] == "2026-10-06" and b["status"] == "booked"]
    return len(rows) == 1 and rows[0]["slot_id"] == _slot(world)


def goal_says_until_when_the_card_is_good(world) -> bool:
    """Has told until when the card is good."""
    return world.report.says("card_good_until", _good_until(world))


def guard_changes_nothing_else(world) -> bool:
    """Touched only the renewal on the reader's card, its price on the account, and one new booking of a booth."""
    bookings, lines = _new(world, "bookings"), _new(world, "account_lines")
    if len(bookings) > 1:
        return False
    free = world.initial.one("SELECT id, price_cents FROM prices WHERE price_no = 'P07'")
    for booking in bookings:
        if (booking["reader_id"], booking["place_id"], booking["on_day"]) != (1, _booth(world), "2026-10-06"):
            return False
        if (booking["item_id"], booking["persons"], booking["status"]) != (_record(world), 1, "booked"):
            return False
        if (booking["price_id"], booking["fee_cents"]) != (free["id"], free["price_cents"]):
            return False
        if any(booking[k] is not None for k in ("technician_id", "booth_slip_id", "cancelled_at")):
            return False
    card = _card(world)
    for line in lines:
        if (line["reader_id"], line["price_id"], line["amount_cents"], line["status"]) != (1, card["price_id"], card["price_cents"], "owed"):
            return False
        if any(line[k] is not None for k in ("order_can_id", "cold_store_order_id", "booking_id", "paid_on", "note")):
            return False
    renewed = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            if change["table"] not in ("bookings", "account_lines"):
                return False
            continue
        columns = {k for k in before if before[k] != after[k]}
        if change["table"] != "readers" or before["id"] != 1:
            return False
        if not columns <= {"renewed_on", "valid_until", "proof_from", "proof_dated"} or after["valid_until"] != _good_until(world):
            return False
        renewed += 1
    return len(lines) == renewed


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None

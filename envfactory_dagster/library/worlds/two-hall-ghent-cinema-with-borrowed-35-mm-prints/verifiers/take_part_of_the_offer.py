def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _entry(world, film, day):
    return world.initial.one(
        "SELECT w.id, w.screening_id FROM waiting_list_entries w JOIN screenings s ON s.id = w.screening_id JOIN copies c ON c.id = s.copy_id"
        " JOIN titles t ON t.id = c.title_id WHERE w.account_id = 1 AND w.status IN ('waiting', 'offered') AND t.name = ? AND substr(s.starts_at, 1, 10) = ?",
        [film, day])


def _offer(world):
    return _entry(world, "Maanlicht op de Coupure", "2026-03-20")


def _afternoon(world):
    return world.initial.one(
        "SELECT s.id FROM screenings s JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id WHERE t.name = 'Zondagskinderen' AND s.kind = 'public'"
        " AND s.starts_at >= '2026-03-22T12:00:00' AND s.starts_at < '2026-03-22T18:00:00'")


def goal_two_seats_are_bought(world) -> bool:
    """Has two seats for Maanlicht op de Coupure on 20 March, at the members' price that the person has there."""
    rows = _new(world, "tickets")
    return len(rows) == 2 and all(
        t["account_id"] == 1 and t["screening_id"] == _offer(world)["screening_id"] and t["status"] == "valid" and t["tariff"] == "member" for t in rows)


def goal_paid_by_bancontact(world) -> bool:
    """The two seats are paid in full by Bancontact."""
    tickets = _new(world, "tickets")
    payments = _new(world, "payments")
    return (len(tickets) == 2 and sum(p["amount_cents"] for p in payments) == sum(t["price_cents"] for t in tickets)
            and all(p["account_id"] == 1 and p["method"] == "bancontact" for p in payments)
            and all(t["voucher_id"] is None and t["pass_id"] is None for t in tickets))


def goal_offer_is_settled(world) -> bool:
    """The offer is taken, with no place kept for the third seat."""
    return world.final.one("SELECT status FROM waiting_list_entries WHERE id = ?", [_offer(world)["id"]])["status"] == "taken"


def goal_place_is_given_up(world) -> bool:
    """Is off the list for Brieven uit Boma."""
    return world.final.one("SELECT status FROM waiting_list_entries WHERE id = ?", [_entry(world, "Brieven uit Boma", "2026-03-21")["id"]])["status"] == "left"


def goal_waits_for_two_on_sunday(world) -> bool:
    """Is on the list for two seats at Zondagskinderen on Sunday afternoon."""
    rows = _new(world, "waiting_list_entries")
    return len(rows) == 1 and rows[0]["account_id"] == 1 and rows[0]["screening_id"] == _afternoon(world)["id"] and rows[0]["seats_wanted"] == 2 and rows[0]["status"] == "waiting"


def guard_changes_nothing_else(world) -> bool:
    """Touched only those places, seats and payments, the discount of the membership, and the next in line for the freed seat."""
    if len(_new(world, "tickets")) > 2 or len(_new(world, "payments")) > 1 or len(_new(world, "waiting_list_entries")) > 1:
        return False
    own = (_offer(world)["id"], _entry(world, "Brieven uit Boma", "2026-03-21")["id"])
    for c in world.changes:
        before, after = c["before"], c["after"]
        if after is None:
            return False
        if before is None:
            if c["table"] not in ("tickets", "payments", "waiting_list_entries") or after["account_id"] != 1:
                return False
            continue
        if c["table"] == "memberships":
            allowed = before["account_id"] == 1 and ("discount_enjoyed_cents",)
        elif c["table"] == "waiting_list_entries" and before["id"] in own:
            allowed = ("status", "closed_at")
        elif c["table"] == "waiting_list_entries":
            allowed = before["screening_id"] == _offer(world)["screening_id"] and ("status", "seats_offered", "offer_sent_at", "offer_lapses_at")
        else:
            allowed = False
        if not allowed or any(before[f] != after[f] for f in before if f not in allowed):
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

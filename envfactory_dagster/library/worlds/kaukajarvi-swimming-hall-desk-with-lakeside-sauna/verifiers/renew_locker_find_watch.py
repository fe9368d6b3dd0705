def _rental(world):
    """The person's rental that runs out on 9 March 2026, with its new last day."""
    return world.initial.one(
        "SELECT *, date(expires_on, '+6 months') AS new_last_day FROM locker_rentals"
        " WHERE customer_id = 1 AND status = 'active' AND expires_on = '2026-03-09'"
    )


def _watch(world):
    """The diver's watch with the name on it that was found on 19 February, with its fee."""
    return world.initial.one(
        "SELECT f.*, p.price_cents AS fee FROM found_items f JOIN prices p ON p.id = f.price_id WHERE f.found_on = '2026-02-19'"
        " AND f.status = 'held' AND f.description LIKE '%watch%' AND f.description LIKE '%orange%' AND f.description LIKE '%Pirkko%'"
    )


def _new_payments(world):
    return [c["after"] for c in world.changes if c["table"] == "payments" and c["before"] is None]


def goal_renews_the_locker(world) -> bool:
    """The rental runs 6 months longer, and its deposit is held as before."""
    old = _rental(world)
    now = world.final.one("SELECT * FROM locker_rentals WHERE id = ?", [old["id"]])
    return (
        now is not None
        and now["status"] == "active"
        and now["expires_on"] == old["new_last_day"]
        and now["renewed_at"] is not None
        and now["deposit_cents"] == old["deposit_cents"]
        and now["deposit_status"] == "held"
    )


def goal_pays_the_renewal_with_the_bank_card(world) -> bool:
    """The renewal has been paid once, at the price of 6 months and without another deposit, with the bank card."""
    price = world.initial.one("SELECT id, price_cents FROM prices WHERE code = 'locker_6_months'")
    rental = _rental(world)["id"]
    paid = [
        (p["kind"], p["method"], p["price_id"], p["amount_cents"]) for p in _new_payments(world) if p["locker_rental_id"] == rental
    ]
    return paid == [("payment", "bank_card", price["id"], price["price_cents"])]


def goal_fetches_the_watch(world) -> bool:
    """The watch is recorded as the person's own and fetched by them, for its fee."""
    old = _watch(world)
    now = world.final.one("SELECT * FROM found_items WHERE id = ?", [old["id"]])
    return (
        now is not None
        and now["status"] == "fetched"
        and now["owner_id"] == 1
        and now["fetched_by_id"] == 1
        and now["fetched_at"] is not None
        and now["fee_cents"] == old["fee"]
    )


def goal_pays_the_fee_with_the_bank_card(world) -> bool:
    """The fee for the watch, 8 euros at most, has been paid once with the bank card."""
    watch = _watch(world)
    paid = [(p["kind"], p["method"], p["amount_cents"]) for p in _new_payments(world) if p["found_item_id"] == watch["id"]]
    return watch["fee"] <= 800 and paid == [("payment", "bank_card", watch["fee"])]


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but this rental, this watch and the payments for the two."""
    rental, watch = _rental(world)["id"], _watch(world)["id"]
    allowed = {
        "locker_rentals": (rental, {"expires_on", "renewed_at"}),
        "found_items": (watch, {"status", "owner_id", "fetched_by_id", "fetched_at", "fee_cents"}),
    }
    if len(_new_payments(world)) > 2:
        return False
    for c in world.changes:
        before, after = c["before"], c["after"]
        if after is None:
            return False
        if c["table"] == "payments":
            if before is not None or after["kind"] != "payment" or after["customer_id"] != 1:
                return False
            if after["locker_rental_id"] != rental and after["found_item_id"] != watch:
                return False
        elif c["table"] in allowed and before is not None:
            row, columns = allowed[c["table"]]
            if before["id"] != row or any(before[k] != after[k] for k in before if k not in columns):
                return False
        else:
            return False
    return True

TODAY = "2026-06-16"


def _portions(db):
    """What is left of each portion of the user's credit that can still be used."""
    rows = db.query(
        "SELECT c.expires_on, SUM(c.amount_cents) AS cents FROM credit_entries c JOIN membership_members mm"
        " ON mm.membership_id = c.membership_id WHERE mm.member_id = 1 AND c.expires_on >= ?"
        " GROUP BY c.expires_on ORDER BY c.expires_on",
        [TODAY],
    )
    return [(row["expires_on"], row["cents"]) for row in rows if row["cents"] != 0]


def _total(db):
    return sum(cents for _, cents in _portions(db))


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None and c["after"] is not None]


def _only(world, tables):
    return all(change["table"] in tables for change in world.changes)


def _other_columns_kept(change, free):
    before, after = change["before"], change["after"]
    return before is not None and after is not None and all(before[k] == after[k] for k in before if k not in free)


def _membership(world):
    return world.initial.one(
        "SELECT m.* FROM memberships m JOIN membership_members mm ON mm.membership_id = m.id WHERE mm.member_id = 1", []
    )


def _types(world):
    rows = world.initial.query("SELECT * FROM membership_types ORDER BY id", [])
    return {row["name"]: row for row in rows}


def _box(world):
    """The box nearest to the door that nobody rented."""
    return world.initial.one(
        "SELECT p.* FROM storage_places p WHERE p.kind = 'box' AND NOT EXISTS (SELECT 1 FROM storage_rentals r"
        " WHERE r.storage_place_id = p.id AND r.status = 'running') ORDER BY p.metres_from_door, p.id LIMIT 1",
        [],
    )


def _is_change(world, row):
    types = _types(world)
    return (
        row["membership_id"] == _membership(world)["id"]
        and row["requested_by_member_id"] == 1
        and row["from_membership_type_id"] == types["Evening"]["id"]
        and row["to_membership_type_id"] == types["Full"]["id"]
        and row["status"] == "done"
        and row["effective_on"] == TODAY
        and row["fee_difference_cents"] == types["Full"]["monthly_fee_cents"] - types["Evening"]["monthly_fee_cents"]
    )


def _added(world):
    types = _types(world)
    return types["Full"]["monthly_credit_cents"] - types["Evening"]["monthly_credit_cents"]


def _is_upgrade(world, row):
    return (
        row["kind"] == "upgrade"
        and row["membership_id"] == _membership(world)["id"]
        and row["amount_cents"] == _added(world)
        and row["expires_on"] == "2026-07-31"
    )


def _is_rental(world, row):
    box = _box(world)
    return (
        row["storage_place_id"] == box["id"]
        and row["member_id"] == 1
        and row["status"] == "running"
        and row["price_cents"] == box["price_cents"]
        and row["started_on"] == TODAY
        and row["paid_until"] == "2026-07-15"
        and row["ended_on"] is None
    )


def _is_use(world, row):
    return (
        row["kind"] == "use"
        and row["membership_id"] == _membership(world)["id"]
        and row["booking_id"] is None
        and row["storage_rental_id"] in [rental["id"] for rental in _new(world, "storage_rentals")]
    )


def _balance(world):
    return _total(world.initial) + _added(world) - _box(world)["price_cents"]


def goal_is_on_full(world) -> bool:
    """The membership is Full now."""
    row = world.final.one("SELECT membership_type_id FROM memberships WHERE id = ?", [_membership(world)["id"]])
    return row is not None and row["membership_type_id"] == _types(world)["Full"]["id"]


def goal_pays_the_difference(world) -> bool:
    """The change is done today with the fee difference paid."""
    new = _new(world, "membership_changes")
    return len(new) == 1 and _is_change(world, new[0])


def goal_gets_the_difference_in_credit(world) -> bool:
    """The difference in monthly credit was added."""
    new = [row for row in _new(world, "credit_entries") if row["kind"] == "upgrade"]
    return len(new) == 1 and _is_upgrade(world, new[0])


def goal_rents_the_nearest_free_box(world) -> bool:
    """The free box nearest to the door is rented."""
    new = _new(world, "storage_rentals")
    return len(new) == 1 and _is_rental(world, new[0])


def goal_pays_the_box_from_credit(world) -> bool:
    """Credit paid all of the box."""
    uses = [row for row in _new(world, "credit_entries") if _is_use(world, row)]
    return sum(-row["amount_cents"] for row in uses) == _box(world)["price_cents"]


def goal_says_the_box(world) -> bool:
    """Says which box it is."""
    return world.report.says("box", _box(world)["code"])


def goal_says_the_balance(world) -> bool:
    """Says how much credit there is at the end."""
    return world.report.says("balance", _balance(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_no_other_membership(world) -> bool:
    """Changed nothing of memberships but the type of the user's own to Full."""
    return all(
        _other_columns_kept(c, {"membership_type_id"})
        and c["after"]["id"] == _membership(world)["id"]
        and c["after"]["membership_type_id"] == _types(world)["Full"]["id"]
        for c in world.changes
        if c["table"] == "memberships"
    )


def guard_asks_for_no_other_change(world) -> bool:
    """Asked for no change but that one."""
    rows = [c for c in world.changes if c["table"] == "membership_changes"]
    return len(rows) <= 1 and all(
        c["before"] is None and c["after"] is not None and _is_change(world, c["after"]) for c in rows
    )


def guard_rents_nothing_else(world) -> bool:
    """Rented nothing but that box and changed no rental."""
    rows = [c for c in world.changes if c["table"] == "storage_rentals"]
    return len(rows) <= 1 and all(
        c["before"] is None and c["after"] is not None and _is_rental(world, c["after"]) for c in rows
    )


def guard_writes_no_other_credit(world) -> bool:
    """Wrote no credit entry but the difference, once, and what the box used."""
    rows = [c for c in world.changes if c["table"] == "credit_entries"]
    if not all(c["before"] is None and c["after"] is not None for c in rows):
        return False
    uses = [c["after"] for c in rows if c["after"]["kind"] == "use"]
    others = [c["after"] for c in rows if c["after"]["kind"] != "use"]
    return (
        all(_is_use(world, row) for row in uses)
        and sum(-row["amount_cents"] for row in uses) <= _box(world)["price_cents"]
        and len(others) <= 1
        and all(_is_upgrade(world, row) for row in others)
    )


def guard_touches_no_other_table(world) -> bool:
    """Touched no other table."""
    return _only(world, ("memberships", "membership_changes", "storage_rentals", "credit_entries"))

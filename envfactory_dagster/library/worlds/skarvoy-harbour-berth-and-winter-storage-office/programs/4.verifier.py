TODAY = "2026-09-17"


def _costs(world):
    rows = world.initial.query(
        "SELECT b.id, b.name, coalesce(sum(i.amount_cents), 0) AS cost FROM boats b"
        " LEFT JOIN (SELECT v.amount_cents, coalesce(l.boat_id, g.boat_id, c.boat_id, s.boat_id) AS boat_id"
        " FROM invoices v"
        " LEFT JOIN berth_leases l ON l.id = v.berth_lease_id"
        " LEFT JOIN guest_stays g ON g.id = v.guest_stay_id"
        " LEFT JOIN crane_lifts c ON c.id = v.crane_lift_id"
        " LEFT JOIN shed_places s ON s.id = v.shed_place_id"
        " WHERE v.boat_owner_id = 1 AND v.issued_on >= '2026-01-01') i ON i.boat_id = b.id"
        " WHERE b.boat_owner_id = 1 GROUP BY b.id, b.name ORDER BY cost"
    )
    return rows


def _is_worth_ending(world):
    rows = _costs(world)
    return rows[0]["cost"] * 10 >= sum(row["cost"] for row in rows)


def _stays(world):
    if not _is_worth_ending(world):
        return set()
    rows = world.initial.query(
        "SELECT id FROM guest_stays WHERE boat_id = ? AND status = 'booked' AND first_day > ?",
        (_costs(world)[0]["id"], TODAY),
    )
    return {row["id"] for row in rows}


def _owed(world):
    if not _is_worth_ending(world):
        return {}
    boat = _costs(world)[0]["id"]
    rows = world.initial.query(
        "SELECT v.id, v.amount_cents - coalesce((SELECT sum(p.amount_cents) FROM payments p WHERE p.invoice_id = v.id), 0)"
        " AS owed, coalesce(l.boat_id, g.boat_id, c.boat_id, s.boat_id) AS boat_id FROM invoices v"
        " LEFT JOIN berth_leases l ON l.id = v.berth_lease_id"
        " LEFT JOIN guest_stays g ON g.id = v.guest_stay_id"
        " LEFT JOIN crane_lifts c ON c.id = v.crane_lift_id"
        " LEFT JOIN shed_places s ON s.id = v.shed_place_id"
        " WHERE v.boat_owner_id = 1"
    )
    return {row["id"]: row["owed"] for row in rows if row["boat_id"] == boat and row["owed"] > 0}


def goal_says_cheapest_boat(world) -> bool:
    """Says which boat cost the least by this year's invoices."""
    return world.report.says("cheapest_boat", _costs(world)[0]["name"])


def goal_says_cost_of_cheapest_boat(world) -> bool:
    """Says what that boat cost."""
    return world.report.says("cheapest_boat_cost", _costs(world)[0]["cost"])


def goal_says_total_cost(world) -> bool:
    """Says what all boats together cost by this year's invoices."""
    return world.report.says("total_cost", sum(row["cost"] for row in _costs(world)))


def goal_says_what_was_paid(world) -> bool:
    """Says what was paid for the cheapest boat, or leaves it empty if nothing was to be paid."""
    if world.report.outcome is None:
        return False
    return world.report.says("paid", sum(_owed(world).values()) if _is_worth_ending(world) else None)


def goal_cancels_coming_stay(world) -> bool:
    """Cancelled every coming guest stay of the cheapest boat."""
    cancelled = {
        row["id"]
        for row in world.final.query("SELECT id FROM guest_stays WHERE status = 'cancelled' AND cancelled_at IS NOT NULL")
    }
    wanted = _stays(world)
    return bool(wanted) and wanted <= cancelled


def goal_pays_what_is_left(world) -> bool:
    """Paid all that was left on the invoices of the cheapest boat."""
    paid = {}
    for change in world.changes:
        if change["table"] == "payments" and change["before"] is None:
            row = change["after"]
            paid[row["invoice_id"]] = paid.get(row["invoice_id"], 0) + row["amount_cents"]
    wanted = _owed(world)
    return bool(wanted) and paid == wanted


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the coming stays of the cheapest boat and payments of what is left on her invoices."""
    stays, owed = _stays(world), _owed(world)
    paid = set()
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "guest_stays":
            if before is None or before["id"] not in stays or after["status"] != "cancelled":
                return False
            if any(before[k] != after[k] for k in before if k not in ("status", "cancelled_at")):
                return False
        elif change["table"] == "payments":
            if before is not None or after["invoice_id"] in paid:
                return False
            if owed.get(after["invoice_id"]) != after["amount_cents"]:
                return False
            paid.add(after["invoice_id"])
        else:
            return False
    return True

def _wanted(world):
    """The bookings to give up, by id."""
    rows = world.initial.query(
        "SELECT b.id, b.price_cents FROM bookings b WHERE b.member_id = 1"
        " AND b.status IN ('provisional', 'confirmed')"
        " AND substr(b.starts_at, 1, 10) BETWEEN '2026-05-08' AND '2026-05-16'"
        " AND b.price_cents = (SELECT COALESCE(SUM(-c.amount_cents), 0) FROM credit_entries c"
        " WHERE c.booking_id = b.id AND c.kind = 'use') ORDER BY b.id"
    )
    return {row["id"]: row["price_cents"] for row in rows}


def _visits(world):
    """The guest visits that go with them."""
    rows = world.initial.query(
        "SELECT id, booking_id FROM guest_visits WHERE member_id = 1 AND status = 'announced'"
        " AND booking_id IS NOT NULL ORDER BY id"
    )
    wanted = _wanted(world)
    return [row["id"] for row in rows if row["booking_id"] in wanted]


def _portions(world):
    """What each wanted booking took from each portion of credit."""
    wanted = _wanted(world)
    rows = world.initial.query(
        "SELECT booking_id, membership_id, expires_on, SUM(-amount_cents) AS cents FROM credit_entries"
        " WHERE kind = 'use' AND booking_id IS NOT NULL GROUP BY booking_id, membership_id, expires_on"
        " ORDER BY booking_id, expires_on"
    )
    return sorted(
        (row["booking_id"], row["membership_id"], row["expires_on"], row["cents"])
        for row in rows
        if row["booking_id"] in wanted
    )


def _given_up(world, change):
    """A booking that is cancelled by the member with everything back, and otherwise as it was."""
    before, after = change["before"], change["after"]
    if before is None or after is None or before["id"] not in _wanted(world):
        return False
    free = {"status", "cancelled_at", "cancel_reason", "refund_cents"}
    return (
        after["status"] == "cancelled"
        and after["cancel_reason"] == "member"
        and after["refund_cents"] == before["price_cents"]
        and after["cancelled_at"] is not None
        and all(before[name] == after[name] for name in before if name not in free)
    )


def _refund(world, change):
    """A new refund of what a wanted booking took from a portion."""
    after = change["after"]
    if change["before"] is not None or after is None or after["kind"] != "refund":
        return False
    return (after["booking_id"], after["membership_id"], after["expires_on"], after["amount_cents"]) in _portions(world)


def goal_gives_up_each_of_them(world) -> bool:
    """Gave up every booking in those days that credit paid wholly."""
    done = sorted(c["before"]["id"] for c in world.changes if c["table"] == "bookings" and _given_up(world, c))
    return done == sorted(_wanted(world))


def goal_brings_the_credit_back(world) -> bool:
    """The credit of each went back to the portion it came from."""
    new = sorted(
        (c["after"]["booking_id"], c["after"]["membership_id"], c["after"]["expires_on"], c["after"]["amount_cents"])
        for c in world.changes
        if c["table"] == "credit_entries" and _refund(world, c)
    )
    return new == _portions(world)


def goal_cancels_their_guests(world) -> bool:
    """The guest visits that went with them are cancelled."""
    gone = sorted(
        c["after"]["id"]
        for c in world.changes
        if c["table"] == "guest_visits" and c["after"] is not None and c["after"]["status"] == "cancelled"
    )
    return gone == sorted(_visits(world))


def goal_says_how_many(world) -> bool:
    """Says how many bookings were given up."""
    return world.report.says("bookings_given_up", len(_wanted(world)))


def goal_says_what_came_back(world) -> bool:
    """Says how much credit came back."""
    return world.report.says("credit_back", sum(_wanted(world).values()))


def goal_says_what_credit_there_is(world) -> bool:
    """Says how much credit there is afterwards."""
    row = world.initial.one(
        "SELECT COALESCE(SUM(c.amount_cents), 0) AS n FROM credit_entries c"
        " JOIN membership_members mm ON mm.membership_id = c.membership_id"
        " WHERE mm.member_id = 1 AND c.expires_on >= '2026-05-06'"
    )
    return world.report.says("credit_then", row["n"] + sum(_wanted(world).values()))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_no_other_booking(world) -> bool:
    """Changed no booking but those, and those in no other way."""
    return all(_given_up(world, c) for c in world.changes if c["table"] == "bookings")


def guard_changes_no_other_credit(world) -> bool:
    """Added no credit entry but those refunds."""
    return all(_refund(world, c) for c in world.changes if c["table"] == "credit_entries")


def guard_changes_no_other_visit(world) -> bool:
    """Changed no guest visit but those that go with them, and only to cancelled."""
    visits, free = _visits(world), {"status", "cancelled_at"}
    return all(
        c["before"] is not None
        and c["after"] is not None
        and c["before"]["id"] in visits
        and c["after"]["status"] == "cancelled"
        and all(c["before"][name] == c["after"][name] for name in c["before"] if name not in free)
        for c in world.changes
        if c["table"] == "guest_visits"
    )


def guard_changes_no_other_table(world) -> bool:
    """Changed no other table."""
    return all(c["table"] in ("bookings", "credit_entries", "guest_visits") for c in world.changes)

import datetime

ME, IDA = 1, 3
TODAY, LAST_DAY = "2026-07-06", "2026-07-31"


def _changed(world, table):
    return [change for change in world.changes if change["table"] == table]


def _overdue(world):
    rows = world.initial.query(
        "SELECT id FROM charges WHERE person_id = ? AND status = 'open' AND due_on < ?", [ME, TODAY]
    )
    return {row["id"] for row in rows}


def _fits(world, tour_date_id):
    """Whether this date is an easy tour on a weekend in July, in English, for at most 40 euros."""
    date = world.final.one(
        """
        SELECT d.starts_at, d.status, t.difficulty, t.price_cents,
               EXISTS (
                   SELECT 1 FROM guide_languages l WHERE l.guide_id = d.guide_id AND l.language = 'English'
               ) AS in_english
        FROM tour_dates d JOIN tours t ON t.id = d.tour_id WHERE d.id = ?
        """,
        [tour_date_id],
    )
    day = date["starts_at"][:10]
    return (
        date["status"] == "scheduled"
        and TODAY <= day <= LAST_DAY
        and datetime.date.fromisoformat(day).weekday() >= 5
        and date["difficulty"] == "easy"
        and date["price_cents"] <= 4000
        and date["in_english"] == 1
    )


def goal_both_are_signed_up(world) -> bool:
    """Has places for Miriam and Ida on one and the same fitting tour."""
    places = [change["after"] for change in _changed(world, "tour_signups")]
    dates = {place["tour_date_id"] for place in places}
    return (
        {place["person_id"] for place in places if place["status"] == "signed_up"} == {ME, IDA}
        and len(dates) == 1
        and _fits(world, dates.pop())
    )


def goal_overdue_fees_are_paid(world) -> bool:
    """Has paid everything that was overdue, with a credit card."""
    paid = world.final.query(
        """
        SELECT c.id FROM charges c JOIN payments p ON p.id = c.payment_id
        JOIN payment_methods m ON m.id = p.payment_method_id
        WHERE c.status = 'paid' AND p.status = 'confirmed' AND m.kind = 'credit_card' AND m.person_id = ?
        """,
        [ME],
    )
    return _overdue(world) <= {row["id"] for row in paid}


def goal_jakob_is_the_emergency_contact(world) -> bool:
    """Has Jakob with his number as the emergency contact."""
    contact = world.final.one("SELECT emergency_contact FROM people WHERE id = ?", [ME])["emergency_contact"] or ""
    digits = "".join(character for character in contact if character.isdigit())
    return "Jakob Wieser" in contact and digits == "436604417203"


def guard_pays_only_what_was_overdue(world) -> bool:
    """Left every other bill alone, the new one for the tour included."""
    overdue = _overdue(world)
    charges = _changed(world, "charges")
    updated = [change for change in charges if change["before"] is not None]
    created = [change["after"] for change in charges if change["before"] is None]
    return all(
        change["key"][0] in overdue and change["after"]["status"] in ("pending", "paid") for change in updated
    ) and all(charge["kind"] == "tour" and charge["status"] == "open" for charge in created)


def guard_every_payment_pays_a_bill(world) -> bool:
    """Made no payment that no charge belongs to."""
    paid = [row["payment_id"] for row in world.final.query("SELECT DISTINCT payment_id FROM charges")]
    return all(change["key"][0] in paid for change in _changed(world, "payments"))


def guard_changes_nothing_else(world) -> bool:
    """Added at most the two places with their charges and the payments, and changed only the emergency contact."""
    people = _changed(world, "people")
    return (
        {change["table"] for change in world.changes} <= {"tour_signups", "charges", "payments", "people"}
        and len(_changed(world, "tour_signups")) <= 2
        and all(change["before"] is None for change in _changed(world, "tour_signups") + _changed(world, "payments"))
        and all(
            change["before"] is not None
            and change["key"][0] == ME
            and all(change["before"][c] == change["after"][c] for c in change["before"] if c != "emergency_contact")
            for change in people
        )
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

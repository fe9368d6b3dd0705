"""The rows of the hut network tell one coherent story in each state: every query finds what would contradict it."""

import pytest

from tests.support.inline_runtime import Environment, Session

CONTRADICTIONS = {
    "a price that membership does not give": """
        SELECT b.code, g.person_id FROM booking_guests g JOIN bookings b ON b.id = g.booking_id
        JOIN rooms r ON r.id = b.room_id
        WHERE g.price_per_night_cents <> CASE WHEN EXISTS (
            SELECT 1 FROM memberships m
            WHERE m.person_id = g.person_id AND b.check_in BETWEEN m.valid_from AND m.valid_until
        ) THEN r.member_price_cents ELSE r.price_cents END
    """,
    "lodging that is not nights times guests": """
        SELECT c.id FROM charges c JOIN bookings b ON b.id = c.booking_id
        WHERE c.kind = 'lodging' AND c.amount_cents <> (julianday(b.check_out) - julianday(b.check_in)) * (
            SELECT sum(g.price_per_night_cents) FROM booking_guests g WHERE g.booking_id = b.id
        )
    """,
    "a booking without its one lodging charge": """
        SELECT b.code FROM bookings b WHERE b.status <> 'hold' AND 1 <> (
            SELECT count(*) FROM charges c
            WHERE c.booking_id = b.id AND c.kind = 'lodging' AND c.person_id = b.booked_by
        )
    """,
    "a cancelled booking that is still charged": """
        SELECT b.code FROM bookings b JOIN charges c ON c.booking_id = b.id
        WHERE b.status = 'cancelled' AND c.status NOT IN ('void', 'refunded')
    """,
    "a completed stay that is not paid": """
        SELECT b.code FROM bookings b JOIN charges c ON c.booking_id = b.id
        WHERE b.status = 'completed' AND c.status NOT IN ('paid', 'refunded')
    """,
    "more guests than bunks": """
        SELECT n.code FROM bookings n JOIN rooms r ON r.id = n.room_id
        WHERE n.status <> 'cancelled' AND r.bunks < (
            SELECT count(*) FROM bookings b JOIN booking_guests g ON g.booking_id = b.id
            WHERE b.room_id = r.id AND b.status <> 'cancelled' AND b.check_in <= n.check_in AND b.check_out > n.check_in
        )
    """,
    "a stay in a closed hut": """
        SELECT b.code FROM bookings b JOIN rooms r ON r.id = b.room_id JOIN huts h ON h.id = r.hut_id
        WHERE b.status <> 'cancelled' AND b.check_out > :today AND (
            b.check_in < h.season_start OR b.check_out > h.season_end OR EXISTS (
                SELECT 1 FROM closures c
                WHERE c.hut_id = h.id AND c.starts_on < b.check_out AND c.ends_on >= b.check_in
            )
        )
    """,
    "a guest in a members-first room, booked too early": """
        SELECT b.code FROM bookings b JOIN rooms r ON r.id = b.room_id JOIN booking_guests g ON g.booking_id = b.id
        WHERE r.members_first = 1 AND g.price_per_night_cents = r.price_cents
          AND julianday(b.check_in) - julianday(substr(b.created_at, 1, 10)) > 14
    """,
    "a guest who is neither the booker nor a companion": """
        SELECT b.code FROM bookings b JOIN booking_guests g ON g.booking_id = b.id
        WHERE g.person_id <> b.booked_by AND NOT EXISTS (
            SELECT 1 FROM companions c WHERE c.member_id = b.booked_by AND c.person_id = g.person_id
        )
    """,
    "a status that the clock contradicts": """
        SELECT code FROM bookings
        WHERE (status = 'checked_in' AND NOT (check_in <= :today AND check_out >= :today))
           OR (status = 'completed' AND check_out > :today)
           OR (status = 'confirmed' AND check_out <= :today)
           OR created_at > :now OR terms_accepted_at NOT BETWEEN created_at AND :now
           OR cancelled_at NOT BETWEEN created_at AND :now
    """,
    "a hold that does not last a day": """
        SELECT code FROM bookings WHERE julianday(hold_until) - julianday(created_at) NOT BETWEEN 0.9999 AND 1.0001
    """,
    "a payment that is not the sum of its charges": """
        SELECT p.code FROM payments p
        WHERE p.amount_cents <> (SELECT coalesce(sum(c.amount_cents), 0) FROM charges c WHERE c.payment_id = p.id)
    """,
    "a charge that somebody else paid": """
        SELECT c.id FROM charges c JOIN payments p ON p.id = c.payment_id
        JOIN payment_methods m ON m.id = p.payment_method_id
        WHERE c.person_id <> p.person_id OR m.person_id <> p.person_id
    """,
    "a card that had expired, or a payment in the future": """
        SELECT p.code FROM payments p JOIN payment_methods m ON m.id = p.payment_method_id
        WHERE p.status = 'pending' OR p.confirmed_at > :now OR substr(p.confirmed_at, 1, 10) > m.valid_until
    """,
    "a refund that is not what was paid, or none where one is due": """
        SELECT c.id FROM charges c LEFT JOIN refunds r ON r.charge_id = c.id
        WHERE (c.status = 'refunded') <> (r.id IS NOT NULL) OR r.amount_cents <> c.amount_cents OR r.created_at > :now
    """,
    "a review of no completed stay": """
        SELECT v.id FROM reviews v JOIN bookings b ON b.id = v.booking_id
        WHERE b.status <> 'completed' OR substr(v.created_at, 1, 10) < b.check_out OR v.created_at > :now
    """,
    "a meal from another kitchen, at another time, or for too many": """
        SELECT o.id FROM meal_orders o JOIN meals m ON m.id = o.meal_id JOIN bookings b ON b.id = o.booking_id
        JOIN rooms r ON r.id = b.room_id
        WHERE m.hut_id <> r.hut_id OR o.served_on NOT BETWEEN b.check_in AND b.check_out
           OR (m.course = 'dinner' AND o.served_on = b.check_out)
           OR (m.course <> 'dinner' AND o.served_on = b.check_in)
           OR o.portions > (SELECT count(*) FROM booking_guests g WHERE g.booking_id = b.id)
    """,
    "a meal that is not charged": """
        SELECT o.id FROM meal_orders o JOIN meals m ON m.id = o.meal_id
        WHERE 1 <> (
            SELECT count(*) FROM charges c WHERE c.meal_order_id = o.id AND c.amount_cents = o.portions * m.price_cents
        )
    """,
    "gear that is not charged with rent and deposit": """
        SELECT g.code FROM gear_rentals g JOIN gear_models m ON m.id = g.gear_model_id
        JOIN bookings b ON b.id = g.booking_id
        WHERE g.quantity * (julianday(b.check_out) - julianday(b.check_in)) * m.price_per_night_cents <> (
            SELECT sum(c.amount_cents) FROM charges c WHERE c.gear_rental_id = g.id AND c.kind = 'gear'
        ) OR g.quantity * m.deposit_cents <> (
            SELECT sum(c.amount_cents) FROM charges c WHERE c.gear_rental_id = g.id AND c.kind = 'deposit'
        )
    """,
    "gear handed out without a deposit, or not in stock": """
        SELECT g.code FROM gear_rentals g JOIN bookings b ON b.id = g.booking_id JOIN rooms r ON r.id = b.room_id
        LEFT JOIN gear_stock s ON s.hut_id = r.hut_id AND s.gear_model_id = g.gear_model_id
        JOIN charges c ON c.gear_rental_id = g.id AND c.kind = 'deposit'
        WHERE g.quantity > coalesce(s.quantity, 0)
           OR (g.status = 'handed_out' AND c.status <> 'paid') OR (g.status = 'returned' AND c.status <> 'refunded')
    """,
    "a minor on tour without a guardian": """
        SELECT s.id FROM tour_signups s JOIN people p ON p.id = s.person_id JOIN tour_dates d ON d.id = s.tour_date_id
        WHERE date(p.birth_date, '+18 years') > substr(d.starts_at, 1, 10) AND NOT EXISTS (
            SELECT 1 FROM tour_signups g
            WHERE g.tour_date_id = s.tour_date_id AND g.person_id = s.guardian_id AND g.signed_up_by = s.signed_up_by
        )
    """,
    "somebody too young on tour, or a tour too full": """
        SELECT d.id FROM tour_dates d JOIN tours t ON t.id = d.tour_id JOIN tour_signups s ON s.tour_date_id = d.id
        JOIN people p ON p.id = s.person_id
        WHERE date(p.birth_date, '+' || t.min_age || ' years') > substr(d.starts_at, 1, 10)
           OR d.places < (SELECT count(*) FROM tour_signups o WHERE o.tour_date_id = d.id AND o.status = 'signed_up')
    """,
    "a guide on two tours on one day": """
        SELECT a.id FROM tour_dates a JOIN tour_dates b ON a.guide_id = b.guide_id AND a.id < b.id
        WHERE substr(a.starts_at, 1, 10) = substr(b.starts_at, 1, 10)
    """,
    "a claim on something that is neither claimed nor handed over": """
        SELECT i.id FROM lost_items i LEFT JOIN lost_claims c ON c.lost_item_id = i.id
        WHERE (i.status = 'stored') <> (c.id IS NULL) OR i.found_on > :today OR c.created_at > :now
    """,
    "a membership for another age": """
        SELECT m.id FROM memberships m JOIN membership_plans p ON p.id = m.plan_id JOIN people h ON h.id = m.person_id
        WHERE date(h.birth_date, '+' || p.min_age || ' years') > m.valid_from
           OR date(h.birth_date, '+' || (p.max_age + 1) || ' years') <= m.valid_from
    """,
    "a code that a tool could give again": """
        SELECT code FROM bookings WHERE code >= 'BK-50001' UNION SELECT code FROM payments WHERE code >= 'PAY-50001'
        UNION SELECT code FROM gear_rentals WHERE code >= 'GR-50001'
    """,
}


@pytest.mark.parametrize("state", ["initial", "winter"])
@pytest.mark.parametrize("contradiction", CONTRADICTIONS)
def test_the_rows_hold_no(environment: Environment, state: str, contradiction: str) -> None:
    session = Session(environment, state)
    now = session.env.now
    assert session.initial.query(CONTRADICTIONS[contradiction], {"now": now, "today": now[:10]}) == []

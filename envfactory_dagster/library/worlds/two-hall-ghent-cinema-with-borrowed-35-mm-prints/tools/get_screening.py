from datetime import datetime, timedelta


GET_SCREENING_STANDARD = 1100


GET_SCREENING_MEMBER = 800


GET_SCREENING_UNDER_26 = 750


GET_SCREENING_UNDER_12 = 600


GET_SCREENING_KANSENTARIEF = 220


GET_SCREENING_35MM = 150


def _get_screening_row(env, screening_id):
    """A screening with its title, hall and the seats left, if it is scheduled and the user may see it."""
    return env.one(
        """
        SELECT s.id, c.title_id, t.name AS title_name, t.kijkwijzer_age, t.minutes, s.hall_id, h.name AS hall_name,
               c.carrier, c.subtitles, s.starts_at, s.kind, s.is_preview, s.sale_opens_at,
               h.seats - s.seats_held
               - (SELECT COUNT(*) FROM tickets k WHERE k.screening_id = s.id AND k.status <> 'returned')
               - (SELECT COALESCE(SUM(COALESCE(b.pupils_final, b.pupils_announced) + b.teachers), 0) FROM school_bookings b
                  WHERE b.screening_id = s.id AND (b.status = 'confirmed' OR (b.status = 'option' AND b.option_until >= :now)))
               - (SELECT COALESCE(SUM(w.seats_offered), 0) FROM waiting_list_entries w
                  WHERE w.screening_id = s.id AND w.status = 'offered' AND w.offer_lapses_at >= :now) AS seats_left
        FROM screenings s JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id JOIN halls h ON h.id = s.hall_id
        WHERE s.id = :id AND s.status = 'scheduled' AND s.starts_at > :now
          AND (s.kind = 'public'
               OR (s.kind = 'club' AND (s.sale_opens_at <= :now OR EXISTS (SELECT 1 FROM clubs b WHERE b.id = s.club_id
                   AND (b.treasurer_account_id = :user OR b.second_contact_account_id = :user))))
               OR (s.kind = 'school' AND EXISTS (SELECT 1 FROM schools o WHERE o.contact_account_id = :user)))
        """,
        {"id": screening_id, "now": env.now, "user": env.user_id},
    )


def _get_screening_price(tariff, carrier):
    extra = GET_SCREENING_35MM if carrier == "35mm" else 0
    if tariff == "member":
        return GET_SCREENING_MEMBER
    if tariff == "kansentarief":
        return GET_SCREENING_KANSENTARIEF
    if tariff == "under_26":
        return GET_SCREENING_UNDER_26 + extra
    if tariff == "under_12":
        return GET_SCREENING_UNDER_12 + extra
    return GET_SCREENING_STANDARD + extra


def _get_screening_membership(env, day):
    """The user's membership that is valid on a day, or None."""
    return env.one(
        "SELECT id, kind, starts_on, ends_on FROM memberships WHERE account_id = ? AND starts_on <= ? AND ends_on >= ? ORDER BY ends_on DESC, id LIMIT 1",
        [env.user_id, day, day],
    )


def _get_screening_limits(env, row):
    """What the user holds for a screening and may still buy there by the ticket limits."""
    held = env.one(
        "SELECT COUNT(*) AS n, COALESCE(SUM(tariff = 'member'), 0) AS member, COALESCE(SUM(tariff = 'kansentarief'), 0) AS card, COALESCE(SUM(pass_id IS NOT NULL), 0) AS rides "
        "FROM tickets WHERE screening_id = ? AND account_id = ? AND status <> 'returned'",
        [row["id"], env.user_id],
    )
    valid = _get_screening_membership(env, row["starts_at"][:10])
    at_member_price = 0 if valid is None else (4 if valid["kind"] == "duo" else 2)
    until = None
    if row["sale_opens_at"] is not None and (row["carrier"] == "35mm" or row["is_preview"]):
        end = (datetime.fromisoformat(row["sale_opens_at"]) + timedelta(hours=48)).isoformat()
        until = end if env.now < end else None
    member_now = _get_screening_membership(env, env.now[:10]) is not None
    most = 6 if until is None else (4 if member_now else 0)
    left = max(0, most - held["n"])
    return {
        "held": held["n"], "most": most, "left": left, "members_only_until": until, "member_now": member_now,
        "member_most": at_member_price, "member_held": held["member"], "member_left": max(0, min(at_member_price - held["member"], left)),
        "card_held": held["card"], "rides_held": held["rides"],
    }


def get_screening(env, *, screening_id: int) -> dict:
    """Shows one coming screening with prices and what the user may still buy."""
    row = _get_screening_row(env, screening_id)
    if row is None:
        raise env.Error("There is no coming screening " + str(screening_id) + " that you can see.")
    limits = _get_screening_limits(env, row)
    row["is_preview"] = bool(row["is_preview"])
    row["seats_left"] = max(0, row["seats_left"])
    row["price_standard_cents"] = _get_screening_price("standard", row["carrier"])
    row["price_member_cents"] = _get_screening_price("member", row["carrier"])
    row["price_under_26_cents"] = _get_screening_price("under_26", row["carrier"])
    row["price_under_12_cents"] = _get_screening_price("under_12", row["carrier"])
    row["price_kansentarief_cents"] = _get_screening_price("kansentarief", row["carrier"])
    row["my_tickets"] = limits["held"]
    row["my_tickets_left"] = limits["left"]
    row["my_member_price_left"] = limits["member_left"]
    row["members_only_until"] = limits["members_only_until"]
    return row

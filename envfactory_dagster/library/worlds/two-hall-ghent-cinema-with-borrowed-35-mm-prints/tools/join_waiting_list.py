from datetime import datetime, timedelta


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


def _buy_tickets_blocked(env):
    account = env.one("SELECT block_reason, kansentarief FROM accounts WHERE id = ?", [env.user_id])
    if account["block_reason"] is not None:
        raise env.Error("Your account is blocked, so you can only look things up and return tickets: " + account["block_reason"] + ".")
    return account


def _list_my_waiting_list_entries_position(env, screening_id, entry_id, starts_at):
    """The place of an open entry on its list, 1 being next."""
    first = datetime.fromisoformat(starts_at) - datetime.fromisoformat(env.now) > timedelta(hours=48)
    rows = env.query(
        """
        SELECT w.id FROM waiting_list_entries w
        WHERE w.screening_id = :id AND w.status IN ('waiting', 'offered')
        ORDER BY CASE WHEN :members_first = 1 AND EXISTS (SELECT 1 FROM memberships m WHERE m.account_id = w.account_id
                 AND m.starts_on <= :today AND m.ends_on >= :today) THEN 0 ELSE 1 END, w.since, w.id
        """,
        {"id": screening_id, "members_first": 1 if first else 0, "today": env.now[:10]},
    )
    return [r["id"] for r in rows].index(entry_id) + 1


def join_waiting_list(env, *, screening_id: int, seats_wanted: int) -> dict:
    """Puts the user on the waiting list of a sold-out screening."""
    row = _get_screening_row(env, screening_id)
    if row is None:
        raise env.Error("There is no coming screening " + str(screening_id) + " that you can see.")
    _buy_tickets_blocked(env)
    if row["kind"] == "school":
        raise env.Error("A school screening has no waiting list.")
    if row["sale_opens_at"] is None or row["sale_opens_at"] > env.now:
        raise env.Error("The sale for this screening is not open, so it has no waiting list.")
    if env.one("SELECT id FROM waiting_list_entries WHERE screening_id = ? AND account_id = ? AND status IN ('waiting', 'offered')", [screening_id, env.user_id]) is not None:
        raise env.Error("You are on the waiting list of this screening already.")
    if not 1 <= seats_wanted <= 4:
        raise env.Error("A place on the waiting list is for 1 to 4 seats.")
    if row["seats_left"] > 0:
        raise env.Error("This screening is not sold out: " + str(row["seats_left"]) + " seats are left.")
    limits = _get_screening_limits(env, row)
    if seats_wanted > limits["left"]:
        raise env.Error("ticket_limits: you hold " + str(limits["held"]) + " tickets for this screening and may only have " + str(limits["left"]) + " more now.")
    entry_id = env.insert(
        "INSERT INTO waiting_list_entries (screening_id, account_id, seats_wanted, since, lapsed_offers, status) VALUES (?, ?, ?, ?, 0, 'waiting')",
        [screening_id, env.user_id, seats_wanted, env.now],
    )
    position = _list_my_waiting_list_entries_position(env, screening_id, entry_id, row["starts_at"])
    return {"waiting_list_entry_id": entry_id, "position": position, "seats_wanted": seats_wanted, "status": "waiting"}

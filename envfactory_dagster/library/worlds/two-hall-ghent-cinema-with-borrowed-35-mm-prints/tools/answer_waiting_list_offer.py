from datetime import datetime, timedelta


GET_SCREENING_STANDARD = 1100


GET_SCREENING_MEMBER = 800


GET_SCREENING_UNDER_26 = 750


GET_SCREENING_UNDER_12 = 600


GET_SCREENING_KANSENTARIEF = 220


GET_SCREENING_35MM = 150


BUY_TICKETS_RIDE = 750


def _buy_tickets_euro(cents):
    return "€" + str(cents // 100) + "." + str(cents % 100).zfill(2)


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


def _buy_tickets_rating(row):
    """The age a film counts as: an unrated one as 12, at club evenings as 16."""
    if row["kijkwijzer_age"] is None:
        return 16 if row["kind"] == "club" else 12
    return row["kijkwijzer_age"]


def _buy_tickets_blocked(env):
    account = env.one("SELECT block_reason, kansentarief FROM accounts WHERE id = ?", [env.user_id])
    if account["block_reason"] is not None:
        raise env.Error("Your account is blocked, so you can only look things up and return tickets: " + account["block_reason"] + ".")
    return account


def _buy_tickets_check(env, row, seats, seats_left, ages_known=False):
    """Refuses what the limits, the ages, the sale and the seats left forbid for an order of seats."""
    account = _buy_tickets_blocked(env)
    if row["kind"] == "school":
        raise env.Error("No tickets are sold for a school screening; a school books it as a whole.")
    if row["sale_opens_at"] is None:
        raise env.Error("The club has not opened the sale for this screening.")
    if row["sale_opens_at"] > env.now:
        raise env.Error("The sale for this screening only opens on " + row["sale_opens_at"].replace("T", " at ")[:19] + ".")
    count = len(seats)
    limits = _get_screening_limits(env, row)
    if limits["members_only_until"] is not None and not limits["member_now"]:
        raise env.Error("ticket_limits: until " + limits["members_only_until"].replace("T", " ")[:16] + " only members may buy for this screening.")
    if limits["held"] + count > limits["most"]:
        if limits["members_only_until"] is not None:
            raise env.Error("ticket_limits: in the first 48 hours of sale it is at most 4 tickets in all for this screening; you hold " + str(limits["held"]) + ". From " + limits["members_only_until"].replace("T", " ")[:16] + " on it is 6.")
        raise env.Error("ticket_limits: it is at most 6 tickets for one screening, and you hold " + str(limits["held"]) + " already.")
    at_member_price = len([s for s in seats if s["tariff"] == "member"])
    if at_member_price > 0 and limits["member_most"] == 0:
        raise env.Error("ticket_limits: the member price needs a membership that is valid on the day of the screening, " + row["starts_at"][:10] + ".")
    if limits["member_held"] + at_member_price > limits["member_most"] and at_member_price > 0:
        raise env.Error("ticket_limits: at most " + str(limits["member_most"]) + " of your tickets for one screening are at member price, and you hold " + str(limits["member_held"]) + " of these.")
    cards = len([s for s in seats if s["tariff"] == "kansentarief"])
    if cards > 0 and not account["kansentarief"]:
        raise env.Error("There is no kansentarief on your account.")
    if cards > 0 and limits["card_held"] + cards > 1:
        raise env.Error("The kansentarief is for one seat per screening.")
    rating = _buy_tickets_rating(row)
    ages = [s.get("holder_age") for s in seats]
    for seat in seats:
        age = seat.get("holder_age")
        if not ages_known and seat["tariff"] == "under_26" and (age is None or age > 25):
            raise env.Error("The tariff under 26 needs the age of who sits there, 25 at most.")
        if not ages_known and seat["tariff"] == "under_12" and (age is None or age > 11):
            raise env.Error("The tariff under 12 needs the age of who sits there, 11 at most.")
        if rating >= 16 and age is None:
            raise env.Error("house_age_limit: this film counts as " + str(rating) + ", so the age of everybody who comes must be known.")
        if rating == 18 and age < 18:
            raise env.Error("house_age_limit: nobody under 18 gets a ticket for a film rated 18.")
        if rating == 16 and age < 14:
            raise env.Error("house_age_limit: nobody under 14 gets a ticket for a film that counts as 16.")
        if rating == 16 and age < 16 and not any(a is not None and a >= 18 for a in ages):
            raise env.Error("house_age_limit: at 14 or 15 a film that counts as 16 needs an adult in the same order.")
    if count > seats_left:
        raise env.Error("Only " + str(max(0, seats_left)) + " seats are left for this screening.")


def _buy_tickets_payment(env, cents, method):
    """Takes money and gives the payment's id and structured communication."""
    day = env.now[2:4] + env.now[5:7] + env.now[8:10]
    number = 1
    while True:
        body = "0" + day + str(number).zfill(3)
        body += str(int(body) % 97 or 97).zfill(2)
        code = "+++" + body[:3] + "/" + body[3:7] + "/" + body[7:] + "+++"
        if env.one("SELECT id FROM payments WHERE structured_communication = ?", [code]) is None:
            break
        number += 1
    payment_id = env.insert(
        "INSERT INTO payments (account_id, amount_cents, method, structured_communication, paid_at, refunded_cents) VALUES (?, ?, ?, ?, ?, 0)",
        [env.user_id, cents, method, code, env.now],
    )
    return {"payment_id": payment_id, "structured_communication": code}


def _buy_tickets_discount(env, day, cents):
    """Adds what was saved by the member price on a day to the membership of that day."""
    membership = _get_screening_membership(env, day)
    if membership is not None and cents != 0:
        env.execute(
            "UPDATE memberships SET discount_enjoyed_cents = MAX(0, discount_enjoyed_cents + ?) WHERE id = ?",
            [cents, membership["id"]],
        )


def _buy_tickets_order(env, row, seats, pass_id, voucher_id, payment_method):
    """Pays for seats that were checked and writes the tickets."""
    today = env.now[:10]
    result = {"ticket_ids": [], "price_cents": 0, "voucher_cents": 0, "money_cents": 0, "pass_rides": 0, "payment_id": None, "structured_communication": None}
    if pass_id is not None:
        if voucher_id is not None or payment_method is not None:
            raise env.Error("Seats on a pass are paid by nothing else; leave out the voucher and the payment method.")
        card = env.one("SELECT id, rides_left, expires_on FROM passes WHERE id = ? AND account_id = ?", [pass_id, env.user_id])
        if card is None:
            raise env.Error("You have no pass " + str(pass_id) + ".")
        if card["expires_on"] < today:
            raise env.Error("That pass expired on " + card["expires_on"] + ".")
        if row["is_preview"]:
            raise env.Error("A pass is not good for previews.")
        if any(s["tariff"] != "standard" for s in seats):
            raise env.Error("On a pass every seat has the tariff standard.")
        if _get_screening_limits(env, row)["rides_held"] + len(seats) > 2:
            raise env.Error("A pass gives at most 2 rides per screening.")
        if card["rides_left"] < len(seats):
            raise env.Error("Only " + str(card["rides_left"]) + " rides are left on that pass.")
        env.execute("UPDATE passes SET rides_left = rides_left - ? WHERE id = ?", [len(seats), pass_id])
        for seat in seats:
            result["ticket_ids"].append(env.insert(
                "INSERT INTO tickets (screening_id, account_id, tariff, holder_age, price_cents, pass_id, voucher_cents, bought_at, swapped, status) VALUES (?, ?, ?, ?, ?, ?, 0, ?, 0, 'valid')",
                [row["id"], env.user_id, seat["tariff"], seat.get("holder_age"), BUY_TICKETS_RIDE, pass_id, env.now],
            ))
        result["price_cents"] = BUY_TICKETS_RIDE * len(seats)
        result["pass_rides"] = len(seats)
        return result
    left = 0
    if voucher_id is not None:
        voucher = env.one("SELECT id, left_cents, expires_on FROM vouchers WHERE id = ? AND account_id = ?", [voucher_id, env.user_id])
        if voucher is None:
            raise env.Error("You have no voucher " + str(voucher_id) + ".")
        if voucher["expires_on"] < today:
            raise env.Error("That voucher expired on " + voucher["expires_on"] + ".")
        if voucher["left_cents"] == 0:
            raise env.Error("Nothing is left on that voucher.")
        left = voucher["left_cents"]
    plan = []
    for seat in seats:
        price = _get_screening_price(seat["tariff"], row["carrier"])
        part = min(price, left)
        left -= part
        plan.append((seat, price, part))
        result["price_cents"] += price
        result["voucher_cents"] += part
    result["money_cents"] = result["price_cents"] - result["voucher_cents"]
    if result["money_cents"] > 0 and payment_method is None:
        raise env.Error("The seats cost " + _buy_tickets_euro(result["price_cents"]) + "; say how the remaining " + _buy_tickets_euro(result["money_cents"]) + " is paid.")
    if result["money_cents"] > 0:
        result.update(_buy_tickets_payment(env, result["money_cents"], payment_method))
    if result["voucher_cents"] > 0:
        env.execute("UPDATE vouchers SET left_cents = left_cents - ? WHERE id = ?", [result["voucher_cents"], voucher_id])
    saved = 0
    for seat, price, part in plan:
        result["ticket_ids"].append(env.insert(
            "INSERT INTO tickets (screening_id, account_id, tariff, holder_age, price_cents, voucher_id, voucher_cents, payment_id, bought_at, swapped, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 'valid')",
            [row["id"], env.user_id, seat["tariff"], seat.get("holder_age"), price, voucher_id if part > 0 else None, part,
             result["payment_id"] if part < price else None, env.now],
        ))
        if seat["tariff"] == "member":
            saved += _get_screening_price("standard", row["carrier"]) - price
    _buy_tickets_discount(env, row["starts_at"][:10], saved)
    return result


def _return_tickets_pass_on(env, screening_id):
    """Offers seats that came free to those who wait: members first until 48 hours before, then by time."""
    if not "08:00:00" <= env.now[11:19] < "22:00:00":
        return
    place = env.one(
        """
        SELECT s.starts_at, h.seats - s.seats_held
               - (SELECT COUNT(*) FROM tickets k WHERE k.screening_id = s.id AND k.status <> 'returned')
               - (SELECT COALESCE(SUM(w.seats_offered), 0) FROM waiting_list_entries w
                  WHERE w.screening_id = s.id AND w.status = 'offered' AND w.offer_lapses_at >= :now) AS free
        FROM screenings s JOIN halls h ON h.id = s.hall_id WHERE s.id = :id AND s.status = 'scheduled' AND s.starts_at > :now
        """,
        {"id": screening_id, "now": env.now},
    )
    if place is None:
        return
    now = datetime.fromisoformat(env.now)
    start = datetime.fromisoformat(place["starts_at"])
    waiting = env.query(
        """
        SELECT w.id, w.seats_wanted FROM waiting_list_entries w
        WHERE w.screening_id = :id AND w.status = 'waiting'
        ORDER BY CASE WHEN :members_first = 1 AND EXISTS (SELECT 1 FROM memberships m WHERE m.account_id = w.account_id
                 AND m.starts_on <= :today AND m.ends_on >= :today) THEN 0 ELSE 1 END, w.since, w.id
        """,
        {"id": screening_id, "members_first": 1 if start - now > timedelta(hours=48) else 0, "today": env.now[:10]},
    )
    free = place["free"]
    lapses = (now + (timedelta(minutes=30) if start.date() == now.date() else timedelta(hours=3))).isoformat()
    for entry in waiting:
        if free <= 0:
            break
        offered = min(free, entry["seats_wanted"])
        env.execute(
            "UPDATE waiting_list_entries SET status = 'offered', seats_offered = ?, offer_sent_at = ?, offer_lapses_at = ? WHERE id = ?",
            [offered, env.now, lapses, entry["id"]],
        )
        free -= offered


def answer_waiting_list_offer(env, *, waiting_list_entry_id: int, seats: list, pass_id: int | None = None, voucher_id: int | None = None, payment_method: str | None = None) -> dict:
    """Answers a running offer: buys the seats taken and gives up the others."""
    entry = env.one(
        "SELECT id, screening_id, seats_wanted, seats_offered, offer_lapses_at, status FROM waiting_list_entries WHERE id = ? AND account_id = ?",
        [waiting_list_entry_id, env.user_id],
    )
    if entry is None:
        raise env.Error("You have no waiting-list place " + str(waiting_list_entry_id) + ".")
    if entry["status"] != "offered":
        raise env.Error("No offer is running for that place; it is " + entry["status"] + ".")
    if entry["offer_lapses_at"] < env.now:
        raise env.Error("That offer lapsed at " + entry["offer_lapses_at"].replace("T", " ")[:16] + ".")
    result = {"ticket_ids": [], "price_cents": 0, "voucher_cents": 0, "money_cents": 0, "pass_rides": 0, "payment_id": None, "structured_communication": None}
    if len(seats) > entry["seats_offered"]:
        raise env.Error("Only " + str(entry["seats_offered"]) + " seats are offered.")
    wanted = entry["seats_wanted"]
    status = "declined"
    if seats:
        row = _get_screening_row(env, entry["screening_id"])
        if row is None:
            raise env.Error("That screening has begun or is not shown any more.")
        _buy_tickets_check(env, row, seats, max(0, row["seats_left"]) + entry["seats_offered"])
        result = _buy_tickets_order(env, row, seats, pass_id, voucher_id, payment_method)
        status = "taken"
        if len(seats) == entry["seats_offered"] and wanted > entry["seats_offered"]:
            status = "waiting"
            wanted -= len(seats)
    if status == "waiting":
        env.execute(
            "UPDATE waiting_list_entries SET status = 'waiting', seats_wanted = ?, seats_offered = NULL, offer_sent_at = NULL, offer_lapses_at = NULL WHERE id = ?",
            [wanted, waiting_list_entry_id],
        )
    else:
        env.execute("UPDATE waiting_list_entries SET status = ?, closed_at = ? WHERE id = ?", [status, env.now, waiting_list_entry_id])
        if len(seats) < entry["seats_offered"]:
            _return_tickets_pass_on(env, entry["screening_id"])
    return {"waiting_list_entry_id": waiting_list_entry_id, "status": status, "seats_wanted": wanted, **result}

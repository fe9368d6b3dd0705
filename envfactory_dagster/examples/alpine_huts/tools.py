"""The tools of the Bergkranz Alpine Club's hut network. Money is in euro cents, days are ISO dates."""

import datetime
import json

HOLD_HOURS = 24
CHECK_IN_TIME = "15:00:00"
MEMBERS_FIRST_DAYS = 14
ADULT_AGE = 18
OVERDUE_LIMIT_CENTS = 10_000
TOUR_CANCELLATION_HOURS = 24
PAYMENT_DAYS = 14
POSTAGE_CENTS = 690


# -- days, people, money: what several tools need ----------------------------------------------------------------------


def _today(env) -> str:
    return env.now[:10]


def _day_after(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _last_day_of_year_from(day: str) -> str:
    same_day = str(int(day[:4]) + 1) + day[4:]
    return _day_after(same_day.replace("-02-29", "-03-01"), -1)


def _hours_before(moment: str, hours: int) -> str:
    return (datetime.datetime.fromisoformat(moment) - datetime.timedelta(hours=hours)).isoformat()


def _nights_between(check_in: str, check_out: str) -> int:
    return (datetime.date.fromisoformat(check_out) - datetime.date.fromisoformat(check_in)).days


def _age_on(birth_date: str, day: str) -> int:
    return int(day[:4]) - int(birth_date[:4]) - (day[5:] < birth_date[5:])


def _in_words(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _euros(cents: int) -> str:
    return f"{cents / 100:.2f} euros"


def _names(people) -> str:
    return ", ".join(person["full_name"] for person in people)


def _refuse_backwards_period(env, first_day, last_day) -> None:
    if first_day is not None and last_day is not None and first_day > last_day:
        raise env.Error(f"the period ends ({last_day}) before it begins ({first_day})")


def _refuse_the_past(env, day: str) -> None:
    if day < _today(env):
        raise env.Error(f"{day} is in the past; today is {_today(env)}")


def _refuse_debtor(env) -> None:
    row = env.one(
        "SELECT coalesce(sum(amount_cents), 0) AS cents FROM charges"
        " WHERE person_id = ? AND status = 'open' AND due_on < ?",
        [env.user_id, _today(env)],
    )
    if row["cents"] > OVERDUE_LIMIT_CENTS:
        raise env.Error(
            f"{_euros(row['cents'])} are overdue; with more than {_euros(OVERDUE_LIMIT_CENTS)} overdue "
            "no bunks can be held and no tours joined until the debt is settled"
        )


def _party(env, person_ids: list, day: str) -> list:
    """The people named, each of them the user or a companion, with their age and membership on a day."""
    people = env.query(
        """
        SELECT p.id AS person_id, p.full_name, p.birth_date,
               EXISTS (
                   SELECT 1 FROM memberships m
                   WHERE m.person_id = p.id AND m.valid_from <= :day AND m.valid_until >= :day
               ) AS is_member
        FROM people p
        WHERE p.id IN (SELECT value FROM json_each(:person_ids))
          AND (p.id = :me OR p.id IN (SELECT person_id FROM companions WHERE member_id = :me))
        ORDER BY p.id
        """,
        {"day": day, "person_ids": json.dumps(person_ids), "me": env.user_id},
    )
    strangers = sorted(set(person_ids) - {person["person_id"] for person in people})
    if strangers:
        raise env.Error(f"nobody among you and your companions has the person id {strangers[0]}")
    return [person | {"age": _age_on(person["birth_date"], day)} for person in people]


def _hut(env, hut_id: int) -> dict:
    hut = env.one(
        """
        SELECT h.id AS hut_id, h.region_id, h.name, r.name AS region, r.valley_town, h.kind, h.altitude_m, h.warden,
               h.phone, h.season_start, h.season_end, h.cancellation_hours
        FROM huts h JOIN regions r ON r.id = h.region_id
        WHERE h.id = ?
        """,
        [hut_id],
    )
    if hut is None:
        raise env.Error(f"there is no hut {hut_id}")
    return hut


def _refuse_unknown_region(env, region) -> None:
    regions = [row["name"] for row in env.query("SELECT name FROM regions ORDER BY name")]
    if region is not None and region not in regions:
        raise env.Error(f"there is no region called {region!r}; the regions are {', '.join(regions)}")


def _refuse_closed(env, hut_id: int, check_in: str, check_out: str) -> None:
    hut = _hut(env, hut_id)
    if check_in < hut["season_start"] or check_out > hut["season_end"]:
        raise env.Error(f"{hut['name']} is open only from {hut['season_start']} to {hut['season_end']}")
    closure = env.one(
        "SELECT starts_on, ends_on, reason FROM closures"
        " WHERE hut_id = ? AND starts_on < ? AND ends_on >= ? ORDER BY starts_on",
        [hut_id, check_out, check_in],
    )
    if closure is not None:
        raise env.Error(
            f"{hut['name']} is closed from {closure['starts_on']} to {closure['ends_on']}: {closure['reason']}"
        )


# -- occupancy ---------------------------------------------------------------------------------------------------------


def _busiest_night(stays: list, check_in: str, check_out: str) -> int:
    """The most that overlapping stays take up on any night of the period."""
    nights = [_day_after(check_in, offset) for offset in range(_nights_between(check_in, check_out))]
    return max(sum(s["taken"] for s in stays if s["check_in"] <= night < s["check_out"]) for night in nights)


def _free_bunks(env, room: dict, check_in: str, check_out: str, but_booking_id: int) -> int:
    stays = env.query(
        """
        SELECT b.check_in, b.check_out, count(g.id) AS taken
        FROM bookings b JOIN booking_guests g ON g.booking_id = b.id
        WHERE b.room_id = :room_id AND b.id <> :but_booking_id
          AND b.check_in < :check_out AND b.check_out > :check_in
          AND (b.status IN ('confirmed', 'checked_in', 'completed') OR (b.status = 'hold' AND b.hold_until >= :now))
        GROUP BY b.id
        """,
        {
            "room_id": room["room_id"],
            "but_booking_id": but_booking_id,
            "check_in": check_in,
            "check_out": check_out,
            "now": env.now,
        },
    )
    return room["bunks"] - _busiest_night(stays, check_in, check_out)


def _free_gear(env, hut_id: int, gear_model_id: int, check_in: str, check_out: str, but_booking_id: int) -> int:
    stock = env.one(
        "SELECT quantity FROM gear_stock WHERE hut_id = ? AND gear_model_id = ?",
        [hut_id, gear_model_id],
    )
    if stock is None:
        return 0
    stays = env.query(
        """
        SELECT b.check_in, b.check_out, g.quantity AS taken
        FROM gear_rentals g JOIN bookings b ON b.id = g.booking_id JOIN rooms m ON m.id = b.room_id
        WHERE m.hut_id = :hut_id AND g.gear_model_id = :gear_model_id AND g.status IN ('reserved', 'handed_out')
          AND b.id <> :but_booking_id AND b.check_in < :check_out AND b.check_out > :check_in
        """,
        {
            "hut_id": hut_id,
            "gear_model_id": gear_model_id,
            "but_booking_id": but_booking_id,
            "check_in": check_in,
            "check_out": check_out,
        },
    )
    return stock["quantity"] - _busiest_night(stays, check_in, check_out)


def _only_for_members(env, room: dict, check_in: str) -> bool:
    return bool(room["members_first"]) and check_in > _day_after(_today(env), MEMBERS_FIRST_DAYS)


def _refuse_room(env, room: dict, guests: list, check_in: str, check_out: str, but_booking_id: int) -> None:
    """Whatever keeps this party out of this room on these nights."""
    _refuse_the_past(env, check_in)
    _refuse_closed(env, room["hut_id"], check_in, check_out)
    others = [guest for guest in guests if not guest["is_member"]]
    if others and _only_for_members(env, room, check_in):
        raise env.Error(
            f"until {MEMBERS_FIRST_DAYS} days before arrival {room['room']} is kept for members, "
            f"and {_names(others)} would not be a member on {check_in}"
        )
    free = _free_bunks(env, room, check_in, check_out, but_booking_id)
    if free < len(guests):
        raise env.Error(f"{room['room']} has {_in_words(max(free, 0), 'free bunk')} from {check_in} to {check_out}")


# -- bookings and charges ----------------------------------------------------------------------------------------------


def _my_booking(env, booking_code: str) -> dict:
    booking = env.one(
        """
        SELECT b.id, b.code AS booking_code, b.room_id, m.name AS room, m.bunks, m.members_first, m.hut_id,
               h.name AS hut, h.cancellation_hours, b.check_in, b.check_out, b.status, b.created_at, b.hold_until,
               b.terms_accepted_at, b.cancelled_at
        FROM bookings b JOIN rooms m ON m.id = b.room_id JOIN huts h ON h.id = m.hut_id
        WHERE b.code = ? AND b.booked_by = ?
        """,
        [booking_code, env.user_id],
    )
    if booking is None:
        raise env.Error(f"you have no booking {booking_code}")
    return booking


def _cancel_until(booking: dict) -> str:
    return _hours_before(f"{booking['check_in']}T{CHECK_IN_TIME}", booking["cancellation_hours"])


def _refuse_after_deadline(env, booking: dict) -> None:
    if booking["status"] not in ("hold", "confirmed"):
        raise env.Error(f"booking {booking['booking_code']} is {booking['status']} and can no longer be changed")
    if booking["status"] == "confirmed" and env.now > _cancel_until(booking):
        raise env.Error(
            f"{booking['hut']} asks for {booking['cancellation_hours']} hours' notice: booking "
            f"{booking['booking_code']} could be cancelled or moved until {_cancel_until(booking)}"
        )


def _refuse_unless(env, booking: dict, *wanted: str) -> None:
    if booking["status"] not in wanted:
        raise env.Error(f"booking {booking['booking_code']} is {booking['status']}, not {' or '.join(wanted)}")


def _refuse_expired_hold(env, booking: dict) -> None:
    _refuse_unless(env, booking, "hold")
    if booking["hold_until"] < env.now:
        raise env.Error(f"the hold {booking['booking_code']} expired at {booking['hold_until']}; hold the bunks again")


def _add_charge(env, kind, description, amount_cents, due_on, **origin) -> int:
    """A new open charge of the user. `origin` says which booking, order, rental or sign-up it is for."""
    return env.insert(
        """
        INSERT INTO charges (person_id, kind, description, amount_cents, due_on, status, booking_id, meal_order_id,
                             gear_rental_id, tour_signup_id)
        VALUES (:me, :kind, :description, :amount_cents, :due_on, 'open', :booking_id, :meal_order_id,
                :gear_rental_id, :tour_signup_id)
        """,
        {
            "me": env.user_id,
            "kind": kind,
            "description": description,
            "amount_cents": amount_cents,
            "due_on": due_on,
            "booking_id": origin.get("booking_id"),
            "meal_order_id": origin.get("meal_order_id"),
            "gear_rental_id": origin.get("gear_rental_id"),
            "tour_signup_id": origin.get("tour_signup_id"),
        },
    )


def _take_back(env, charges: list, reason: str) -> dict:
    """Void the open ones among these charges and refund the paid ones."""
    waiting = [charge for charge in charges if charge["status"] == "pending"]
    if waiting:
        raise env.Error(f"the payment of charge {waiting[0]['id']} waits for your confirmation; confirm it first")
    totals = {"open": 0, "paid": 0}
    for charge in charges:
        if charge["status"] == "open":
            env.execute("UPDATE charges SET status = 'void' WHERE id = ?", [charge["id"]])
        elif charge["status"] == "paid":
            env.execute("UPDATE charges SET status = 'refunded' WHERE id = ?", [charge["id"]])
            env.insert(
                "INSERT INTO refunds (charge_id, amount_cents, reason, status, created_at)"
                " VALUES (?, ?, ?, 'on_its_way', ?)",
                [charge["id"], charge["amount_cents"], reason, env.now],
            )
        if charge["status"] in totals:
            totals[charge["status"]] += charge["amount_cents"]
    return {"refunded_cents": totals["paid"], "voided_cents": totals["open"]}


# -- huts and their surroundings ---------------------------------------------------------------------------------------


def search_huts(
    env,
    *,
    region: str | None = None,
    kind: str | None = None,
    amenities: list[str] | None = None,
    min_altitude_m: int | None = None,
    open_on: str | None = None,
    min_rating: float | None = None,
    sort_by: str = "name",
) -> dict:
    """Search the huts of the network by region, kind, amenities, altitude, opening and rating."""
    _refuse_unknown_region(env, region)
    huts = env.query(
        """
        SELECT h.id AS hut_id, h.name, r.name AS region, h.kind, h.altitude_m, h.season_start, h.season_end,
               round(avg(v.rating), 2) AS rating, count(v.id) AS reviews
        FROM huts h
        JOIN regions r ON r.id = h.region_id
        LEFT JOIN rooms m ON m.hut_id = h.id
        LEFT JOIN bookings b ON b.room_id = m.id
        LEFT JOIN reviews v ON v.booking_id = b.id
        WHERE (:region IS NULL OR r.name = :region)
          AND (:kind IS NULL OR h.kind = :kind)
          AND (:min_altitude_m IS NULL OR h.altitude_m >= :min_altitude_m)
          AND (:amenities IS NULL OR json_array_length(:amenities) = (
                  SELECT count(*) FROM hut_amenities a
                  WHERE a.hut_id = h.id AND a.amenity IN (SELECT value FROM json_each(:amenities))
              ))
          AND (:open_on IS NULL OR (
                  :open_on BETWEEN h.season_start AND h.season_end AND NOT EXISTS (
                      SELECT 1 FROM closures c WHERE c.hut_id = h.id AND :open_on BETWEEN c.starts_on AND c.ends_on
                  )
              ))
        GROUP BY h.id
        HAVING :min_rating IS NULL OR avg(v.rating) >= :min_rating
        ORDER BY CASE :sort_by WHEN 'altitude' THEN -h.altitude_m WHEN 'rating' THEN -avg(v.rating) END NULLS LAST,
                 h.name
        """,
        {
            "region": region,
            "kind": kind,
            "amenities": None if amenities is None else json.dumps(amenities),
            "min_altitude_m": min_altitude_m,
            "open_on": open_on,
            "min_rating": min_rating,
            "sort_by": sort_by,
        },
    )
    return {"huts": huts}


def get_hut(env, *, hut_id: int) -> dict:
    """Show one hut: warden, season, amenities, rooms with prices, closures still to come, and its rating."""
    hut = _hut(env, hut_id)
    amenities = env.query("SELECT amenity FROM hut_amenities WHERE hut_id = ? ORDER BY amenity", [hut_id])
    rooms = env.query(
        "SELECT id AS room_id, name, kind, bunks, price_cents, member_price_cents, members_first"
        " FROM rooms WHERE hut_id = ? ORDER BY id",
        [hut_id],
    )
    closures = env.query(
        "SELECT starts_on, ends_on, reason FROM closures WHERE hut_id = ? AND ends_on >= ? ORDER BY starts_on",
        [hut_id, _today(env)],
    )
    rating = env.one(
        """
        SELECT round(avg(v.rating), 2) AS rating, count(v.id) AS reviews
        FROM reviews v JOIN bookings b ON b.id = v.booking_id JOIN rooms m ON m.id = b.room_id
        WHERE m.hut_id = ?
        """,
        [hut_id],
    )
    hut.pop("region_id")
    return {
        **hut,
        **rating,
        "amenities": [row["amenity"] for row in amenities],
        "rooms": [room | {"members_first": bool(room["members_first"])} for room in rooms],
        "closures": closures,
    }


def find_free_bunks(
    env,
    *,
    check_in: str,
    nights: int,
    person_ids: list[int],
    region: str | None = None,
    hut_ids: list[int] | None = None,
    room_kind: str | None = None,
    max_party_price_cents: int | None = None,
    sort_by: str = "price",
) -> dict:
    """Find rooms in open huts that have a bunk for everyone in the party on every night of the stay."""
    _refuse_the_past(env, check_in)
    _refuse_unknown_region(env, region)
    party = _party(env, person_ids, check_in)
    check_out = _day_after(check_in, nights)
    rooms = env.query(
        """
        SELECT m.id AS room_id, m.name AS room, h.id AS hut_id, h.name AS hut, r.name AS region, m.kind, m.bunks,
               m.price_cents, m.member_price_cents, m.members_first, h.cancellation_hours
        FROM rooms m JOIN huts h ON h.id = m.hut_id JOIN regions r ON r.id = h.region_id
        WHERE (:region IS NULL OR r.name = :region)
          AND (:hut_ids IS NULL OR h.id IN (SELECT value FROM json_each(:hut_ids)))
          AND (:room_kind IS NULL OR m.kind = :room_kind)
          AND h.season_start <= :check_in AND h.season_end >= :check_out
          AND NOT EXISTS (
              SELECT 1 FROM closures c WHERE c.hut_id = h.id AND c.starts_on < :check_out AND c.ends_on >= :check_in
          )
        ORDER BY h.name, m.id
        """,
        {
            "region": region,
            "hut_ids": None if hut_ids is None else json.dumps(hut_ids),
            "room_kind": room_kind,
            "check_in": check_in,
            "check_out": check_out,
        },
    )
    members = sum(person["is_member"] for person in party)
    found = []
    for room in rooms:
        free = _free_bunks(env, room, check_in, check_out, 0)
        price = members * room["member_price_cents"] + (len(party) - members) * room["price_cents"]
        affordable = max_party_price_cents is None or price <= max_party_price_cents
        admitted = members == len(party) or not _only_for_members(env, room, check_in)
        if free >= len(party) and affordable and admitted:
            kept = ("room_id", "room", "hut_id", "hut", "region", "kind", "cancellation_hours")
            found.append({key: room[key] for key in kept} | {"free_bunks": free, "party_price_cents": price})
    if sort_by == "price":
        found.sort(key=lambda room: room["party_price_cents"])
    return {"check_in": check_in, "check_out": check_out, "rooms": found}


def get_weather(env, *, hut_id: int, first_day: str, days: int = 3) -> dict:
    """Show the forecast for the region of a hut, day by day."""
    hut = _hut(env, hut_id)
    reports = env.query(
        "SELECT day, summary, temperature_c, wind_kmh, new_snow_cm, avalanche_level FROM weather_reports"
        " WHERE region_id = ? AND day >= ? AND day < ? ORDER BY day",
        [hut["region_id"], first_day, _day_after(first_day, days)],
    )
    if not reports:
        raise env.Error(f"there is no forecast for {hut['region']} in the {_in_words(days, 'day')} from {first_day}")
    return {"region": hut["region"], "reports": reports}


def find_trails(
    env, *, hut_id: int, max_hours: float | None = None, max_difficulty: str | None = None, sort_by: str = "hours"
) -> dict:
    """Find the trails that lead from one hut straight to another. They are walked both ways."""
    hut = _hut(env, hut_id)
    trails = env.query(
        """
        SELECT t.name, o.id AS to_hut_id, o.name AS to_hut, t.hours, t.ascent_m, t.difficulty
        FROM trails t
        JOIN huts o ON o.id = CASE WHEN t.from_hut_id = :hut_id THEN t.to_hut_id ELSE t.from_hut_id END
        WHERE :hut_id IN (t.from_hut_id, t.to_hut_id)
          AND (:max_hours IS NULL OR t.hours <= :max_hours)
          AND (:max_difficulty IS NULL OR t.difficulty = 'easy' OR t.difficulty = :max_difficulty
               OR :max_difficulty = 'difficult')
        ORDER BY CASE :sort_by WHEN 'ascent' THEN t.ascent_m ELSE t.hours END, t.name
        """,
        {"hut_id": hut_id, "max_hours": max_hours, "max_difficulty": max_difficulty, "sort_by": sort_by},
    )
    return {"from_hut": hut["name"], "trails": trails}


# -- people and memberships --------------------------------------------------------------------------------------------


def get_my_profile(env) -> dict:
    """Show who the user is: contact details, membership, what is owed, and today's date."""
    me = env.one(
        "SELECT id AS person_id, full_name, birth_date, email, phone, emergency_contact FROM people WHERE id = ?",
        [env.user_id],
    )
    membership = env.one(
        """
        SELECT p.name AS plan, m.valid_from, m.valid_until, p.rescue_cover
        FROM memberships m JOIN membership_plans p ON p.id = m.plan_id
        WHERE m.person_id = :me AND m.valid_from <= :today AND m.valid_until >= :today
        """,
        {"me": env.user_id, "today": _today(env)},
    )
    if membership is not None:
        membership["rescue_cover"] = bool(membership["rescue_cover"])
    owed = env.one(
        """
        SELECT coalesce(sum(amount_cents), 0) AS open_cents,
               coalesce(sum(CASE WHEN due_on < :today THEN amount_cents END), 0) AS overdue_cents
        FROM charges WHERE person_id = :me AND status = 'open'
        """,
        {"me": env.user_id, "today": _today(env)},
    )
    return {**me, "membership": membership, **owed, "today": _today(env)}


def list_companions(env) -> dict:
    """List the people the user may book for."""
    people = env.query(
        """
        SELECT p.id AS person_id, p.full_name, p.birth_date, c.relation,
               EXISTS (
                   SELECT 1 FROM memberships m
                   WHERE m.person_id = p.id AND m.valid_from <= :today AND m.valid_until >= :today
               ) AS is_member
        FROM companions c JOIN people p ON p.id = c.person_id
        WHERE c.member_id = :me
        ORDER BY p.full_name
        """,
        {"me": env.user_id, "today": _today(env)},
    )
    return {
        "companions": [
            person | {"is_member": bool(person["is_member"]), "age": _age_on(person["birth_date"], _today(env))}
            for person in people
        ]
    }


def add_companion(env, *, full_name: str, birth_date: str, relation: str) -> dict:
    """Add somebody to the people the user may book for."""
    if birth_date > _today(env):
        raise env.Error(f"nobody is born in the future: {birth_date}")
    known = env.one(
        """
        SELECT p.id FROM companions c JOIN people p ON p.id = c.person_id
        WHERE c.member_id = ? AND p.full_name = ? AND p.birth_date = ?
        """,
        [env.user_id, full_name, birth_date],
    )
    if known is not None:
        raise env.Error(f"{full_name} is already one of your companions, with the person id {known['id']}")
    person_id = env.insert("INSERT INTO people (full_name, birth_date) VALUES (?, ?)", [full_name, birth_date])
    env.insert(
        "INSERT INTO companions (member_id, person_id, relation) VALUES (?, ?, ?)",
        [env.user_id, person_id, relation],
    )
    return {"person_id": person_id, "full_name": full_name, "age": _age_on(birth_date, _today(env))}


def remove_companion(env, *, person_id: int) -> dict:
    """Take somebody off the people the user may book for. What they were part of in the past stays."""
    [person] = _party(env, [person_id], _today(env))
    if person_id == env.user_id:
        raise env.Error("you are not your own companion")
    stay = env.one(
        """
        SELECT b.code FROM bookings b JOIN booking_guests g ON g.booking_id = b.id
        WHERE b.booked_by = ? AND g.person_id = ? AND b.status IN ('hold', 'confirmed', 'checked_in')
        """,
        [env.user_id, person_id],
    )
    if stay is not None:
        raise env.Error(f"{person['full_name']} is a guest of your booking {stay['code']}")
    tour = env.one(
        """
        SELECT t.title FROM tour_signups s JOIN tour_dates d ON d.id = s.tour_date_id JOIN tours t ON t.id = d.tour_id
        WHERE s.signed_up_by = ? AND s.person_id = ? AND s.status = 'signed_up' AND d.starts_at > ?
        """,
        [env.user_id, person_id, env.now],
    )
    if tour is not None:
        raise env.Error(f"{person['full_name']} is signed up for the tour {tour['title']}")
    env.execute("DELETE FROM companions WHERE member_id = ? AND person_id = ?", [env.user_id, person_id])
    return {"removed_person_id": person_id, "full_name": person["full_name"]}


def update_contact(
    env, *, email: str | None = None, phone: str | None = None, emergency_contact: str | None = None
) -> dict:
    """Change the user's e-mail address, telephone number or emergency contact. What is left out stays as it is."""
    if email is None and phone is None and emergency_contact is None:
        raise env.Error("say what to change: the e-mail address, the telephone number or the emergency contact")
    env.execute(
        """
        UPDATE people
        SET email = coalesce(:email, email), phone = coalesce(:phone, phone),
            emergency_contact = coalesce(:emergency_contact, emergency_contact)
        WHERE id = :me
        """,
        {"email": email, "phone": phone, "emergency_contact": emergency_contact, "me": env.user_id},
    )
    return env.one("SELECT email, phone, emergency_contact FROM people WHERE id = ?", [env.user_id])


def list_membership_plans(env, *, age: int | None = None) -> dict:
    """List the club's membership plans, or only those open to somebody of a certain age."""
    plans = env.query(
        """
        SELECT id AS plan_id, name, min_age, max_age, price_cents, rescue_cover FROM membership_plans
        WHERE :age IS NULL OR (min_age <= :age AND coalesce(max_age, :age) >= :age)
        ORDER BY min_age, price_cents
        """,
        {"age": age},
    )
    return {"plans": [plan | {"rescue_cover": bool(plan["rescue_cover"])} for plan in plans]}


def buy_membership(env, *, person_id: int, plan_id: int, starts_on: str) -> dict:
    """Make the user or a companion a member of the club for one year. The fee goes on the user's bill."""
    _refuse_the_past(env, starts_on)
    [person] = _party(env, [person_id], starts_on)
    plan = env.one("SELECT name, min_age, max_age, price_cents FROM membership_plans WHERE id = ?", [plan_id])
    if plan is None:
        raise env.Error(f"there is no membership plan {plan_id}")
    if person["age"] < plan["min_age"] or (plan["max_age"] is not None and person["age"] > plan["max_age"]):
        raise env.Error(f"{plan['name']} is not for somebody of {person['age']}, the age of {person['full_name']}")
    valid_until = _last_day_of_year_from(starts_on)
    running = env.one(
        "SELECT valid_until FROM memberships WHERE person_id = ? AND valid_from <= ? AND valid_until >= ?",
        [person_id, valid_until, starts_on],
    )
    if running is not None:
        raise env.Error(f"{person['full_name']} is already a member until {running['valid_until']}")
    membership_id = env.insert(
        "INSERT INTO memberships (person_id, plan_id, valid_from, valid_until) VALUES (?, ?, ?, ?)",
        [person_id, plan_id, starts_on, valid_until],
    )
    description = f"{plan['name']} membership of {person['full_name']} until {valid_until}"
    due_on = _day_after(_today(env), PAYMENT_DAYS)
    return {
        "membership_id": membership_id,
        "valid_until": valid_until,
        "charge_id": _add_charge(env, "membership", description, plan["price_cents"], due_on),
        "price_cents": plan["price_cents"],
        "due_on": due_on,
    }


# -- bookings ----------------------------------------------------------------------------------------------------------


def list_bookings(
    env,
    *,
    status: str | None = None,
    hut_id: int | None = None,
    first_day: str | None = None,
    last_day: str | None = None,
) -> dict:
    """List the user's bookings, by status, hut, or the days they fall on."""
    _refuse_backwards_period(env, first_day, last_day)
    bookings = env.query(
        """
        SELECT b.code AS booking_code, h.id AS hut_id, h.name AS hut, m.name AS room, b.check_in, b.check_out, b.status,
               (SELECT count(*) FROM booking_guests g WHERE g.booking_id = b.id) AS guests
        FROM bookings b JOIN rooms m ON m.id = b.room_id JOIN huts h ON h.id = m.hut_id
        WHERE b.booked_by = :me
          AND (:status IS NULL OR b.status = :status)
          AND (:hut_id IS NULL OR h.id = :hut_id)
          AND (:first_day IS NULL OR b.check_out >= :first_day)
          AND (:last_day IS NULL OR b.check_in <= :last_day)
        ORDER BY b.check_in, b.id
        """,
        {"me": env.user_id, "status": status, "hut_id": hut_id, "first_day": first_day, "last_day": last_day},
    )
    return {"bookings": bookings}


def get_booking(env, *, booking_code: str) -> dict:
    """Show one booking of the user with its guests, meals, rented gear, bill, and cancellation deadline."""
    booking = _my_booking(env, booking_code)
    guests = env.query(
        "SELECT p.id AS person_id, p.full_name, g.price_per_night_cents"
        " FROM booking_guests g JOIN people p ON p.id = g.person_id WHERE g.booking_id = ? ORDER BY p.id",
        [booking["id"]],
    )
    meals = env.query(
        "SELECT o.id AS meal_order_id, o.meal_id, m.name AS meal, m.course, o.served_on, o.portions, o.status"
        " FROM meal_orders o JOIN meals m ON m.id = o.meal_id WHERE o.booking_id = ? ORDER BY o.served_on, o.id",
        [booking["id"]],
    )
    rentals = env.query(
        "SELECT g.code AS rental_code, m.name AS gear, g.quantity, g.status, g.handed_out_at, g.returned_at"
        " FROM gear_rentals g JOIN gear_models m ON m.id = g.gear_model_id WHERE g.booking_id = ? ORDER BY g.id",
        [booking["id"]],
    )
    bill = env.one(
        """
        SELECT coalesce(sum(CASE WHEN status IN ('open', 'pending', 'paid') THEN amount_cents END), 0) AS total_cents,
               coalesce(sum(CASE WHEN status = 'open' THEN amount_cents END), 0) AS open_cents
        FROM charges WHERE booking_id = ?
        """,
        [booking["id"]],
    )
    kept = ("booking_code", "hut_id", "hut", "room_id", "room", "check_in", "check_out", "status", "created_at")
    return {
        **{key: booking[key] for key in kept},
        "hold_until": booking["hold_until"],
        "terms_accepted": booking["terms_accepted_at"] is not None,
        "cancelled_at": booking["cancelled_at"],
        "cancel_until": _cancel_until(booking),
        "guests": guests,
        "meals": meals,
        "rentals": rentals,
        **bill,
    }


def hold_bunks(env, *, room_id: int, check_in: str, nights: int, person_ids: list[int]) -> dict:
    """Hold bunks in a room for a day. The user accepts the hut's terms, then the booking can be confirmed."""
    _refuse_debtor(env)
    room = env.one(
        "SELECT id AS room_id, hut_id, name AS room, bunks, price_cents, member_price_cents, members_first"
        " FROM rooms WHERE id = ?",
        [room_id],
    )
    if room is None:
        raise env.Error(f"there is no room {room_id}")
    guests = _party(env, person_ids, check_in)
    check_out = _day_after(check_in, nights)
    _refuse_room(env, room, guests, check_in, check_out, 0)
    booking_code = env.new_id("BK")
    hold_until = _hours_before(env.now, -HOLD_HOURS)
    booking_id = env.insert(
        "INSERT INTO bookings (code, room_id, booked_by, check_in, check_out, status, created_at, hold_until)"
        " VALUES (?, ?, ?, ?, ?, 'hold', ?, ?)",
        [booking_code, room_id, env.user_id, check_in, check_out, env.now, hold_until],
    )
    total = 0
    for guest in guests:
        price = room["member_price_cents"] if guest["is_member"] else room["price_cents"]
        total += price * nights
        env.insert(
            "INSERT INTO booking_guests (booking_id, person_id, price_per_night_cents) VALUES (?, ?, ?)",
            [booking_id, guest["person_id"], price],
        )
    return {"booking_code": booking_code, "hold_until": hold_until, "check_out": check_out, "total_cents": total}


def accept_hut_terms(env, *, booking_code: str) -> dict:
    """Accept the terms of the hut for bunks on hold: quiet hours, cancellation deadline, house rules."""
    booking = _my_booking(env, booking_code)
    _refuse_expired_hold(env, booking)
    if booking["terms_accepted_at"] is not None:
        raise env.Error(f"the terms were accepted at {booking['terms_accepted_at']} already")
    env.execute("UPDATE bookings SET terms_accepted_at = ? WHERE id = ?", [env.now, booking["id"]])
    return {"booking_code": booking_code, "terms_accepted_at": env.now}


def confirm_booking(env, *, booking_code: str) -> dict:
    """Turn bunks on hold into a booking, once the user has accepted the terms. The lodging goes on the user's bill."""
    booking = _my_booking(env, booking_code)
    _refuse_expired_hold(env, booking)
    if booking["terms_accepted_at"] is None:
        raise env.Error(f"the terms of {booking['hut']} must be accepted by the user first")
    nights = _nights_between(booking["check_in"], booking["check_out"])
    row = env.one(
        "SELECT sum(price_per_night_cents) AS cents FROM booking_guests WHERE booking_id = ?",
        [booking["id"]],
    )
    env.execute("UPDATE bookings SET status = 'confirmed', hold_until = NULL WHERE id = ?", [booking["id"]])
    description = f"{_in_words(nights, 'night')} at {booking['hut']}, {booking_code}"
    total = row["cents"] * nights
    return {
        "booking_code": booking_code,
        "status": "confirmed",
        "charge_id": _add_charge(env, "lodging", description, total, booking["check_in"], booking_id=booking["id"]),
        "total_cents": total,
        "due_on": booking["check_in"],
        "cancel_until": _cancel_until(booking),
    }


def move_booking(env, *, booking_code: str, new_check_in: str) -> dict:
    """Move a booking to another day of arrival: same room, same guests, as many nights. Reserved gear moves along."""
    booking = _my_booking(env, booking_code)
    _refuse_after_deadline(env, booking)
    if new_check_in == booking["check_in"]:
        raise env.Error(f"booking {booking_code} begins on {new_check_in} already")
    meals = env.one(
        "SELECT count(*) AS orders FROM meal_orders WHERE booking_id = ? AND status = 'ordered'",
        [booking["id"]],
    )
    if meals["orders"]:
        raise env.Error(f"cancel the {_in_words(meals['orders'], 'meal order')} first: meals do not move along")
    check_out = _day_after(new_check_in, _nights_between(booking["check_in"], booking["check_out"]))
    guests = env.query("SELECT person_id FROM booking_guests WHERE booking_id = ?", [booking["id"]])
    party = _party(env, [guest["person_id"] for guest in guests], new_check_in)
    _refuse_room(env, booking, party, new_check_in, check_out, booking["id"])
    rentals = env.query(
        "SELECT g.gear_model_id, m.name, g.quantity FROM gear_rentals g JOIN gear_models m ON m.id = g.gear_model_id"
        " WHERE g.booking_id = ? AND g.status = 'reserved'",
        [booking["id"]],
    )
    for rental in rentals:
        free = _free_gear(env, booking["hut_id"], rental["gear_model_id"], new_check_in, check_out, booking["id"])
        if free < rental["quantity"]:
            raise env.Error(f"only {free} × {rental['name']} can be had from {new_check_in} to {check_out}")
    env.execute(
        "UPDATE bookings SET check_in = ?, check_out = ? WHERE id = ?",
        [new_check_in, check_out, booking["id"]],
    )
    env.execute(
        "UPDATE charges SET due_on = CASE kind WHEN 'gear' THEN ? ELSE ? END WHERE booking_id = ? AND status = 'open'",
        [check_out, new_check_in, booking["id"]],
    )
    return {"booking_code": booking_code, "check_in": new_check_in, "check_out": check_out}


def cancel_booking(env, *, booking_code: str) -> dict:
    """Cancel a booking with its meals and reserved gear. What was paid comes back, what was open is dropped."""
    booking = _my_booking(env, booking_code)
    _refuse_after_deadline(env, booking)
    charges = env.query(
        "SELECT id, status, amount_cents FROM charges WHERE booking_id = ? ORDER BY id", [booking["id"]]
    )
    money = _take_back(env, charges, f"booking {booking_code} cancelled")
    env.execute(
        "UPDATE bookings SET status = 'cancelled', hold_until = NULL, cancelled_at = ? WHERE id = ?",
        [env.now, booking["id"]],
    )
    env.execute(
        "UPDATE meal_orders SET status = 'cancelled' WHERE booking_id = ? AND status = 'ordered'",
        [booking["id"]],
    )
    env.execute(
        "UPDATE gear_rentals SET status = 'cancelled' WHERE booking_id = ? AND status = 'reserved'",
        [booking["id"]],
    )
    return {"booking_code": booking_code, "status": "cancelled", **money}


def check_in_at_hut(env, *, booking_code: str) -> dict:
    """Check in at the hut, on any day of the stay."""
    booking = _my_booking(env, booking_code)
    _refuse_unless(env, booking, "confirmed")
    if not booking["check_in"] <= _today(env) < booking["check_out"]:
        raise env.Error(f"the stay lasts from {booking['check_in']} to {booking['check_out']}; today is {_today(env)}")
    env.execute("UPDATE bookings SET status = 'checked_in' WHERE id = ?", [booking["id"]])
    return {"booking_code": booking_code, "status": "checked_in", "room": booking["room"]}


def check_out_of_hut(env, *, booking_code: str) -> dict:
    """Leave the hut: everything on the bill is paid, rented gear is handed back, and deposits are on their way back."""
    booking = _my_booking(env, booking_code)
    _refuse_unless(env, booking, "checked_in")
    owed = env.one(
        "SELECT count(*) AS charges, sum(amount_cents) AS cents FROM charges"
        " WHERE booking_id = ? AND status IN ('open', 'pending')",
        [booking["id"]],
    )
    if owed["charges"]:
        raise env.Error(f"{_euros(owed['cents'])} of this stay are not paid yet")
    env.execute("UPDATE bookings SET status = 'completed' WHERE id = ?", [booking["id"]])
    unused = env.query(
        """
        SELECT c.id, c.status, c.amount_cents FROM charges c JOIN gear_rentals g ON g.id = c.gear_rental_id
        WHERE g.booking_id = ? AND (c.kind = 'deposit' OR g.status = 'reserved')
        ORDER BY c.id
        """,
        [booking["id"]],
    )
    money = _take_back(env, unused, f"gear of booking {booking_code} handed back")
    returned = env.execute(
        "UPDATE gear_rentals SET status = 'returned', returned_at = ? WHERE booking_id = ? AND status = 'handed_out'",
        [env.now, booking["id"]],
    )
    env.execute(
        "UPDATE gear_rentals SET status = 'cancelled' WHERE booking_id = ? AND status = 'reserved'",
        [booking["id"]],
    )
    return {
        "booking_code": booking_code,
        "status": "completed",
        "rentals_returned": returned,
        "refunded_cents": money["refunded_cents"],
    }


# -- meals -------------------------------------------------------------------------------------------------------------


def list_meals(env, *, hut_id: int, course: str | None = None, suits: str | None = None) -> dict:
    """List what a hut's kitchen serves. Vegans are served vegan meals, vegetarians vegan and vegetarian ones."""
    hut = _hut(env, hut_id)
    meals = env.query(
        """
        SELECT id AS meal_id, name, course, diet, price_cents FROM meals
        WHERE hut_id = :hut_id
          AND (:course IS NULL OR course = :course)
          AND (:suits IS NULL OR :suits = 'omnivore' OR diet = 'vegan' OR diet = :suits)
        ORDER BY course, price_cents, id
        """,
        {"hut_id": hut_id, "course": course, "suits": suits},
    )
    return {"hut": hut["name"], "meals": meals}


def order_meal(env, *, booking_code: str, meal_id: int, served_on: str, portions: int) -> dict:
    """Order a meal for a day of a confirmed stay. It goes on the user's bill."""
    booking = _my_booking(env, booking_code)
    _refuse_unless(env, booking, "confirmed", "checked_in")
    meal = env.one(
        "SELECT name, course, price_cents FROM meals WHERE id = ? AND hut_id = ?",
        [meal_id, booking["hut_id"]],
    )
    if meal is None:
        raise env.Error(f"{booking['hut']} serves no meal {meal_id}")
    _refuse_the_past(env, served_on)
    evening = meal["course"] == "dinner"
    first_day = booking["check_in"] if evening else _day_after(booking["check_in"], 1)
    last_day = _day_after(booking["check_out"], -1) if evening else booking["check_out"]
    if not first_day <= served_on <= last_day:
        raise env.Error(f"a {meal['course']} of this stay can be served from {first_day} to {last_day}")
    guests = env.one("SELECT count(*) AS n FROM booking_guests WHERE booking_id = ?", [booking["id"]])
    if portions > guests["n"]:
        raise env.Error(f"{_in_words(portions, 'portion')} are too many for {_in_words(guests['n'], 'guest')}")
    meal_order_id = env.insert(
        "INSERT INTO meal_orders (booking_id, meal_id, served_on, portions, status) VALUES (?, ?, ?, ?, 'ordered')",
        [booking["id"], meal_id, served_on, portions],
    )
    amount = portions * meal["price_cents"]
    return {
        "meal_order_id": meal_order_id,
        "charge_id": _add_charge(
            env,
            "meal",
            f"{portions} × {meal['name']} on {served_on}, {booking_code}",
            amount,
            booking["check_out"],
            booking_id=booking["id"],
            meal_order_id=meal_order_id,
        ),
        "amount_cents": amount,
    }


def cancel_meal_order(env, *, meal_order_id: int) -> dict:
    """Cancel a meal at the latest on the day before it is served."""
    order = env.one(
        """
        SELECT o.status, o.served_on, m.name FROM meal_orders o
        JOIN meals m ON m.id = o.meal_id JOIN bookings b ON b.id = o.booking_id
        WHERE o.id = ? AND b.booked_by = ?
        """,
        [meal_order_id, env.user_id],
    )
    if order is None:
        raise env.Error(f"you have no meal order {meal_order_id}")
    if order["status"] == "cancelled":
        raise env.Error(f"meal order {meal_order_id} is cancelled already")
    if order["served_on"] <= _today(env):
        raise env.Error(f"{order['name']} could be cancelled until the day before {order['served_on']}")
    charges = env.query(
        "SELECT id, status, amount_cents FROM charges WHERE meal_order_id = ? ORDER BY id", [meal_order_id]
    )
    money = _take_back(env, charges, f"{order['name']} on {order['served_on']} cancelled")
    env.execute("UPDATE meal_orders SET status = 'cancelled' WHERE id = ?", [meal_order_id])
    return {"meal_order_id": meal_order_id, "status": "cancelled", **money}


# -- guided tours ------------------------------------------------------------------------------------------------------


def search_tours(
    env,
    *,
    first_day: str,
    last_day: str,
    region: str | None = None,
    hut_id: int | None = None,
    max_difficulty: str | None = None,
    language: str | None = None,
    max_price_cents: int | None = None,
    min_free_places: int = 1,
    sort_by: str = "date",
) -> dict:
    """Search the dates of guided tours that take place, are still to come and have free places."""
    _refuse_backwards_period(env, first_day, last_day)
    _refuse_unknown_region(env, region)
    dates = env.query(
        """
        SELECT d.id AS tour_date_id, t.title, h.name AS hut, r.name AS region, d.starts_at, t.hours, t.difficulty,
               t.min_age, t.price_cents, g.full_name AS guide,
               d.places - (
                   SELECT count(*) FROM tour_signups s WHERE s.tour_date_id = d.id AND s.status = 'signed_up'
               ) AS free_places
        FROM tour_dates d
        JOIN tours t ON t.id = d.tour_id
        JOIN guides g ON g.id = d.guide_id
        JOIN huts h ON h.id = t.hut_id
        JOIN regions r ON r.id = h.region_id
        WHERE d.status = 'scheduled' AND d.starts_at > :now
          AND substr(d.starts_at, 1, 10) BETWEEN :first_day AND :last_day
          AND (:region IS NULL OR r.name = :region)
          AND (:hut_id IS NULL OR h.id = :hut_id)
          AND (:max_difficulty IS NULL OR t.difficulty = 'easy' OR t.difficulty = :max_difficulty
               OR :max_difficulty = 'difficult')
          AND (:language IS NULL OR EXISTS (
                  SELECT 1 FROM guide_languages l WHERE l.guide_id = g.id AND l.language = :language
              ))
          AND (:max_price_cents IS NULL OR t.price_cents <= :max_price_cents)
          AND d.places - (
                  SELECT count(*) FROM tour_signups s WHERE s.tour_date_id = d.id AND s.status = 'signed_up'
              ) >= :min_free_places
        ORDER BY CASE :sort_by WHEN 'price' THEN t.price_cents END, d.starts_at, d.id
        """,
        {
            "now": env.now,
            "first_day": first_day,
            "last_day": last_day,
            "region": region,
            "hut_id": hut_id,
            "max_difficulty": max_difficulty,
            "language": language,
            "max_price_cents": max_price_cents,
            "min_free_places": min_free_places,
            "sort_by": sort_by,
        },
    )
    return {"tour_dates": dates}


def _tour_date(env, tour_date_id: int) -> dict:
    date = env.one(
        """
        SELECT d.id AS tour_date_id, t.title, h.name AS hut, d.starts_at, d.status, t.hours, t.difficulty, t.min_age,
               t.price_cents, d.guide_id, g.full_name AS guide, d.places,
               d.places - (
                   SELECT count(*) FROM tour_signups s WHERE s.tour_date_id = d.id AND s.status = 'signed_up'
               ) AS free_places
        FROM tour_dates d JOIN tours t ON t.id = d.tour_id JOIN guides g ON g.id = d.guide_id
        JOIN huts h ON h.id = t.hut_id
        WHERE d.id = ?
        """,
        [tour_date_id],
    )
    if date is None:
        raise env.Error(f"there is no tour date {tour_date_id}")
    return date


def get_tour_date(env, *, tour_date_id: int) -> dict:
    """Show one date of a guided tour: guide and languages, meeting point, lowest age, free places."""
    date = _tour_date(env, tour_date_id)
    languages = env.query(
        "SELECT language FROM guide_languages WHERE guide_id = ? ORDER BY language",
        [date.pop("guide_id")],
    )
    return {**date, "languages": [row["language"] for row in languages]}


def _guardian_of(env, person: dict, party: list, tour_date_id: int, day: str) -> int | None:
    """Find the adult who looks after a minor on the tour; an adult needs none."""
    if person["age"] >= ADULT_AGE:
        return None
    adults = [other["person_id"] for other in party if other["age"] >= ADULT_AGE]
    signed_up = env.query(
        """
        SELECT p.id, p.birth_date FROM tour_signups s JOIN people p ON p.id = s.person_id
        WHERE s.tour_date_id = ? AND s.signed_up_by = ? AND s.status = 'signed_up' ORDER BY p.id
        """,
        [tour_date_id, env.user_id],
    )
    adults += [row["id"] for row in signed_up if _age_on(row["birth_date"], day) >= ADULT_AGE]
    if not adults:
        raise env.Error(
            f"{person['full_name']} is {person['age']}: anybody under {ADULT_AGE} takes part only together with "
            "an adult of your party who is signed up for the same date"
        )
    return adults[0]


def sign_up_for_tour(env, *, tour_date_id: int, person_ids: list[int]) -> dict:
    """Sign up the user or companions for a date of a guided tour. Each place goes on the user's bill."""
    _refuse_debtor(env)
    date = _tour_date(env, tour_date_id)
    day = date["starts_at"][:10]
    if date["status"] == "cancelled" or date["starts_at"] <= env.now:
        raise env.Error(f"{date['title']} on {day} has been cancelled or is over")
    party = _party(env, person_ids, day)
    if date["free_places"] < len(party):
        raise env.Error(f"{date['title']} on {day} has {_in_words(date['free_places'], 'free place')}")
    signups = []
    for person in party:
        if person["age"] < date["min_age"]:
            raise env.Error(f"{date['title']} is for people from {date['min_age']}; {person['full_name']} is younger")
        guardian_id = _guardian_of(env, person, party, tour_date_id, day)
        known = env.one(
            "SELECT id FROM tour_signups WHERE tour_date_id = ? AND person_id = ? AND status = 'signed_up'",
            [tour_date_id, person["person_id"]],
        )
        if known is not None:
            raise env.Error(f"{person['full_name']} is signed up already")
        signup_id = env.insert(
            "INSERT INTO tour_signups (tour_date_id, person_id, signed_up_by, guardian_id, status)"
            " VALUES (?, ?, ?, ?, 'signed_up')",
            [tour_date_id, person["person_id"], env.user_id, guardian_id],
        )
        description = f"{date['title']} on {day}, {person['full_name']}"
        charge_id = _add_charge(env, "tour", description, date["price_cents"], day, tour_signup_id=signup_id)
        signups.append({"tour_signup_id": signup_id, "person_id": person["person_id"], "charge_id": charge_id})
    return {"signups": signups, "total_cents": len(signups) * date["price_cents"]}


def list_my_tours(env, *, status: str | None = None) -> dict:
    """List the places on guided tours that the user has taken, for all companions."""
    signups = env.query(
        """
        SELECT s.id AS tour_signup_id, s.tour_date_id, t.title, h.name AS hut, d.starts_at, p.id AS person_id,
               p.full_name, s.guardian_id, s.status
        FROM tour_signups s
        JOIN tour_dates d ON d.id = s.tour_date_id
        JOIN tours t ON t.id = d.tour_id
        JOIN huts h ON h.id = t.hut_id
        JOIN people p ON p.id = s.person_id
        WHERE s.signed_up_by = :me AND (:status IS NULL OR s.status = :status)
        ORDER BY d.starts_at, s.id
        """,
        {"me": env.user_id, "status": status},
    )
    return {"signups": signups}


def cancel_tour_signup(env, *, tour_signup_id: int) -> dict:
    """Give a place on a guided tour back, until a day before it starts. A minor's place goes before the guardian's."""
    signup = env.one(
        """
        SELECT s.tour_date_id, s.person_id, s.status, d.starts_at, t.title
        FROM tour_signups s JOIN tour_dates d ON d.id = s.tour_date_id JOIN tours t ON t.id = d.tour_id
        WHERE s.id = ? AND s.signed_up_by = ?
        """,
        [tour_signup_id, env.user_id],
    )
    if signup is None:
        raise env.Error(f"you have taken no tour place {tour_signup_id}")
    if signup["status"] == "cancelled":
        raise env.Error(f"tour place {tour_signup_id} is cancelled already")
    deadline = _hours_before(signup["starts_at"], TOUR_CANCELLATION_HOURS)
    if env.now > deadline:
        raise env.Error(f"a place on {signup['title']} could be given back until {deadline}")
    ward = env.one(
        """
        SELECT p.full_name FROM tour_signups s JOIN people p ON p.id = s.person_id
        WHERE s.tour_date_id = ? AND s.guardian_id = ? AND s.status = 'signed_up'
        """,
        [signup["tour_date_id"], signup["person_id"]],
    )
    if ward is not None:
        raise env.Error(f"{ward['full_name']} would be left without a guardian; cancel that place first")
    charges = env.query(
        "SELECT id, status, amount_cents FROM charges WHERE tour_signup_id = ? ORDER BY id", [tour_signup_id]
    )
    money = _take_back(env, charges, f"{signup['title']} on {signup['starts_at'][:10]} cancelled")
    env.execute("UPDATE tour_signups SET status = 'cancelled' WHERE id = ?", [tour_signup_id])
    return {"tour_signup_id": tour_signup_id, "status": "cancelled", **money}


# -- gear --------------------------------------------------------------------------------------------------------------


def list_gear(env, *, hut_id: int, check_in: str, nights: int, kind: str | None = None) -> dict:
    """List the gear a hut rents out, with what is left for a stay."""
    hut = _hut(env, hut_id)
    check_out = _day_after(check_in, nights)
    models = env.query(
        """
        SELECT m.id AS gear_model_id, m.name, m.kind, m.price_per_night_cents, m.deposit_cents
        FROM gear_stock s JOIN gear_models m ON m.id = s.gear_model_id
        WHERE s.hut_id = :hut_id AND (:kind IS NULL OR m.kind = :kind)
        ORDER BY m.kind, m.price_per_night_cents
        """,
        {"hut_id": hut_id, "kind": kind},
    )
    for model in models:
        model["available"] = _free_gear(env, hut_id, model["gear_model_id"], check_in, check_out, 0)
    return {"hut": hut["name"], "gear": models}


def reserve_gear(env, *, booking_code: str, gear_model_id: int, quantity: int) -> dict:
    """Reserve gear for the nights of a confirmed stay. Rent and deposit go on the user's bill as two charges."""
    booking = _my_booking(env, booking_code)
    _refuse_unless(env, booking, "confirmed", "checked_in")
    model = env.one(
        "SELECT name, price_per_night_cents, deposit_cents FROM gear_models WHERE id = ?",
        [gear_model_id],
    )
    if model is None:
        raise env.Error(f"there is no gear model {gear_model_id}")
    free = _free_gear(env, booking["hut_id"], gear_model_id, booking["check_in"], booking["check_out"], 0)
    if free < quantity:
        raise env.Error(f"{booking['hut']} has {free} × {model['name']} left for this stay")
    rental_code = env.new_id("GR")
    rental_id = env.insert(
        "INSERT INTO gear_rentals (code, booking_id, gear_model_id, quantity, status) VALUES (?, ?, ?, ?, 'reserved')",
        [rental_code, booking["id"], gear_model_id, quantity],
    )
    nights = _nights_between(booking["check_in"], booking["check_out"])
    origin = {"booking_id": booking["id"], "gear_rental_id": rental_id}
    gear = f"{quantity} × {model['name']}"
    rent_cents = quantity * nights * model["price_per_night_cents"]
    deposit_cents = quantity * model["deposit_cents"]
    rent = f"Rent of {gear} for {_in_words(nights, 'night')}, {rental_code}"
    return {
        "rental_code": rental_code,
        "rent_charge_id": _add_charge(env, "gear", rent, rent_cents, booking["check_out"], **origin),
        "rent_cents": rent_cents,
        "deposit_charge_id": _add_charge(
            env, "deposit", f"Deposit for {gear}, {rental_code}", deposit_cents, booking["check_in"], **origin
        ),
        "deposit_cents": deposit_cents,
    }


def sign_gear_handover(env, *, rental_code: str) -> dict:
    """Sign for reserved gear at the hut's counter and take it."""
    rental = env.one(
        """
        SELECT g.id, g.status, b.status AS booking_status FROM gear_rentals g JOIN bookings b ON b.id = g.booking_id
        WHERE g.code = ? AND b.booked_by = ?
        """,
        [rental_code, env.user_id],
    )
    if rental is None:
        raise env.Error(f"you have no gear rental {rental_code}")
    if rental["status"] != "reserved":
        raise env.Error(f"the gear of rental {rental_code} is {rental['status']}")
    if rental["booking_status"] != "checked_in":
        raise env.Error("gear is handed out after check-in")
    deposit = env.one(
        "SELECT status, amount_cents FROM charges WHERE gear_rental_id = ? AND kind = 'deposit'",
        [rental["id"]],
    )
    if deposit["status"] != "paid":
        raise env.Error(f"the deposit of {_euros(deposit['amount_cents'])} must be paid before gear is handed out")
    env.execute(
        "UPDATE gear_rentals SET status = 'handed_out', handed_out_at = ? WHERE id = ?",
        [env.now, rental["id"]],
    )
    return {"rental_code": rental_code, "status": "handed_out"}


# -- money -------------------------------------------------------------------------------------------------------------


def list_charges(
    env,
    *,
    status: str | None = None,
    kind: str | None = None,
    booking_code: str | None = None,
    overdue_only: bool = False,
) -> dict:
    """List what the user was charged, with the sum: by status, kind or booking, or only what is overdue."""
    if booking_code is not None:
        _my_booking(env, booking_code)
    charges = env.query(
        """
        SELECT c.id AS charge_id, c.kind, c.description, c.amount_cents, c.due_on, c.status, b.code AS booking_code,
               p.code AS payment_code
        FROM charges c LEFT JOIN bookings b ON b.id = c.booking_id LEFT JOIN payments p ON p.id = c.payment_id
        WHERE c.person_id = :me
          AND (:status IS NULL OR c.status = :status)
          AND (:kind IS NULL OR c.kind = :kind)
          AND (:booking_code IS NULL OR b.code = :booking_code)
          AND (:overdue_only = 0 OR (c.status = 'open' AND c.due_on < :today))
        ORDER BY c.due_on, c.id
        """,
        {
            "me": env.user_id,
            "status": status,
            "kind": kind,
            "booking_code": booking_code,
            "overdue_only": int(overdue_only),
            "today": _today(env),
        },
    )
    return {"charges": charges, "total_cents": sum(charge["amount_cents"] for charge in charges)}


def list_payment_methods(env) -> dict:
    """List the cards and bank accounts the user can pay with."""
    methods = env.query(
        "SELECT id AS payment_method_id, kind, label, valid_until FROM payment_methods WHERE person_id = ? ORDER BY id",
        [env.user_id],
    )
    for method in methods:
        method["expired"] = method["valid_until"] is not None and method["valid_until"] < _today(env)
    return {"payment_methods": methods}


def pay_charges(env, *, charge_ids: list[int], payment_method_id: int) -> dict:
    """Start one payment for several open charges. It takes effect when the user confirms it."""
    method = env.one(
        "SELECT label, valid_until FROM payment_methods WHERE id = ? AND person_id = ?",
        [payment_method_id, env.user_id],
    )
    if method is None:
        raise env.Error(f"you have no payment method {payment_method_id}")
    if method["valid_until"] is not None and method["valid_until"] < _today(env):
        raise env.Error(f"{method['label']} expired on {method['valid_until']}")
    charges = env.query(
        """
        SELECT id, status, amount_cents FROM charges
        WHERE person_id = :me AND id IN (SELECT value FROM json_each(:charge_ids)) ORDER BY id
        """,
        {"me": env.user_id, "charge_ids": json.dumps(charge_ids)},
    )
    unknown = sorted(set(charge_ids) - {charge["id"] for charge in charges})
    if unknown:
        raise env.Error(f"you have no charge {unknown[0]}")
    settled = [charge for charge in charges if charge["status"] != "open"]
    if settled:
        raise env.Error(f"charge {settled[0]['id']} is {settled[0]['status']}, not open")
    payment_code = env.new_id("PAY")
    amount = sum(charge["amount_cents"] for charge in charges)
    payment_id = env.insert(
        "INSERT INTO payments (code, person_id, payment_method_id, amount_cents, status)"
        " VALUES (?, ?, ?, ?, 'pending')",
        [payment_code, env.user_id, payment_method_id, amount],
    )
    env.execute(
        "UPDATE charges SET status = 'pending', payment_id = :payment_id"
        " WHERE person_id = :me AND id IN (SELECT value FROM json_each(:charge_ids))",
        {"payment_id": payment_id, "me": env.user_id, "charge_ids": json.dumps(charge_ids)},
    )
    return {"payment_code": payment_code, "status": "pending", "amount_cents": amount}


def confirm_payment(env, *, payment_code: str) -> dict:
    """Confirm a payment that was started, as with a banking app."""
    payment = env.one(
        "SELECT id, amount_cents, status FROM payments WHERE code = ? AND person_id = ?",
        [payment_code, env.user_id],
    )
    if payment is None:
        raise env.Error(f"you have no payment {payment_code}")
    if payment["status"] == "confirmed":
        raise env.Error(f"payment {payment_code} is confirmed already")
    env.execute(
        "UPDATE payments SET status = 'confirmed', confirmed_at = ? WHERE id = ?",
        [env.now, payment["id"]],
    )
    env.execute("UPDATE charges SET status = 'paid' WHERE payment_id = ?", [payment["id"]])
    return {"payment_code": payment_code, "status": "confirmed", "amount_cents": payment["amount_cents"]}


def list_payments(env, *, status: str | None = None, since: str | None = None) -> dict:
    """List the user's payments, pending ones first, then the newest: how and when they were paid."""
    payments = env.query(
        """
        SELECT p.code AS payment_code, m.label AS payment_method, p.amount_cents, p.status, p.confirmed_at
        FROM payments p JOIN payment_methods m ON m.id = p.payment_method_id
        WHERE p.person_id = :me
          AND (:status IS NULL OR p.status = :status)
          AND (:since IS NULL OR p.confirmed_at IS NULL OR substr(p.confirmed_at, 1, 10) >= :since)
        ORDER BY p.confirmed_at DESC NULLS FIRST, p.id DESC
        """,
        {"me": env.user_id, "status": status, "since": since},
    )
    return {"payments": payments}


def list_refunds(env, *, since: str | None = None) -> dict:
    """List what came back to the user, with the sum, from a certain day on."""
    refunds = env.query(
        """
        SELECT r.id AS refund_id, c.id AS charge_id, c.description, r.amount_cents, r.reason, r.status, r.created_at
        FROM refunds r JOIN charges c ON c.id = r.charge_id
        WHERE c.person_id = :me AND (:since IS NULL OR substr(r.created_at, 1, 10) >= :since)
        ORDER BY r.created_at, r.id
        """,
        {"me": env.user_id, "since": since},
    )
    return {"refunds": refunds, "total_cents": sum(refund["amount_cents"] for refund in refunds)}


def summarize_spending(env, *, first_day: str, last_day: str) -> dict:
    """Add up what the user paid in a period, by kind, and what of it was refunded until now."""
    _refuse_backwards_period(env, first_day, last_day)
    kinds = env.query(
        """
        SELECT c.kind, sum(c.amount_cents) AS paid_cents, coalesce(sum(r.amount_cents), 0) AS refunded_cents
        FROM charges c JOIN payments p ON p.id = c.payment_id LEFT JOIN refunds r ON r.charge_id = c.id
        WHERE c.person_id = :me AND p.status = 'confirmed'
          AND substr(p.confirmed_at, 1, 10) BETWEEN :first_day AND :last_day
        GROUP BY c.kind
        ORDER BY c.kind
        """,
        {"me": env.user_id, "first_day": first_day, "last_day": last_day},
    )
    paid = sum(row["paid_cents"] for row in kinds)
    refunded = sum(row["refunded_cents"] for row in kinds)
    return {"kinds": kinds, "paid_cents": paid, "refunded_cents": refunded, "net_cents": paid - refunded}


# -- reviews, lost property, messages ----------------------------------------------------------------------------------


def list_reviews(env, *, hut_id: int, min_rating: int | None = None, sort_by: str = "newest") -> dict:
    """Read what guests wrote about a hut."""
    hut = _hut(env, hut_id)
    reviews = env.query(
        """
        SELECT v.rating, v.body, p.full_name AS author, substr(v.created_at, 1, 10) AS written_on
        FROM reviews v
        JOIN bookings b ON b.id = v.booking_id
        JOIN rooms m ON m.id = b.room_id
        JOIN people p ON p.id = b.booked_by
        WHERE m.hut_id = :hut_id AND (:min_rating IS NULL OR v.rating >= :min_rating)
        ORDER BY CASE :sort_by WHEN 'best' THEN -v.rating WHEN 'worst' THEN v.rating END, v.created_at DESC
        """,
        {"hut_id": hut_id, "min_rating": min_rating, "sort_by": sort_by},
    )
    return {"hut": hut["name"], "reviews": reviews}


def write_review(env, *, booking_code: str, rating: int, body: str) -> dict:
    """Review a hut after a completed stay, once for each stay."""
    booking = _my_booking(env, booking_code)
    _refuse_unless(env, booking, "completed")
    if env.one("SELECT id FROM reviews WHERE booking_id = ?", [booking["id"]]) is not None:
        raise env.Error(f"the stay {booking_code} has been reviewed already")
    review_id = env.insert(
        "INSERT INTO reviews (booking_id, rating, body, created_at) VALUES (?, ?, ?, ?)",
        [booking["id"], rating, body, env.now],
    )
    return {"review_id": review_id, "hut": booking["hut"], "rating": rating}


def search_lost_items(
    env,
    *,
    hut_id: int | None = None,
    category: str | None = None,
    found_since: str | None = None,
    words: str | None = None,
) -> dict:
    """Search the things left behind in the huts that nobody has picked up yet."""
    if hut_id is not None:
        _hut(env, hut_id)
    items = env.query(
        """
        SELECT i.id AS lost_item_id, h.id AS hut_id, h.name AS hut, i.category, i.description, i.found_on, i.status
        FROM lost_items i JOIN huts h ON h.id = i.hut_id
        WHERE i.status <> 'handed_over'
          AND (:hut_id IS NULL OR h.id = :hut_id)
          AND (:category IS NULL OR i.category = :category)
          AND (:found_since IS NULL OR i.found_on >= :found_since)
          AND (:words IS NULL OR i.description LIKE '%' || :words || '%')
        ORDER BY i.found_on DESC, i.id
        """,
        {"hut_id": hut_id, "category": category, "found_since": found_since, "words": words},
    )
    return {"items": items}


def claim_lost_item(env, *, lost_item_id: int, details: str, delivery: str) -> dict:
    """Claim something left behind, to be picked up at the hut or sent by post. Postage goes on the user's bill."""
    item = env.one(
        "SELECT i.description, i.status, h.name AS hut FROM lost_items i JOIN huts h ON h.id = i.hut_id WHERE i.id = ?",
        [lost_item_id],
    )
    if item is None:
        raise env.Error(f"there is no lost item {lost_item_id}")
    if item["status"] != "stored":
        raise env.Error(f"{item['description']!r} has been {item['status'].replace('_', ' ')} already")
    env.execute("UPDATE lost_items SET status = 'claimed' WHERE id = ?", [lost_item_id])
    claim_id = env.insert(
        "INSERT INTO lost_claims (lost_item_id, person_id, details, delivery, created_at) VALUES (?, ?, ?, ?, ?)",
        [lost_item_id, env.user_id, details, delivery, env.now],
    )
    if delivery == "post":
        due_on = _day_after(_today(env), PAYMENT_DAYS)
        _add_charge(env, "postage", f"Postage from {item['hut']}, claim {claim_id}", POSTAGE_CENTS, due_on)
    return {"claim_id": claim_id, "postage_cents": POSTAGE_CENTS if delivery == "post" else 0}


def list_lost_claims(env) -> dict:
    """List what the user has claimed from lost property, and whether it has been handed over."""
    claims = env.query(
        """
        SELECT c.id AS claim_id, i.id AS lost_item_id, i.description, h.name AS hut, c.details, c.delivery,
               c.created_at, i.status
        FROM lost_claims c JOIN lost_items i ON i.id = c.lost_item_id JOIN huts h ON h.id = i.hut_id
        WHERE c.person_id = ?
        ORDER BY c.created_at DESC, c.id DESC
        """,
        [env.user_id],
    )
    return {"claims": claims}


def send_message(env, *, hut_id: int, subject: str, body: str) -> dict:
    """Write to the warden of a hut in the user's name."""
    hut = _hut(env, hut_id)
    if hut["warden"] is None:
        raise env.Error(f"nobody looks after {hut['name']}")
    message_id = env.insert(
        "INSERT INTO warden_messages (hut_id, person_id, direction, subject, body, sent_at)"
        " VALUES (?, ?, 'to_warden', ?, ?, ?)",
        [hut_id, env.user_id, subject, body, env.now],
    )
    return {"message_id": message_id, "warden": hut["warden"]}


def list_messages(env, *, hut_id: int | None = None) -> dict:
    """List the user's messages to and from wardens, newest first, of one hut or of all."""
    if hut_id is not None:
        _hut(env, hut_id)
    messages = env.query(
        """
        SELECT m.id AS message_id, h.name AS hut, m.direction, m.subject, m.body, m.sent_at
        FROM warden_messages m JOIN huts h ON h.id = m.hut_id
        WHERE m.person_id = :me AND (:hut_id IS NULL OR m.hut_id = :hut_id)
        ORDER BY m.sent_at DESC, m.id DESC
        """,
        {"me": env.user_id, "hut_id": hut_id},
    )
    return {"messages": messages}

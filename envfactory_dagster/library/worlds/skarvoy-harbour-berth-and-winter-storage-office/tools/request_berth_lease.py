from datetime import date

REQUEST_BERTH_LEASE_MORE_LENGTH_CM = 50
REQUEST_BERTH_LEASE_MORE_WIDTH_CM = 40
REQUEST_BERTH_LEASE_MORE_DEPTH_CM = 30


def _request_berth_lease_day(env, text, what):
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise env.Error(f"the {what} must be a day such as 2026-05-01")


def _request_berth_lease_lease(env, berth_lease_id):
    return env.one(
        """
        SELECT l.id, l.boat_id, o.name AS boat_name, l.berth_id, b.code AS berth_code, l.first_day, l.last_day,
               l.price_cents, l.status, l.requested_at, l.ended_at
        FROM berth_leases l
        JOIN boats o ON o.id = l.boat_id
        JOIN berths b ON b.id = l.berth_id
        WHERE l.id = :berth_lease_id AND o.boat_owner_id = :boat_owner_id
        """,
        {"berth_lease_id": berth_lease_id, "boat_owner_id": env.user_id},
    )


def request_berth_lease(env, *, boat_id: int, berth_id: int, first_day: str, last_day: str) -> dict:
    """Requests a lease of a summer berth for one of the user's boats at its season price."""
    boat = env.one(
        """
        SELECT id, name, length_cm, beam_cm, draught_cm FROM boats
        WHERE id = :boat_id AND boat_owner_id = :boat_owner_id
        """,
        {"boat_id": boat_id, "boat_owner_id": env.user_id},
    )
    if boat is None:
        raise env.Error(f"you have no boat {boat_id}")
    berth = env.one(
        """
        SELECT id, code, kind, length_cm, width_cm, depth_cm, season_price_cents FROM berths
        WHERE id = :berth_id
        """,
        {"berth_id": berth_id},
    )
    if berth is None:
        raise env.Error(f"there is no berth {berth_id}")
    first_day = _request_berth_lease_day(env, first_day, "first day")
    last_day = _request_berth_lease_day(env, last_day, "last day")
    if last_day < first_day:
        raise env.Error("the last day cannot lie before the first day")
    if first_day < env.now[:10]:
        raise env.Error("the first day cannot lie in the past")
    if first_day[:4] != last_day[:4] or first_day[5:] < "05-01" or last_day[5:] > "10-31":
        raise env.Error("a lease must lie between 1 May and 31 October of one year")
    if berth["kind"] != "summer":
        raise env.Error(f"berth {berth['code']} is for guests only and cannot be leased")
    if berth["length_cm"] < boat["length_cm"] + REQUEST_BERTH_LEASE_MORE_LENGTH_CM:
        raise env.Error(
            f"berth {berth['code']} is {berth['length_cm']} cm long; {boat['name']} needs at least "
            f"{boat['length_cm'] + REQUEST_BERTH_LEASE_MORE_LENGTH_CM} cm"
        )
    if berth["width_cm"] < boat["beam_cm"] + REQUEST_BERTH_LEASE_MORE_WIDTH_CM:
        raise env.Error(
            f"berth {berth['code']} is {berth['width_cm']} cm wide; {boat['name']} needs at least "
            f"{boat['beam_cm'] + REQUEST_BERTH_LEASE_MORE_WIDTH_CM} cm"
        )
    if berth["depth_cm"] < boat["draught_cm"] + REQUEST_BERTH_LEASE_MORE_DEPTH_CM:
        raise env.Error(
            f"berth {berth['code']} is {berth['depth_cm']} cm deep; {boat['name']} needs at least "
            f"{boat['draught_cm'] + REQUEST_BERTH_LEASE_MORE_DEPTH_CM} cm"
        )
    leased = env.one(
        """
        SELECT id FROM berth_leases
        WHERE berth_id = :berth_id AND status IN ('requested', 'active')
          AND first_day <= :last_day AND last_day >= :first_day
        LIMIT 1
        """,
        {"berth_id": berth_id, "first_day": first_day, "last_day": last_day},
    )
    if leased is not None:
        raise env.Error(f"berth {berth['code']} is already leased on some of these days")
    booked = env.one(
        """
        SELECT id FROM guest_stays
        WHERE berth_id = :berth_id AND status = 'booked'
          AND first_day <= :last_day AND last_day > :first_day
        LIMIT 1
        """,
        {"berth_id": berth_id, "first_day": first_day, "last_day": last_day},
    )
    if booked is not None:
        raise env.Error(f"berth {berth['code']} is booked by guests on some of these days")
    other = env.one(
        """
        SELECT l.id, b.code FROM berth_leases l
        JOIN berths b ON b.id = l.berth_id
        WHERE l.boat_id = :boat_id AND l.status IN ('requested', 'active')
          AND l.first_day <= :last_day AND l.last_day >= :first_day
        ORDER BY l.first_day, l.id
        LIMIT 1
        """,
        {"boat_id": boat_id, "first_day": first_day, "last_day": last_day},
    )
    if other is not None:
        raise env.Error(f"{boat['name']} already has a lease of berth {other['code']} on some of these days")
    lease_id = env.insert(
        """
        INSERT INTO berth_leases (boat_id, berth_id, first_day, last_day, price_cents, status, requested_at, ended_at)
        VALUES (:boat_id, :berth_id, :first_day, :last_day, :price_cents, 'requested', :now, NULL)
        """,
        {
            "boat_id": boat_id,
            "berth_id": berth_id,
            "first_day": first_day,
            "last_day": last_day,
            "price_cents": berth["season_price_cents"],
            "now": env.now,
        },
    )
    return {"berth_lease": dict(_request_berth_lease_lease(env, lease_id))}

def _give_up_berth_lease_lease(env, berth_lease_id):
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


def give_up_berth_lease(env, *, berth_lease_id: int) -> dict:
    """Ends the user's own requested or active lease for good."""
    lease = _give_up_berth_lease_lease(env, berth_lease_id)
    if lease is None:
        raise env.Error(f"you have no berth lease {berth_lease_id}")
    if lease["status"] not in ("requested", "active"):
        raise env.Error(f"your lease {berth_lease_id} of berth {lease['berth_code']} has already ended")
    booked = env.one(
        """
        SELECT g.first_day, g.last_day FROM guest_stays g
        WHERE g.berth_id = :berth_id AND g.status = 'booked'
          AND g.first_day <= :last_day AND g.last_day > :first_day
        ORDER BY g.first_day, g.id
        LIMIT 1
        """,
        {"berth_id": lease["berth_id"], "first_day": lease["first_day"], "last_day": lease["last_day"]},
    )
    if booked is not None:
        raise env.Error(
            f"guests are booked in berth {lease['berth_code']} from {booked['first_day']} to {booked['last_day']}, "
            "so the lease cannot be given up"
        )
    env.execute(
        """
        UPDATE absence_notices SET status = 'withdrawn', withdrawn_at = :now
        WHERE berth_lease_id = :berth_lease_id AND status = 'open'
        """,
        {"now": env.now, "berth_lease_id": berth_lease_id},
    )
    env.execute(
        "UPDATE berth_leases SET status = 'ended', ended_at = :now WHERE id = :berth_lease_id",
        {"now": env.now, "berth_lease_id": berth_lease_id},
    )
    return {"berth_lease": dict(_give_up_berth_lease_lease(env, berth_lease_id))}

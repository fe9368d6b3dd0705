def list_removals(env, *, status: str = None, first_day: str = None, last_day: str = None, street: str = None) -> dict:
    """Lists the user's removals that meet every filter, earliest day first."""
    rows = env.query(
        """SELECT r.id AS removal_id, r.code, r.removal_day, r.status, r.volume_m3, r.price_cents,
                  f.street AS from_street, t.street AS to_street,
                  (SELECT count(*) FROM pianos p WHERE p.removal_id = r.id) AS pianos
           FROM removals r
           JOIN removal_addresses f ON f.removal_id = r.id AND f.stop = 'from'
           JOIN removal_addresses t ON t.removal_id = r.id AND t.stop = 'to'
           WHERE r.customer_id = :user
             AND (:status IS NULL OR r.status = :status)
             AND (:first_day IS NULL OR r.removal_day >= :first_day)
             AND (:last_day IS NULL OR r.removal_day <= :last_day)
           ORDER BY r.removal_day, r.id""",
        {"user": env.user_id, "status": status, "first_day": first_day, "last_day": last_day},
    )
    if street is not None:
        wanted = street.casefold()
        rows = [row for row in rows if wanted in row["from_street"].casefold() or wanted in row["to_street"].casefold()]
    return {"removals": rows}

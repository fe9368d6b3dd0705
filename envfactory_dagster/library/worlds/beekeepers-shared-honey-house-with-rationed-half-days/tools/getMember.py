def getMember(env, *, memberNo: str) -> dict:
    """Shows the user's membership with apiaries, quota and blocks."""
    m = env.one(
        "SELECT member_no, name, village, first_season, hygiene_certified_on FROM members WHERE id = ? AND member_no = ?",
        [env.user_id, memberNo],
    )
    if m is None:
        raise env.Error("the member number " + memberNo + " is not yours")
    today = env.now[:10]
    year = env.now[:4]
    apiaries = env.query(
        """SELECT a.register_no, a.place, a.lat, a.lon, a.migratory, h.counted_on, h.hives
           FROM apiaries a
           LEFT JOIN hive_counts h ON h.apiary_id = a.id
             AND h.counted_on = (SELECT MAX(x.counted_on) FROM hive_counts x
                                 WHERE x.apiary_id = a.id AND x.counted_on <= :today)
           WHERE a.member_id = :user
           ORDER BY a.id""",
        {"user": env.user_id, "today": today},
    )
    hives = sum(a["hives"] or 0 for a in apiaries)
    allowed = min(5, (hives + 11) // 12)
    used = env.one(
        """SELECT COUNT(*) AS n FROM bookings b JOIN half_days d ON d.id = b.half_day_id
           WHERE b.member_id = :user AND b.status NOT IN ('lapsed', 'cancelled')
             AND d.held_on >= :first AND d.held_on <= :last""",
        {"user": env.user_id, "first": year + "-05-20", "last": year + "-08-31"},
    )["n"]
    balance = env.one(
        "SELECT COALESCE(SUM(amount_cents), 0) AS n FROM ledger_entries WHERE member_id = ?",
        [env.user_id],
    )["n"]
    zoned = env.one(
        """SELECT COUNT(*) AS n FROM zone_apiaries z
           JOIN quarantine_zones q ON q.id = z.quarantine_zone_id
           JOIN apiaries a ON a.id = z.apiary_id
           WHERE q.status = 'active' AND a.member_id = ?""",
        [env.user_id],
    )["n"]
    blocks = []
    if balance < -4000:
        blocks.append("debt")
    if zoned:
        blocks.append("zoned")
    if m["hygiene_certified_on"] is None:
        blocks.append("no_certificate")
    return {
        "member_no": m["member_no"],
        "name": m["name"],
        "village": m["village"],
        "first_season": m["first_season"],
        "counted_hives": hives,
        "half_days_allowed": allowed,
        "half_days_used": used,
        "half_days_left": max(0, allowed - used),
        "balance_cents": balance,
        "blocks": blocks,
        "apiaries": [dict(a) for a in apiaries],
    }

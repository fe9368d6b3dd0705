def search_screenings(env, *, first_day: str | None = None, last_day: str | None = None, title_contains: str | None = None, hall_id: int | None = None,
                      carrier: str | None = None, kind: str | None = None, max_kijkwijzer_age: int | None = None, min_seats_left: int | None = None) -> dict:
    """Lists the coming screenings the user may see."""
    if hall_id is not None and env.one("SELECT id FROM halls WHERE id = ?", [hall_id]) is None:
        raise env.Error("There is no hall " + str(hall_id) + ".")
    if first_day is not None and last_day is not None and last_day < first_day:
        raise env.Error("The last day lies before the first.")
    rows = env.query(
        """
        SELECT s.id, c.title_id, t.name AS title_name, t.kijkwijzer_age, s.hall_id, h.name AS hall_name,
               c.carrier, c.subtitles, s.starts_at, s.kind, s.is_preview, s.sale_opens_at,
               MAX(0, h.seats - s.seats_held
               - (SELECT COUNT(*) FROM tickets k WHERE k.screening_id = s.id AND k.status <> 'returned')
               - (SELECT COALESCE(SUM(COALESCE(b.pupils_final, b.pupils_announced) + b.teachers), 0) FROM school_bookings b
                  WHERE b.screening_id = s.id AND (b.status = 'confirmed' OR (b.status = 'option' AND b.option_until >= :now)))
               - (SELECT COALESCE(SUM(w.seats_offered), 0) FROM waiting_list_entries w
                  WHERE w.screening_id = s.id AND w.status = 'offered' AND w.offer_lapses_at >= :now)) AS seats_left
        FROM screenings s JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id JOIN halls h ON h.id = s.hall_id
        WHERE s.status = 'scheduled' AND s.starts_at > :now
          AND (s.kind = 'public'
               OR (s.kind = 'club' AND (s.sale_opens_at <= :now OR EXISTS (SELECT 1 FROM clubs b WHERE b.id = s.club_id
                   AND (b.treasurer_account_id = :user OR b.second_contact_account_id = :user))))
               OR (s.kind = 'school' AND EXISTS (SELECT 1 FROM schools o WHERE o.contact_account_id = :user)))
          AND (:first_day IS NULL OR substr(s.starts_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(s.starts_at, 1, 10) <= :last_day)
          AND (:title_contains IS NULL OR instr(lower(t.name), lower(:title_contains)) > 0)
          AND (:hall_id IS NULL OR s.hall_id = :hall_id)
          AND (:carrier IS NULL OR c.carrier = :carrier)
          AND (:kind IS NULL OR s.kind = :kind)
          AND (:max_age IS NULL OR COALESCE(t.kijkwijzer_age, CASE s.kind WHEN 'club' THEN 16 ELSE 12 END) <= :max_age)
        ORDER BY s.starts_at, s.id
        """,
        {"now": env.now, "user": env.user_id, "first_day": first_day, "last_day": last_day, "title_contains": title_contains,
         "hall_id": hall_id, "carrier": carrier, "kind": kind, "max_age": max_kijkwijzer_age},
    )
    found = [{**r, "is_preview": bool(r["is_preview"])} for r in rows]
    if min_seats_left is not None:
        found = [r for r in found if r["seats_left"] >= min_seats_left]
    return {"screenings": found}

def _search_stations_row(env, station_id):
    row = env.one("SELECT * FROM stations WHERE id = ?", [station_id])
    if row is None:
        raise env.Error("there is no station with the id " + str(station_id))
    return row


def _list_station_blocks_show(env, station_block_id):
    row = env.one(
        """SELECT k.id AS station_block_id, k.station_id, s.code AS station_code, k.kind, k.reason,
                  k.starts_at, k.ends_at, k.status, k.lifted_at,
                  COALESCE(k.reported_by_member_id = :me, 0) AS reported_by_me
           FROM station_blocks k JOIN stations s ON s.id = k.station_id WHERE k.id = :id""",
        {"me": env.user_id, "id": station_block_id})
    row["reported_by_me"] = bool(row["reported_by_me"])
    return row


def report_unsafe_station(env, *, station_id: int, reason: str) -> dict:
    """Reports a station as unsafe, which blocks it at once."""
    station = _search_stations_row(env, station_id)
    if not reason.strip():
        raise env.Error("say what is wrong with the station")
    if env.one("""SELECT id FROM station_blocks WHERE station_id = ? AND kind = 'unsafe'
                  AND status = 'in_force'""", [station_id]) is not None:
        raise env.Error(station["code"] + " is already blocked as unsafe")
    block_id = env.insert(
        """INSERT INTO station_blocks (station_id, kind, reason, reported_by_member_id, starts_at, status)
           VALUES (?, 'unsafe', ?, ?, ?, 'in_force')""", [station_id, reason, env.user_id, env.now])
    return {"station_block": _list_station_blocks_show(env, block_id)}

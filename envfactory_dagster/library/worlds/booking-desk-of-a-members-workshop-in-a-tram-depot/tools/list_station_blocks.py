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


def list_station_blocks(env, *, station_id: int = None, status: str = None) -> dict:
    """Lists the blocks of stations, by start."""
    if station_id is not None:
        _search_stations_row(env, station_id)
    rows = env.query(
        """SELECT id FROM station_blocks WHERE (:station IS NULL OR station_id = :station)
             AND (:status IS NULL OR status = :status) ORDER BY starts_at, id""",
        {"station": station_id, "status": status})
    return {"station_blocks": [_list_station_blocks_show(env, row["id"]) for row in rows]}

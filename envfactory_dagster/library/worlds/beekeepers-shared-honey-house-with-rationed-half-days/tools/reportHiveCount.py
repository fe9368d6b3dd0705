def reportHiveCount(env, *, apiaryId: str, countedOn: str, hives: int) -> dict:
    """Records an official hive count of one of the user's apiaries."""
    a = env.one(
        "SELECT id, register_no FROM apiaries WHERE register_no = ? AND member_id = ?",
        [apiaryId, env.user_id],
    )
    if a is None:
        raise env.Error("you have no apiary " + apiaryId)
    if len(countedOn) != 10 or countedOn[4:] not in ("-04-15", "-10-31"):
        raise env.Error("official counts are those of 15 April and 31 October")
    if countedOn > env.now[:10]:
        raise env.Error("the count of " + countedOn + " is still to come")
    done = env.one(
        "SELECT id FROM hive_counts WHERE apiary_id = ? AND counted_on = ?",
        [a["id"], countedOn],
    )
    if done is not None:
        raise env.Error("the count of " + countedOn + " is already recorded for " + apiaryId)
    env.insert(
        "INSERT INTO hive_counts (apiary_id, counted_on, hives) VALUES (?, ?, ?)",
        [a["id"], countedOn, hives],
    )
    total = env.one(
        """SELECT COALESCE(SUM(h.hives), 0) AS n FROM apiaries a JOIN hive_counts h ON h.apiary_id = a.id
           WHERE a.member_id = :user
             AND h.counted_on = (SELECT MAX(x.counted_on) FROM hive_counts x
                                 WHERE x.apiary_id = a.id AND x.counted_on <= :today)""",
        {"user": env.user_id, "today": env.now[:10]},
    )["n"]
    return {"register_no": a["register_no"], "counted_on": countedOn, "hives": hives, "counted_hives": total}

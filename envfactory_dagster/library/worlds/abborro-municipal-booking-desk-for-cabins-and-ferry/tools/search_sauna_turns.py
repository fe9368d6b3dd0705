SEARCH_SAUNA_TURNS_STARTS = ("14:00:00", "16:00:00", "18:00:00", "20:00:00")

def _search_cabins_tariff(env):
    """The price list of the household: residents and summer residents pay the resident prices."""
    return env.one(
        "SELECT t.* FROM households h JOIN tariffs t"
        " ON t.name = CASE WHEN h.standing = 'ordinary' THEN 'ordinary' ELSE 'resident' END WHERE h.id = ?",
        [env.user_id])


def _search_cabins_check_island(env, island_id):
    """Refuses an island that does not exist."""
    if island_id is not None and env.one("SELECT id FROM islands WHERE id = ?", [island_id]) is None:
        raise env.Error(f"There is no island {island_id}.")


def search_sauna_turns(env, *, day: str, island_id: int = None) -> dict:
    """Lists the sauna turns that are still free on one day."""
    _search_cabins_check_island(env, island_id)
    saunas = env.query(
        "SELECT s.id, s.name, s.island_id FROM saunas s JOIN islands i ON i.id = s.island_id"
        " WHERE (:island IS NULL OR s.island_id = :island) AND i.opens_on <= :day AND i.closes_on >= :day"
        " ORDER BY s.id", {"island": island_id, "day": day})
    price = _search_cabins_tariff(env)["sauna_turn_cents"]
    turns = []
    for start in SEARCH_SAUNA_TURNS_STARTS:
        for sauna in saunas:
            starts_at = day + "T" + start
            if starts_at > env.now and env.one(
                    "SELECT id FROM sauna_turns WHERE sauna_id = ? AND starts_at = ? AND status = 'booked'",
                    [sauna["id"], starts_at]) is None:
                turns.append({"sauna_id": sauna["id"], "sauna_name": sauna["name"], "island_id": sauna["island_id"],
                              "starts_at": starts_at, "price_cents": price})
    return {"sauna_turns": turns}

SEARCH_SAUNA_TURNS_STARTS = ("14:00:00", "16:00:00", "18:00:00", "20:00:00")

def _book_sauna_turn_row(env, sauna_turn_id):
    """A sauna turn of the household as the tools show it."""
    row = env.one(
        "SELECT t.id AS sauna_turn_id, t.sauna_id, s.name AS sauna_name, s.island_id, t.stay_id, t.starts_at,"
        " t.price_cents, t.status, t.booked_at, t.moved_at, t.cancelled_at FROM sauna_turns t"
        " JOIN saunas s ON s.id = t.sauna_id WHERE t.id = ? AND t.household_id = ?", [sauna_turn_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no sauna turn {sauna_turn_id}.")
    return row


def _book_sauna_turn_check(env, sauna_id, starts_at):
    """Refuses a turn that cannot be had."""
    sauna = env.one("SELECT s.name, i.name AS island, i.opens_on, i.closes_on FROM saunas s"
                    " JOIN islands i ON i.id = s.island_id WHERE s.id = ?", [sauna_id])
    if sauna is None:
        raise env.Error(f"There is no sauna {sauna_id}.")
    if starts_at[11:] not in SEARCH_SAUNA_TURNS_STARTS:
        raise env.Error("Sauna turns start at 14:00, 16:00, 18:00 and 20:00.")
    if starts_at <= env.now:
        raise env.Error("That turn has begun already.")
    if not sauna["opens_on"] <= starts_at[:10] <= sauna["closes_on"]:
        raise env.Error(f"{sauna['island']} is open only from {sauna['opens_on']} to {sauna['closes_on']}.")
    if env.one("SELECT id FROM sauna_turns WHERE sauna_id = ? AND starts_at = ? AND status = 'booked'",
               [sauna_id, starts_at]) is not None:
        raise env.Error(f"{sauna['name']} is taken at that time.")


def move_sauna_turn(env, *, sauna_turn_id: int, sauna_id: int, starts_at: str) -> dict:
    """Moves a booked sauna turn to a free one, once only."""
    turn = _book_sauna_turn_row(env, sauna_turn_id)
    if turn["status"] != "booked":
        raise env.Error("That sauna turn is cancelled.")
    if turn["moved_at"] is not None:
        raise env.Error("That sauna turn has been moved once already.")
    if turn["starts_at"] <= env.now and env.one(
            "SELECT c.id FROM crossings c JOIN departures d ON d.id = c.departure_id WHERE c.household_id = ?"
            " AND c.island_id = ? AND c.status = 'booked' AND d.direction = 'out'"
            " AND d.status IN ('stayed', 'turned_back') AND substr(d.leaves_at, 1, 10) = ? ORDER BY c.id LIMIT 1",
            [env.user_id, turn["island_id"], turn["starts_at"][:10]]) is None:
        raise env.Error("That turn has begun, and no crossing of yours to the island stayed or turned back that day.")
    _book_sauna_turn_check(env, sauna_id, starts_at)
    env.execute("UPDATE sauna_turns SET sauna_id = ?, starts_at = ?, moved_at = ? WHERE id = ? AND household_id = ?",
                [sauna_id, starts_at, env.now, sauna_turn_id, env.user_id])
    return {"sauna_turn": _book_sauna_turn_row(env, sauna_turn_id)}

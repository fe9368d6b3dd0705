SEARCH_SAUNA_TURNS_STARTS = ("14:00:00", "16:00:00", "18:00:00", "20:00:00")

def _get_stay_row(env, stay_id):
    """A stay of the household as the tools show it."""
    row = env.one(
        "SELECT s.id AS stay_id, s.code, s.cabin_id, c.name AS cabin_name, c.island_id, s.arrives_on, s.leaves_on,"
        " s.adults, s.children, s.infants, s.own_boat, s.price_cents, s.status, s.booked_at, s.cancelled_at,"
        " s.cancelled_by, s.split_from_stay_id FROM stays s JOIN cabins c ON c.id = s.cabin_id"
        " WHERE s.id = ? AND s.household_id = ?", [stay_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no stay {stay_id}.")
    return row


def _get_stay_bill(env, stay_id):
    """What a stay costs with all that is billed with it, what has been paid for it, and the balance."""
    row = env.one(
        "SELECT s.status, s.price_cents"
        " + (SELECT COALESCE(SUM(c.price_cents), 0) FROM crossings c WHERE c.stay_id = s.id AND c.status = 'booked')"
        " + (SELECT COALESCE(SUM(d.price_cents), 0) FROM dogs d WHERE d.stay_id = s.id AND d.status = 'reported')"
        " + (SELECT COALESCE(SUM(t.price_cents), 0) FROM sauna_turns t WHERE t.stay_id = s.id AND t.status = 'booked')"
        " AS total, (SELECT COALESCE(SUM(CASE WHEN p.kind = 'refund' THEN -p.amount_cents ELSE p.amount_cents END), 0)"
        " FROM payments p WHERE p.stay_id = s.id) AS paid FROM stays s WHERE s.id = ? AND s.household_id = ?",
        [stay_id, env.user_id])
    over = row["status"] in ("cancelled", "lapsed")
    return row["total"], row["paid"], 0 if over else max(0, row["total"] - row["paid"])


def _search_cabins_tariff(env):
    """The price list of the household: residents and summer residents pay the resident prices."""
    return env.one(
        "SELECT t.* FROM households h JOIN tariffs t"
        " ON t.name = CASE WHEN h.standing = 'ordinary' THEN 'ordinary' ELSE 'resident' END WHERE h.id = ?",
        [env.user_id])


def _lengthen_stay_restate(env, stay_id):
    """Makes a stay paid or deposit_paid, as its balance has become, if it is one of the two."""
    balance = _get_stay_bill(env, stay_id)[2]
    env.execute("UPDATE stays SET status = ? WHERE id = ? AND status IN ('deposit_paid', 'paid')",
                ["deposit_paid" if balance > 0 else "paid", stay_id])


def _lengthen_stay_check_open(env, stay):
    """Refuses a stay that is over, cancelled or lapsed."""
    if stay["status"] not in ("held", "deposit_paid", "paid", "arrived") or stay["leaves_on"] < env.now[:10]:
        raise env.Error(f"Stay {stay['code']} is {stay['status']} or over, so nothing about it can change.")


def _book_crossing_stay(env, stay_id, island_id):
    """Refuses a stay with which nothing on an island can be billed."""
    stay = _get_stay_row(env, stay_id)
    _lengthen_stay_check_open(env, stay)
    if island_id is not None and stay["island_id"] != island_id:
        raise env.Error(f"Stay {stay['code']} is on another island.")


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


def book_sauna_turn(env, *, sauna_id: int, starts_at: str, stay_id: int = None) -> dict:
    """Books a free sauna turn, for a stay or alone."""
    _book_sauna_turn_check(env, sauna_id, starts_at)
    if stay_id is not None:
        _book_crossing_stay(env, stay_id, None)
    tariff = _search_cabins_tariff(env)
    turn_id = env.insert(
        "INSERT INTO sauna_turns (household_id, sauna_id, stay_id, tariff_id, starts_at, price_cents, status,"
        " booked_at, moved_at, cancelled_at) VALUES (?, ?, ?, ?, ?, ?, 'booked', ?, NULL, NULL)",
        [env.user_id, sauna_id, stay_id, tariff["id"], starts_at, tariff["sauna_turn_cents"], env.now])
    if stay_id is not None:
        _lengthen_stay_restate(env, stay_id)
    return {"sauna_turn": _book_sauna_turn_row(env, turn_id)}

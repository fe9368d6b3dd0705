import datetime

def request_electricity_connection(env, *, concession_id: int, electricity_tariff_id: int, load_kw: float, from_on: str) -> dict:
    """Asks for an electricity point under a concession of the user."""
    concession = env.one("SELECT c.id, c.pitch_id, c.ended_on, p.code FROM concessions c JOIN pitches p ON p.id = c.pitch_id WHERE c.id = ? AND c.trader_id = ?", [concession_id, env.user_id])
    if concession is None:
        raise env.Error(f"You have no concession {concession_id}.")
    tariff = env.one("SELECT id, name, max_kw FROM electricity_tariffs WHERE id = ?", [electricity_tariff_id])
    if tariff is None:
        raise env.Error(f"There is no kind of electricity point {electricity_tariff_id}.")
    try:
        datetime.date.fromisoformat(from_on)
    except ValueError:
        raise env.Error(f"{from_on} is not a day.")
    if concession["ended_on"] is not None:
        raise env.Error(f"Your concession for {concession['code']} has ended.")
    if env.one("SELECT pitch_id FROM pitch_electricity_tariffs WHERE pitch_id = ? AND electricity_tariff_id = ?", [concession["pitch_id"], electricity_tariff_id]) is None:
        raise env.Error(f"The point '{tariff['name']}' cannot be had at {concession['code']}.")
    if load_kw <= 0:
        raise env.Error("The load must be more than 0 kW.")
    if tariff["max_kw"] is not None and load_kw > tariff["max_kw"]:
        raise env.Error(f"The point '{tariff['name']}' carries at most {tariff['max_kw']:g} kW.")
    if from_on < env.now[:10]:
        raise env.Error("The first day lies before today.")
    if env.one("SELECT id FROM electricity_connections WHERE concession_id = ? AND from_on = ? AND status IN ('requested', 'connected')", [concession_id, from_on]) is not None:
        raise env.Error(f"A point under this concession is already asked for or connected from {from_on}.")
    new = env.insert(
        "INSERT INTO electricity_connections (concession_id, electricity_tariff_id, load_kw, from_on, status) VALUES (?, ?, ?, ?, 'requested')",
        [concession_id, electricity_tariff_id, float(load_kw), from_on])
    row = env.one("SELECT e.id, e.concession_id, e.electricity_tariff_id, e.load_kw, e.from_on, e.until_on, e.status, t.code AS tariff_code, t.price_cents_per_day "
        "FROM electricity_connections e JOIN electricity_tariffs t ON t.id = e.electricity_tariff_id WHERE e.id = ?", [new])
    return {"electricity_connection": row}

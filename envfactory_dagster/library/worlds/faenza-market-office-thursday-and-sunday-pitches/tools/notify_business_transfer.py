import datetime

NOTIFY_BUSINESS_TRANSFER_DAYS = 60

def _notify_business_transfer_day(env, text):
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise env.Error(f"{text} is not a day.")

def notify_business_transfer(env, *, concession_id: int, to_trader_id: int, kind: str, notary: str, deed_on: str, starts_on: str, ends_on: str = None) -> dict:
    """Notifies the office of the sale or lease of a holder's business for one concession."""
    concession = env.one("SELECT c.id, c.trader_id, c.ended_on, p.code FROM concessions c JOIN pitches p ON p.id = c.pitch_id WHERE c.id = ?", [concession_id])
    if concession is None:
        raise env.Error(f"There is no concession {concession_id}.")
    if env.one("SELECT id FROM traders WHERE id = ?", [to_trader_id]) is None:
        raise env.Error(f"There is no trader {to_trader_id}.")
    if env.user_id not in (concession["trader_id"], to_trader_id):
        raise env.Error("You are neither the holder of this concession nor the one who takes over.")
    if concession["trader_id"] == to_trader_id:
        raise env.Error("The one who takes over already holds this concession.")
    if concession["ended_on"] is not None:
        raise env.Error(f"The concession for {concession['code']} has ended.")
    by = notary.strip()
    if not by:
        raise env.Error("Name the notary.")
    today = _notify_business_transfer_day(env, env.now[:10])
    deed = _notify_business_transfer_day(env, deed_on)
    starts = _notify_business_transfer_day(env, starts_on)
    if deed > today:
        raise env.Error("The deed cannot be dated after today.")
    if (today - deed).days > NOTIFY_BUSINESS_TRANSFER_DAYS:
        raise env.Error(f"The deed is more than {NOTIFY_BUSINESS_TRANSFER_DAYS} days old.")
    if starts < deed:
        raise env.Error("The new management cannot start before the deed.")
    if kind == "lease":
        if ends_on is None:
            raise env.Error("A lease needs a last day.")
        if _notify_business_transfer_day(env, ends_on) <= starts:
            raise env.Error("The last day of the lease must lie after the first.")
    elif ends_on is not None:
        raise env.Error("A sale has no last day.")
    if env.one("SELECT id FROM business_transfers WHERE concession_id = ? AND deed_on = ? AND status <> 'rejected'", [concession_id, deed_on]) is not None:
        raise env.Error("This deed has already been notified for this concession.")
    new = env.insert(
        "INSERT INTO business_transfers (concession_id, from_trader_id, to_trader_id, kind, notary, deed_on, starts_on, ends_on, notified_on, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'notified')",
        [concession_id, concession["trader_id"], to_trader_id, kind, by, deed_on, starts_on, ends_on, env.now[:10]])
    row = env.one("SELECT b.id, b.concession_id, b.from_trader_id, b.to_trader_id, b.kind, b.notary, b.deed_on, b.starts_on, b.ends_on, b.notified_on, b.status, "
        "t.name AS from_trader_name, u.name AS to_trader_name FROM business_transfers b JOIN traders t ON t.id = b.from_trader_id JOIN traders u ON u.id = b.to_trader_id WHERE b.id = ?", [new])
    return {"business_transfer": row}

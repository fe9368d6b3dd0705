import datetime
import re


def _ticket_kept(ticket_no: str) -> str:
    return "RO-" + str(int(ticket_no[2:]))


def _ticket_shown(kept: str) -> str:
    return "RT" + f"{int(kept.split('-')[1]):05d}"


def _plus(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _months(day: str, months: int) -> str:
    """The same day so many months on, or the last of that month."""
    date = datetime.date.fromisoformat(day)
    total = date.year * 12 + date.month - 1 + months
    year, month = total // 12, total % 12 + 1
    first_after = datetime.date(year + month // 12, month % 12 + 1, 1)
    return datetime.date(year, month, min(date.day, (first_after - datetime.timedelta(days=1)).day)).isoformat()


def _ticket_status(reader: dict, day: str) -> str:
    if reader["ticket_status"] == "suspended":
        return "suspended"
    if reader["ticket_valid_until"] < day:
        return "expired"
    return "provisional" if reader["ticket_kind"] == "provisional" else "current"


def _reader(env, ticket_no: str) -> dict:
    row = env.one("SELECT * FROM readers WHERE ticket_no = ?", [_ticket_kept(ticket_no)])
    if row is None:
        raise env.Error(f"There is no reader with ticket {ticket_no}.")
    return row


def _desk_clerk(env) -> None:
    """Refuse what only a clerk of the desk may enter."""
    clerk = env.one("SELECT id, role FROM readers WHERE id = ?", [env.user_id])
    if clerk is None or clerk["role"] != "desk_clerk":
        raise env.Error("Only a clerk of the desk can enter this.")


def _owed(env, reader_id: int) -> int:
    return env.one("SELECT coalesce(sum(amount_cents), 0) AS cents FROM charges WHERE reader_id = ? AND paid_on IS NULL", [reader_id])["cents"]


def _clean_code(country: str, code) -> str:
    """An Eircode with its space, any other postcode as given."""
    if code and country == "IE" and re.match(r"^[A-Za-z0-9]{7}$", code):
        return code[:3].upper() + " " + code[3:].upper()
    return code


def renew_ticket(env, *, ticket_no: str, action: str, address_confirmed: bool, address_proof_seen: str = None, address_proof_date: str = None, new_address: dict = None) -> dict:
    """Renew a ticket, make a provisional one full, or replace a lost card."""
    _desk_clerk(env)
    reader, today = _reader(env, ticket_no), env.now[:10]
    owed = _owed(env, reader["id"])
    if reader["ticket_status"] == "suspended":
        raise env.Error(f"Ticket {ticket_no} is suspended.")
    if env.one("SELECT id FROM piece_requests WHERE reader_id = ? AND status = 'issued' AND substr(issued_at, 1, 10) < ? LIMIT 1", [reader["id"], today]):
        raise env.Error("A piece issued to this reader is overdue for return at the desk.")
    if owed > 2000:
        raise env.Error(f"The reader owes {owed} cents; nothing can be renewed while more than 2000 are owing.")
    if address_proof_seen and not address_proof_date:
        raise env.Error("Give the date on the proof of address.")
    if address_proof_date and not _months(today, -6) <= address_proof_date <= today:
        raise env.Error("The proof of address must be no more than 6 months old.")
    if not address_confirmed and not (new_address and address_proof_seen):
        raise env.Error("If the address on file is no longer right, give the new one with a proof of it.")
    if new_address and not address_proof_seen:
        raise env.Error("A changed address needs a new proof.")
    until, last = reader["ticket_valid_until"], _months(reader["ticket_valid_until"], 12)
    kind, issued, charged, replaced = reader["ticket_kind"], reader["ticket_issued_on"], 0, reader["card_replaced_on"]
    if action == "renew":
        if kind == "provisional":
            raise env.Error("A provisional ticket is not renewed; it can be made full once a proof of address is seen.")
        if today < _plus(until, -60):
            raise env.Error(f"The ticket runs until {until} and can be renewed from {_plus(until, -60)}.")
        if today > last:
            raise env.Error(f"The ticket expired on {until}, more than 12 months ago; the reader must register again.")
        until, issued = _months(max(until, today), 24), today
    elif action == "upgrade_provisional":
        if kind != "provisional":
            raise env.Error("This ticket is a full one already.")
        if not address_proof_seen:
            raise env.Error("A provisional ticket is made full only when a proof of address is seen.")
        if today > last:
            raise env.Error("The provisional ticket expired more than 12 months ago; the reader must register again.")
        kind, until, issued = "full", _months(today, 24), today
    else:
        if until < today:
            raise env.Error(f"The ticket expired on {until}; renew it first.")
        charged, replaced = 500, today
        env.insert("INSERT INTO charges (reader_id, kind, amount_cents, charged_on) VALUES (?, 'lost_card', ?, ?)", [reader["id"], charged, today])
    env.execute("UPDATE readers SET ticket_kind = ?, ticket_valid_until = ?, ticket_issued_on = ?, card_replaced_on = ?, address_confirmed_on = ?, address_proof_seen = coalesce(?, address_proof_seen), address_proof_date = coalesce(?, address_proof_date) WHERE id = ?", [kind, until, issued, replaced, today, address_proof_seen, address_proof_date if address_proof_seen else None, reader["id"]])
    if new_address:
        line = new_address["line1"] + (", " + new_address["line2"] if new_address.get("line2") else "")
        country = {"IE": "Ireland", "GB": "United Kingdom", "US": "United States"}.get(new_address["country"], new_address["country"])
        env.execute("UPDATE readers SET address_line = ?, town = ?, county = ?, country = ?, eircode = ? WHERE id = ?", [line, new_address["town"], new_address.get("county_or_region"), country, _clean_code(new_address["country"], new_address.get("eircode_or_postcode")), reader["id"]])
    fresh = env.one("SELECT * FROM readers WHERE id = ?", [reader["id"]])
    return {"ticket_no": _ticket_shown(fresh["ticket_no"]), "ticket_status": _ticket_status(fresh, today), "ticket_kind": fresh["ticket_kind"], "expires_on": fresh["ticket_valid_until"], "card_replaced_on": fresh["card_replaced_on"], "charged_cents": charged, "balance_cents": owed + charged}

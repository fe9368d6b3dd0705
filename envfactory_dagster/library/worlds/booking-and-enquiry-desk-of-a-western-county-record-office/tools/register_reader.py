import datetime
import re


ACCENTED = "áéíóúàèöüżł"
PLAIN = "aeiouaeouzl"
NAME_PREFIXES = ("o", "mac", "mc", "ni", "nic", "ui", "de")


def _fold(text: str) -> str:
    """Small letters without accents."""
    return text.lower().translate(str.maketrans(ACCENTED, PLAIN))


def _core(name: str) -> str:
    """A surname without its prefix, accents, spaces and signs."""
    words = [w for w in re.split(r"[^a-z]+", _fold(name)) if w]
    while len(words) > 1 and words[0] in NAME_PREFIXES:
        words = words[1:]
    return "".join(words)


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


def _age(born: str, day: str) -> int:
    return int(day[:4]) - int(born[:4]) - (1 if day[5:] < born[5:] else 0)


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


def _clean_code(country: str, code) -> str:
    """An Eircode with its space, any other postcode as given."""
    if code and country == "IE" and re.match(r"^[A-Za-z0-9]{7}$", code):
        return code[:3].upper() + " " + code[3:].upper()
    return code


def _register_reader_forms(env, surname: str) -> list:
    """The surname, and the other forms that readers of the same name are found under."""
    forms = [surname]
    rows = env.query("SELECT reader_id, form FROM surname_forms ORDER BY id", [])
    cousins = [r["reader_id"] for r in rows if _core(r["form"]) == _core(surname)]
    for row in rows:
        if row["reader_id"] in cousins and row["form"] not in forms:
            forms.append(row["form"])
    return forms


def register_reader(env, *, surname: str, forenames: str, date_of_birth: str, address: dict, identity_seen: str, address_proof_seen: str, rules_signed_on: str, telephone: str = None, email: str = None, address_proof_date: str = None, guarantor_letter_seen: bool = None, accompanying_ticket_no: str = None, preferred_language: str = "en", access_needs: str = None, confirmed_not_duplicate: bool = False) -> dict:
    """Register a reader and issue a ticket."""
    today = env.now[:10]
    if date_of_birth >= today:
        raise env.Error("The date of birth must lie in the past.")
    if not _plus(today, -14) <= rules_signed_on <= today:
        raise env.Error("The rules must have been signed today or in the last 14 days.")
    proof = address_proof_seen != "none"
    if proof and not address_proof_date:
        raise env.Error("Give the date on the proof of address.")
    if proof and not _months(today, -6) <= address_proof_date <= today:
        raise env.Error("The proof of address must be no more than 6 months old.")
    age, adult = _age(date_of_birth, today), None
    if accompanying_ticket_no:
        adult = _reader(env, accompanying_ticket_no)
        if _age(adult["date_of_birth"], today) < 18 or _ticket_status(adult, today) != "current":
            raise env.Error("The accompanying person must be an adult with a current ticket.")
    if age < 16 and adult is None:
        raise env.Error("A reader under 16 needs an accompanying adult with a current ticket.")
    if age in (16, 17) and not guarantor_letter_seen:
        raise env.Error("A reader of 16 or 17 needs a guarantor's letter.")
    forms, old = _register_reader_forms(env, surname), None
    same = env.query("SELECT DISTINCT r.* FROM readers r JOIN surname_forms f ON f.reader_id = r.id WHERE r.date_of_birth = ? ORDER BY r.id", [date_of_birth])
    for row in same:
        cores = [_core(f["form"]) for f in env.query("SELECT form FROM surname_forms WHERE reader_id = ? ORDER BY id", [row["id"]])] + [_core(row["surname"])]
        if _core(surname) not in cores:
            continue
        if _months(row["ticket_valid_until"], 12) < today and _fold(row["forenames"]) == _fold(forenames):
            if row["ticket_status"] == "suspended":
                raise env.Error(f"Ticket {_ticket_shown(row['ticket_no'])} of this reader is suspended.")
            old = row
        elif not confirmed_not_duplicate:
            raise env.Error(f"{row['forenames']} {row['surname']}, born on {date_of_birth}, is on file already with ticket {_ticket_shown(row['ticket_no'])}.")
    country = {"IE": "Ireland", "GB": "United Kingdom", "US": "United States"}.get(address["country"], address["country"])
    line = address["line1"] + (", " + address["line2"] if address.get("line2") else "")
    kind = "full" if proof else "provisional"
    until = _months(today, 24) if proof else _plus(today, 30)
    values = {"surname": surname, "forenames": forenames, "born": date_of_birth, "line": line, "town": address["town"], "county": address.get("county_or_region"), "country": country, "code": _clean_code(address["country"], address.get("eircode_or_postcode")), "telephone": telephone, "email": email, "identity": identity_seen, "proof": address_proof_seen, "proof_date": address_proof_date if proof else None, "guarantor": 1 if guarantor_letter_seen else 0, "adult": adult["id"] if adult else None, "rules": rules_signed_on, "language": preferred_language, "needs": access_needs, "kind": kind, "today": today, "until": until}
    if old:
        values["id"] = old["id"]
        env.execute("UPDATE readers SET surname = :surname, forenames = :forenames, address_line = :line, town = :town, county = :county, country = :country, eircode = :code, telephone = coalesce(:telephone, telephone), email = coalesce(:email, email), identity_seen = :identity, address_proof_seen = :proof, address_proof_date = :proof_date, guarantor_letter_seen = :guarantor, accompanying_reader_id = :adult, rules_signed_on = :rules, preferred_language = :language, access_needs = coalesce(:needs, access_needs), ticket_kind = :kind, ticket_issued_on = :today, ticket_valid_until = :until, address_confirmed_on = :today WHERE id = :id", values)
        number = old["ticket_no"]
    else:
        number = env.new_id("RO")
        values["number"] = number
        key = env.insert("INSERT INTO readers (ticket_no, role, surname, forenames, date_of_birth, address_line, town, county, country, eircode, telephone, email, identity_seen, address_proof_seen, address_proof_date, guarantor_letter_seen, accompanying_reader_id, rules_signed_on, preferred_language, access_needs, ticket_kind, ticket_status, ticket_issued_on, ticket_valid_until, registered_on) VALUES (:number, 'reader', :surname, :forenames, :born, :line, :town, :county, :country, :code, :telephone, :email, :identity, :proof, :proof_date, :guarantor, :adult, :rules, :language, :needs, :kind, 'active', :today, :until, :today)", values)
        for form in forms:
            env.insert("INSERT INTO surname_forms (reader_id, form) VALUES (?, ?)", [key, form])
    return {"ticket_no": _ticket_shown(number), "ticket_status": "current" if proof else "provisional", "expires_on": until}

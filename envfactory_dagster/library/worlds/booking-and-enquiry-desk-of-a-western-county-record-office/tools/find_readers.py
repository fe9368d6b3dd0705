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


def _ticket_status(reader: dict, day: str) -> str:
    if reader["ticket_status"] == "suspended":
        return "suspended"
    if reader["ticket_valid_until"] < day:
        return "expired"
    return "provisional" if reader["ticket_kind"] == "provisional" else "current"


def _find_readers_digits(number: str) -> str:
    """A telephone number's digits, those of the country in their home form."""
    digits = re.sub(r"[^0-9+]", "", number)
    if digits.startswith("+353"):
        return "0" + digits[4:]
    return digits.lstrip("+")


def find_readers(env, *, surname: str = None, forename: str = None, ticket_no: str = None, date_of_birth: str = None, eircode: str = None, telephone: str = None, ticket_status: str = None, limit: int = 20) -> dict:
    """Find readers by surname in any of its forms, ticket, birth date, Eircode or telephone."""
    if not any([surname, ticket_no, date_of_birth, eircode, telephone]):
        raise env.Error("Give at least one of surname, ticket number, date of birth, Eircode or telephone.")
    today = env.now[:10]
    rows = env.query("SELECT * FROM readers WHERE (:ticket IS NULL OR ticket_no = :ticket) AND (:born IS NULL OR date_of_birth = :born) AND (:eircode IS NULL OR replace(eircode, ' ', '') = :eircode) ORDER BY surname, forenames, id", {"ticket": _ticket_kept(ticket_no) if ticket_no else None, "born": date_of_birth, "eircode": eircode})
    forms = {}
    for row in env.query("SELECT reader_id, form FROM surname_forms ORDER BY id", []):
        forms.setdefault(row["reader_id"], []).append(_core(row["form"]))
    found = []
    for row in rows:
        if surname and not any(f.startswith(_core(surname)) for f in forms.get(row["id"], []) + [_core(row["surname"])]):
            continue
        if surname and forename and not _fold(row["forenames"]).startswith(_fold(forename.strip())):
            continue
        if telephone and _find_readers_digits(row["telephone"] or "") != _find_readers_digits(telephone):
            continue
        status = _ticket_status(row, today)
        if ticket_status and status != ticket_status:
            continue
        found.append({"ticket_no": _ticket_shown(row["ticket_no"]), "name": row["forenames"] + " " + row["surname"], "date_of_birth": row["date_of_birth"], "town": row["town"], "ticket_status": status, "expires_on": row["ticket_valid_until"]})
    return {"readers": found[:limit], "more": len(found) > limit}

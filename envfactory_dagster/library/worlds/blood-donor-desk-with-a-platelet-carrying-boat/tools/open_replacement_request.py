import datetime

def _desk_date(env, text):
    """The day a text names, or a refusal."""
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise env.Error("there is no day " + str(text))


def _desk_plus_days(day, days):
    """The day so many days later (or earlier, if negative)."""
    return (datetime.date.fromisoformat(day[:10]) + datetime.timedelta(days=days)).isoformat()


def _desk_plus_months(day, months):
    """The same day so many months later (or earlier), or the last of that month."""
    year, month = divmod(int(day[:4]) * 12 + int(day[5:7]) - 1 + months, 12)
    last = 31
    while True:
        try:
            return datetime.date(year, month + 1, min(int(day[8:10]), last)).isoformat()
        except ValueError:
            last -= 1


def _desk_request_row(env, code):
    """A replacement request by its code, or a refusal."""
    row = env.one("SELECT * FROM replacement_requests WHERE code = ?", [code])
    if row is None:
        raise env.Error("there is no replacement request " + code)
    return row


def _desk_request(env, request_id):
    """A replacement request as the tools show it."""
    r = env.one(
        "SELECT r.*, h.hospital_code, h.name FROM replacement_requests r JOIN hospitals h ON h.id = r.hospital_id "
        "WHERE r.id = ?",
        [request_id],
    )
    credited = env.one(
        "SELECT COALESCE(SUM(donors_counted), 0) AS n FROM replacement_credits WHERE replacement_request_id = ?",
        [request_id],
    )["n"]
    return {
        "code": r["code"],
        "hospital": r["hospital_code"],
        "hospital_name": r["name"],
        "patient_initials": r["patient_initials"],
        "patient_birth_year": r["patient_birth_year"],
        "procedure": r["procedure"],
        "asked": r["asked"],
        "credited": credited,
        "still_asked": max(0, r["asked"] - credited),
        "open_until": r["open_until"],
    }


OPEN_REPLACEMENT_REQUEST_LEAST_AGE = 15
OPEN_REPLACEMENT_REQUEST_DAYS = 60


def _open_replacement_request_prefix(hospital):
    """The letters with which the codes of a hospital begin."""
    if hospital == "van_buren":
        return "VBU"
    if hospital == "claudio_vicuna":
        return "CVI"
    if hospital == "eduardo_pereira":
        return "EPE"
    return hospital[:3].upper()


def open_replacement_request(
    env, *, hospital: str, patient_initials: str, patient_birth_year: int, procedure: str
) -> dict:
    """Open a replacement request of a hospital for one patient."""
    place = env.one("SELECT id FROM hospitals WHERE hospital_code = ?", [hospital])
    if place is None:
        raise env.Error("there is no hospital " + hospital)
    if not 1 <= len(patient_initials) <= 5:
        raise env.Error("initials have 1 to 5 letters")
    if patient_birth_year < 1900:
        raise env.Error("there is no patient born in " + str(patient_birth_year))
    if int(env.now[:4]) - patient_birth_year < OPEN_REPLACEMENT_REQUEST_LEAST_AGE:
        raise env.Error("no request is opened for a patient under 15")
    asked = 4 if hospital == "fricke" and procedure == "heart_surgery" else 2
    last = env.one("SELECT COALESCE(MAX(CAST(substr(code, 5) AS INTEGER)), 0) AS n FROM replacement_requests")["n"]
    if last >= 9999:
        raise env.Error("there are no codes left for new requests")
    code = _open_replacement_request_prefix(hospital) + "-" + str(last + 1).zfill(4)
    request_id = env.insert(
        "INSERT INTO replacement_requests (code, hospital_id, patient_initials, patient_birth_year, procedure, asked, "
        "opened_at, open_until, recorded_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            code,
            place["id"],
            patient_initials,
            patient_birth_year,
            procedure,
            asked,
            env.now,
            _desk_plus_days(env.now, OPEN_REPLACEMENT_REQUEST_DAYS),
            env.user_id,
        ],
    )
    return _desk_request(env, request_id)

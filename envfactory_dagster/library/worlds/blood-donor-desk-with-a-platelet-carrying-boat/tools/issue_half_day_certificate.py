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


def _desk_appointment_row(env, appointment_id):
    """An appointment with its slot, or a refusal."""
    row = env.one(
        "SELECT a.*, s.slot_code, s.starts_at, s.state AS slot_state, s.block_reason, t.site_code "
        "FROM appointments a JOIN slots s ON s.id = a.slot_id JOIN sites t ON t.id = s.site_id WHERE a.id = ?",
        [appointment_id],
    )
    if row is None:
        raise env.Error("there is no appointment " + str(appointment_id))
    return row


def _desk_own_moves(env, appointment_id):
    """How often an appointment was moved, the boat left out."""
    return env.one(
        "SELECT COUNT(*) AS n FROM appointment_moves WHERE appointment_id = ? AND because_of_boat = 0",
        [appointment_id],
    )["n"]


def _desk_appointment(env, appointment_id):
    """An appointment as the tools show it."""
    a = _desk_appointment_row(env, appointment_id)
    donor = env.one("SELECT given_names || ' ' || surnames AS name FROM donors WHERE id = ?", [a["donor_id"]])
    request = env.one("SELECT code FROM replacement_requests WHERE id = ?", [a["replacement_request_id"]])
    voucher = env.one("SELECT amount_clp, wait_until FROM breakfast_vouchers WHERE appointment_id = ?", [a["id"]])
    return {
        "appointment_id": a["id"],
        "donor_id": a["donor_id"],
        "donor_name": donor["name"],
        "slot_id": a["slot_code"],
        "site_code": a["site_code"],
        "starts_at": a["starts_at"],
        "kind": a["kind"],
        "state": a["state"],
        "moves": _desk_own_moves(env, a["id"]),
        "replacement_code": request["code"] if request else None,
        "booked_at": a["booked_at"],
        "checked_in_at": a["checked_in_at"],
        "cancelled_at": a["cancelled_at"],
        "cancel_reason": a["cancel_reason"],
        "voucher_amount_clp": voucher["amount_clp"] if voucher else None,
        "wait_until": voucher["wait_until"] if voucher else None,
    }


def _desk_certificate(env, certificate_id):
    """A certificate as the tools show it."""
    c = env.one("SELECT * FROM certificates WHERE id = ?", [certificate_id])
    return {
        "folio": c["folio"],
        "appointment_id": c["appointment_id"],
        "copy_number": c["copy_number"],
        "type": c["type"],
        "date": c["date"],
        "half": c["half"],
        "employer": c["employer"],
        "format": c["format"],
        "duplicate_fee_clp": c["duplicate_fee_clp"],
    }


ISSUE_HALF_DAY_CERTIFICATE_DAYS = 30
ISSUE_HALF_DAY_CERTIFICATE_DUPLICATE_CLP = 1500


def issue_half_day_certificate(env, *, appointment_id: int, employer: str = None, format: str = "pdf") -> dict:
    """Make out a certificate for the day of an appointment."""
    a = _desk_appointment_row(env, appointment_id)
    day = a["starts_at"][:10]
    half = None
    if a["state"] == "donated":
        kind = "half_day"
        morning = a["checked_in_at"][11:16] < "12:30"
        half = "morning" if morning else "afternoon"
        if morning and a["kind"] in ("platelets", "double_red"):
            half = "until_15"
    elif a["state"] == "turned_away":
        kind = "attendance"
    else:
        moved = env.one(
            "SELECT s.starts_at FROM appointment_moves m JOIN slots s ON s.id = m.from_slot_id "
            "WHERE m.appointment_id = ? AND m.because_of_boat = 1 "
            "AND substr(m.moved_at, 1, 10) = substr(s.starts_at, 1, 10) ORDER BY m.id DESC LIMIT 1",
            [appointment_id],
        )
        if moved is None:
            raise env.Error(
                "a certificate is for somebody who gave or was turned away; this appointment is "
                + a["state"].replace("_", " ")
            )
        kind = "half_day"
        half = "morning"
        day = moved["starts_at"][:10]
    if _desk_plus_days(day, ISSUE_HALF_DAY_CERTIFICATE_DAYS) < env.now[:10]:
        raise env.Error("a certificate is made out up to 30 days later; " + day + " is longer ago")
    copies = env.one(
        "SELECT COALESCE(MAX(copy_number), 0) AS n FROM certificates WHERE appointment_id = ?", [appointment_id]
    )["n"]
    fee = ISSUE_HALF_DAY_CERTIFICATE_DUPLICATE_CLP if copies > 0 and format == "paper" else 0
    last = env.one("SELECT COALESCE(MAX(CAST(substr(folio, 2) AS INTEGER)), 0) AS n FROM certificates")["n"]
    certificate_id = env.insert(
        "INSERT INTO certificates (folio, appointment_id, copy_number, type, date, half, employer, format, "
        "duplicate_fee_clp, issued_at, recorded_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            "M" + str(last + 1).zfill(7),
            appointment_id,
            copies + 1,
            kind,
            day,
            half,
            employer or None,
            format,
            fee,
            env.now,
            env.user_id,
        ],
    )
    return _desk_certificate(env, certificate_id)

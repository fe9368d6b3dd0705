import datetime

FEMALE = ("Antonia", "Bárbara", "Constanza", "Denisse", "Emilia", "Fernanda", "Graciela", "Isidora", "Josefina", "Katherine", "Lorena", "Macarena", "Natividad", "Olga", "Pamela", "Rocío", "Sandra", "Trinidad", "Viviana", "Ximena")
MALE = ("Agustín", "Benito", "Cristóbal", "Diego", "Esteban", "Francisco", "Gustavo", "Hernán", "Ismael", "Jorge", "Lautaro", "Matías", "Nicanor", "Óscar", "Patricio", "Rafael", "Sebastián", "Tomás", "Vicente", "Wladimir")
SURNAMES = ("Abarca", "Alvial", "Bahamonde", "Becerra", "Canales", "Cea", "Donaire", "Escobedo", "Faúndez", "Garay", "Huerta", "Inzunza", "Jara", "Krause", "Lizama", "Maturana", "Neira", "Ojeda", "Palma", "Quinteros", "Retamal", "Sepúlveda", "Troncoso", "Urra", "Villagra", "Yévenes", "Zúñiga")
STREETS = ("Av. Argentina", "Condell", "Independencia", "Colón", "Av. España", "Quillota", "Yungay", "Chacabuco")
GROUPS = ("O+", "O+", "O+", "A+", "A+", "B+", "A-")
HOLIDAYS = ("2026-05-01", "2026-05-21", "2026-06-29", "2026-07-16", "2026-08-15", "2026-09-18", "2026-09-19", "2026-10-12", "2026-10-31")


def _shift(day, days):
    """The day so many days later, or earlier."""
    return (datetime.date.fromisoformat(day[:10]) + datetime.timedelta(days=days)).isoformat()


def _weekday(day):
    """0 for Monday to 6 for Sunday."""
    return datetime.date.fromisoformat(day).weekday()


def _workday(day):
    """The day itself or the next one from Monday to Friday that is no holiday."""
    while _weekday(day) > 4 or day in HOLIDAYS:
        day = _shift(day, 1)
    return day


def _run(number):
    """A RUN with its check digit."""
    total, factor, rest = 0, 2, number
    while rest:
        total += rest % 10 * factor
        rest //= 10
        factor = 2 if factor == 7 else factor + 1
    digit = 11 - total % 11
    return str(number) + "-" + ("0" if digit == 11 else "K" if digit == 10 else str(digit))


def _name(donor):
    """Full name of a donor."""
    return donor["given_names"] + " " + donor["surnames"]


def _people(rng, count, first_id, clock):
    """Cards of people who have been donors for a while, all with different names."""
    cards = []
    surnames = set()
    while len(cards) < count:
        pair = rng.sample(SURNAMES, 2)
        if pair[0] + " " + pair[1] in surnames:
            continue
        surnames.add(pair[0] + " " + pair[1])
        sex = rng.choice("FM")
        year = rng.randint(1966, 2003)
        ident = first_id + len(cards)
        number = 5000000 + (year - 1950) * 300000 + rng.randint(0, 290) * 1000 + ident % 1000
        cards.append(
            {
                "id": ident,
                "run": _run(number),
                "passport": None,
                "given_names": rng.choice(FEMALE if sex == "F" else MALE),
                "surnames": pair[0] + " " + pair[1],
                "born_on": datetime.date(year, rng.randint(1, 12), rng.randint(1, 28)).isoformat(),
                "sex": sex,
                "blood_group": rng.choice(GROUPS),
                "phone": "+569" + str(rng.randint(30000000, 99999999)),
                "email": None,
                "address": rng.choice(STREETS) + " " + str(rng.randint(100, 2900)) + ", Valparaíso",
                "call_preference": rng.choice(("text", "call")),
                "form_r2_signed": 0,
                "doctor_ok": None,
                "parent_present": 0,
                "paper_donations": 0,
                "registered_at": _shift(clock, -rng.randint(900, 2200)) + "T10:" + str(rng.randint(10, 59)) + ":00",
                "recorded_by": 1,
            }
        )
    return cards


def _weighing(ident, donor, site_id, kg, day, minute):
    """A weighing."""
    return {
        "id": ident,
        "donor_id": donor["id"],
        "site_id": site_id,
        "kg": kg,
        "weighed_at": day + "T11:" + str(minute).zfill(2) + ":00",
        "recorded_by": 1,
    }


def _donation(ident, donor, site_id, day, appointment_id=None, kind="whole_blood"):
    """A donation."""
    return {
        "id": ident,
        "donation_code": "D" + day[2:4] + "-" + str(38000 + ident % 10000).zfill(6),
        "donor_id": donor["id"],
        "site_id": site_id,
        "appointment_id": appointment_id,
        "kind": kind,
        "given_on": day,
        "volume_ml": 450 if kind == "whole_blood" else 400,
        "failed": 0,
    }


def _slot(ident, site_code, site_id, starts_at, places, state="free", reason=None, since=None):
    """A slot for whole blood."""
    return {
        "id": ident,
        "slot_code": site_code + "-" + starts_at[:10].replace("-", "") + "-" + starts_at[11:13] + starts_at[14:16],
        "site_id": site_id,
        "starts_at": starts_at,
        "takes_whole_blood": 1,
        "takes_platelets": 0,
        "takes_plasma": 0,
        "takes_double_red": 0,
        "places": places,
        "state": state,
        "block_reason": reason,
        "block_note": None,
        "blocked_at": since,
        "blocked_by": 1 if reason else None,
    }


def _appointment(ident, donor, slot, booked_at, state="booked"):
    """An appointment for whole blood."""
    return {
        "id": ident,
        "donor_id": donor["id"],
        "slot_id": slot["id"],
        "kind": "whole_blood",
        "state": state,
        "replacement_request_id": None,
        "booked_at": booked_at,
        "recorded_by": 1,
        "checked_in_at": None,
        "document_seen": None,
        "has_eaten": None,
        "cancelled_at": None,
        "cancel_reason": None,
    }

HOSPITALS = (
    ("the Van Buren", "van_buren", "VBU"),
    ("the Fricke", "fricke", "FRI"),
    ("the Eduardo Pereira", "eduardo_pereira", "EPE"),
    ("the Claudio Vicuña", "claudio_vicuna", "CVI"),
    ("the Naval hospital", "naval", "NAV"),
)
LETTERS = "ABCDEFGHILMNOPRSTV"


def instances(world, rng):
    """An open request and three to five people with a visit that counts, double, or not at all."""
    hospitals = {r["hospital_code"]: r["id"] for r in world.query("SELECT h.id, h.hospital_code FROM hospitals h")}
    known = world.query("SELECT r.code, r.patient_initials FROM replacement_requests r")
    codes = {r["code"][4:] for r in known}
    initials_known = {r["patient_initials"] for r in known}
    times = {r["starts_at"] for r in world.query("SELECT starts_at FROM slots WHERE site_id = 1 AND starts_at < ?", [world.clock])}
    today = world.clock[:10]
    while True:
        title, code, prefix = rng.choice(HOSPITALS + (HOSPITALS[1], HOSPITALS[1]))
        initials = "".join(rng.sample(LETTERS, 3))
        numbers = [str(n).zfill(4) for n in rng.sample(range(700, 990), 2)]
        if initials in initials_known or numbers[0] in codes or numbers[1] in codes:
            continue
        asked = 4 if code == "fricke" else 2
        count = rng.randint(4, 5) if asked == 4 else rng.randint(3, 4)
        stand = [rng.choice(("late", "missed", "elsewhere"))]
        points = 0
        while len(stand) < count:
            what = rng.choice(("donated", "donated", "turned_away", "platelets", "late", "missed", "elsewhere", "limit", "cancelled"))
            worth = {"donated": 1, "turned_away": 1, "platelets": 2, "limit": 1}.get(what, 0)
            if points + worth > asked or (worth == 0 and len(stand) - sum(s in ("donated", "turned_away", "platelets", "limit") for s in stand) > 1):
                if points == asked or worth:
                    what, worth = rng.choice(("late", "missed", "cancelled")), 0
                else:
                    what, worth = "donated", 1
            stand.append(what)
            points += worth
        if points == 0:
            continue
        rng.shuffle(stand)
        people = _people(rng, count, 10001, world.clock)
        slots, appointments, donations, weighings, credits = [], [], [], [], []
        requests = []
        for k, (owner, letters) in enumerate(((code, initials), ("van_buren" if code != "van_buren" else "naval", "Q" + initials[:2]))):
            opened = _shift(today, -rng.randint(12, 40)) if k == 0 else _shift(today, -rng.randint(20, 45))
            requests.append(
                {
                    "id": 10901 + k,
                    "code": (prefix if k == 0 else "VBU" if owner == "van_buren" else "NAV") + "-" + numbers[k],
                    "hospital_id": hospitals[owner],
                    "patient_initials": letters,
                    "patient_birth_year": rng.randint(1942, 1985),
                    "procedure": "heart_surgery" if asked == 4 and k == 0 else "planned_surgery",
                    "asked": asked if k == 0 else 2,
                    "opened_at": opened + "T10:35:00",
                    "open_until": _shift(opened, 60),
                    "recorded_by": 1,
                }
            )
        for k, donor in enumerate(people):
            what = stand[k]
            back = {"late": rng.randint(11, 20), "limit": 10}.get(what, rng.randint(1, 9))
            day = _shift(today, -back)
            while _weekday(day) == 6 or day in HOLIDAYS:
                day = _shift(day, -1 if what == "late" else 1)
            if day >= today or (what == "limit" and day != _shift(today, -10)):
                day = _shift(today, -1)
                while _weekday(day) == 6 or day in HOLIDAYS:
                    day = _shift(day, -1)
            starts_at = day + "T" + rng.choice(("08", "09", "10", "11", "12")) + ":" + str(rng.choice((20, 40, 50))) + ":00"
            while starts_at in times or any(s["starts_at"] == starts_at for s in slots):
                starts_at = starts_at[:14] + str(20 + (int(starts_at[14:16]) - 19) % 40) + ":00"
            slot = _slot(10101 + k, "casa_central", 1, starts_at, 1)
            kind = "platelets" if what == "platelets" else "whole_blood"
            if kind == "platelets":
                slot["takes_whole_blood"] = 0
                slot["takes_platelets"] = 1
            slots.append(slot)
            weighings.append(_weighing(10201 + k, donor, 1, rng.randint(114, 190) / 2, _workday(_shift(day, -rng.randint(20, 90))), 10 + k))
            visit = _appointment(10301 + k, donor, slot, _workday(_shift(day, -rng.randint(8, 14))) + "T12:" + str(10 + k) + ":00")
            visit["kind"] = kind
            visit["state"] = {"missed": "no_show", "cancelled": "cancelled", "turned_away": "turned_away"}.get(what, "donated")
            if visit["state"] == "cancelled":
                visit["cancelled_at"] = day + "T07:50:00"
                visit["cancel_reason"] = "donor"
            if visit["state"] in ("donated", "turned_away"):
                visit["checked_in_at"] = (datetime.datetime.fromisoformat(starts_at) - datetime.timedelta(minutes=rng.randint(3, 20))).isoformat()
                visit["document_seen"] = "cedula"
                visit["has_eaten"] = 1
            if visit["state"] == "donated":
                donations.append(_donation(10401 + k, donor, 1, day, visit["id"], kind))
            appointments.append(visit)
            if what == "elsewhere":
                credits.append(
                    {
                        "id": 10501 + k,
                        "replacement_request_id": 10902,
                        "appointment_id": visit["id"],
                        "donors_counted": 1,
                        "credited_at": day + "T17:1" + str(k) + ":00",
                        "recorded_by": 1,
                    }
                )
        if len(credits) > 2 or any(c["credited_at"] >= world.clock for c in credits):
            continue
        yield {
            "p": {"initials": initials, "hospital": title, "names": [_name(d) for d in people], "ids": [d["id"] for d in people], "today": today},
            "given": {
                "donors": people,
                "weighings": weighings,
                "slots": slots,
                "replacement_requests": requests,
                "appointments": appointments,
                "donations": donations,
                "replacement_credits": credits,
            },
        }


def solve(tools, p):
    hospital = [h[1] for h in HOSPITALS if h[0] == p["hospital"]][0]
    request = tools.list_replacement_requests(hospital=hospital, patient_initials=p["initials"])["requests"][0]
    not_counted = []
    for name in p["names"]:
        donor = [
            d
            for d in tools.search_donors(surname=" ".join(name.split()[-2:]))["result"]
            if d["given_names"] + " " + d["surnames"] == name
        ][0]
        visits = [
            a
            for a in tools.list_appointments(donor_id=donor["donor_id"])["appointments"]
            if a["state"] not in ("booked", "checked_in")
        ]
        last = max(visits, key=lambda a: a["starts_at"])
        counted = last["state"] in ("donated", "turned_away")
        if counted:
            try:
                tools.credit_replacement_donor(code=request["code"], appointment_id=last["appointment_id"])
            except tools.Error:
                counted = False
        if not counted:
            not_counted.append(name)
    left = tools.get_replacement_request(code=request["code"])["still_asked"]
    return {
        "outcome": "done",
        "answers": {"not_counted": not_counted, "still_asked": left},
        "reason": None,
        "message": "Not counted: " + ", ".join(not_counted) + ". Still asked for: " + str(left) + ".",
    }


def _request(world, p):
    """The request for the patient."""
    return world.initial.one(
        "SELECT r.id, r.asked FROM replacement_requests r WHERE r.patient_initials = ? AND r.open_until >= ?",
        [p["initials"], p["today"]],
    )


def _countable(world, p):
    """Appointment of each of those who can be counted, with how many donors it counts for."""
    found = {}
    for ident in p["ids"]:
        row = world.initial.one(
            "SELECT v.id, v.kind, v.state, substr(s.starts_at, 1, 10) AS day, c.id AS credit FROM appointments v"
            " JOIN slots s ON s.id = v.slot_id LEFT JOIN replacement_credits c ON c.appointment_id = v.id"
            " WHERE v.donor_id = ? AND v.state NOT IN ('booked', 'checked_in') ORDER BY s.starts_at DESC LIMIT 1",
            [ident],
        )
        if row["state"] in ("donated", "turned_away") and row["credit"] is None and _shift(row["day"], 10) >= p["today"]:
            found[ident] = (row["id"], 2 if row["kind"] == "platelets" and row["state"] == "donated" else 1)
    return found


def goal_credits_all_who_count(world, p):
    """Everyone who can be counted is credited to the patient once, platelets for two."""
    for visit, worth in _countable(world, p).values():
        rows = world.final.query(
            "SELECT replacement_request_id, donors_counted, recorded_by FROM replacement_credits WHERE appointment_id = ?",
            [visit],
        )
        if len(rows) != 1 or rows[0]["replacement_request_id"] != _request(world, p)["id"]:
            return False
        if rows[0]["donors_counted"] != worth or rows[0]["recorded_by"] != 1:
            return False
    return True


def goal_says_who_is_not_counted(world, p):
    """Says who cannot be counted."""
    fit = _countable(world, p)
    return world.report.says("not_counted", [n for n, ident in zip(p["names"], p["ids"]) if ident not in fit])


def goal_says_how_many_are_still_asked_for(world, p):
    """Says how many donors are still asked for."""
    worth = sum(w for _, w in _countable(world, p).values())
    return world.report.says("still_asked", max(0, _request(world, p)["asked"] - worth))


def guard_adds_their_credits_only(world, p):
    """Changed nothing but one new credit to the patient for each of those who count."""
    fit = [visit for visit, _ in _countable(world, p).values()]
    new = []
    for c in world.changes:
        if c["table"] != "replacement_credits" or c["before"] is not None or c["after"]["appointment_id"] not in fit:
            return False
        if c["after"]["replacement_request_id"] != _request(world, p)["id"]:
            return False
        new.append(c["after"]["appointment_id"])
    return len(new) == len(set(new))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

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


def _medicine(ident, donor, medicine, last_dose, until, created_at, note=None):
    """A deferral for a medicine, for all kinds of donation."""
    return {
        "id": ident,
        "donor_id": donor["id"],
        "cause": "medication",
        "defers_whole_blood": 1,
        "defers_platelets": 1,
        "defers_plasma": 1,
        "defers_double_red": 1,
        "from_on": last_dose,
        "until_on": until,
        "place": None,
        "risk": None,
        "returned_on": None,
        "medicine": medicine,
        "last_dose_on": last_dose,
        "note": note,
        "status": "active",
        "created_at": created_at,
        "recorded_by": 1,
        "lifted_at": None,
        "lift_doctor": None,
        "lift_reason": None,
    }

FIRMS = ("Terminal Cerros", "the Ascensores workshop", "Panadería Guria", "Cervecería Altamira", "the Cooperativa Porteña", "Imprenta Victoria", "Astilleros Las Habas", "Agunsa Depósito")
SITES = (
    ("the Quillota annex", "quillota", 3, (0, 2), ("08:30", "09:00", "09:30", "10:00", "10:30", "11:00", "11:30"), 2),
    ("the Viña annex", "vina", 2, (0, 1, 2, 3, 4), ("09:00", "09:20", "09:40", "10:00", "10:20", "10:40", "11:00", "11:20", "11:40"), 1),
    ("the Plan unit", "um_plan", 5, (0, 1, 2, 3, 4), ("10:00", "10:30", "11:00", "11:30", "12:00", "12:30", "13:00"), 2),
)


def instances(world, rng):
    """Four to six colleagues with cards, a day at a site with slots of which some are blocked or taken."""
    taken = {
        (row["site_code"], row["day"])
        for row in world.query(
            "SELECT DISTINCT t.site_code, substr(s.starts_at, 1, 10) AS day FROM slots s"
            " JOIN sites t ON t.id = s.site_id WHERE t.site_code IN ('quillota', 'vina', 'um_plan')"
        )
    }
    today = world.clock[:10]
    while True:
        title, code, site_id, weekdays, hours, places = rng.choice(SITES)
        day = _shift(today, rng.randint(3, 24))
        if _weekday(day) not in weekdays or day in HOLIDAYS or (code, day) in taken:
            continue
        count = rng.randint(4, 6)
        guests = rng.randint(2, 4)
        people = _people(rng, count + guests, 6001, world.clock)
        stand = ["fine", "fine", rng.choice(("interval", "weight_old", "deferred"))]
        while len(stand) < count:
            stand.append(rng.choice(("fine", "fine", "fine_limit", "interval", "weight_old", "weight_low", "deferred", "held", "over")))
        rng.shuffle(stand)
        weighings, donations, deferrals = [], [], []
        for k, donor in enumerate(people):
            what = stand[k] if k < count else "fine"
            gap = 90 if donor["sex"] == "M" else 120
            last = _shift(day, -gap - rng.randint(6, 50))
            if what == "fine_limit":
                last = _shift(day, -gap)
            if what == "interval":
                last = _shift(day, -gap + rng.randint(2, 25))
            while _weekday(last) == 6 or last in HOLIDAYS:
                last = _shift(last, 1 if what == "interval" else -1)
            weighed = _workday(_shift(today, -rng.randint(6, 100)))
            if what == "weight_old":
                weighed = _shift(day, -181 - rng.randint(0, 40))
            if weighed >= today:
                weighed = _shift(today, -5)
            kg = rng.randint(110, 180) / 2
            if what == "weight_low":
                kg = rng.randint(94, 99) / 2
            weighings.append(_weighing(6101 + k, donor, 1, kg, weighed, rng.randint(10, 59)))
            if what != "weight_old" or rng.random() < 0.7:
                donations.append(_donation(6201 + k, donor, 1, last))
            dose = _shift(today, -rng.randint(0, 2))
            if what == "deferred":
                medicine, days = rng.choice((("isotretinoin", 30), ("finasteride", 30), ("antibiotic", 14)))
                until = _shift(dose, days)
                if until <= day:
                    medicine, until = "acitretin", str(int(dose[:4]) + 3) + dose[4:]
                deferrals.append(_medicine(6301 + k, donor, medicine, dose, until, today + "T08:10:00"))
            if what == "held":
                note = rng.choice(("Metotrexato 2,5 mg", "Litio 300 mg", "Leflunomida 20 mg"))
                deferrals.append(_medicine(6301 + k, donor, "other", dose, None, today + "T08:10:00", note))
            if what == "over":
                deferrals.append(_medicine(6301 + k, donor, "antibiotic", _shift(day, -14 - rng.randint(20, 40)), _shift(day, -rng.randint(20, 40)), today + "T08:00:00"))
                deferrals[-1]["until_on"] = _shift(deferrals[-1]["from_on"], 14)
                deferrals[-1]["created_at"] = deferrals[-1]["until_on"] + "T09:00:00"
                if deferrals[-1]["created_at"] > world.clock:
                    deferrals[-1]["created_at"] = today + "T08:00:00"
        slots, appointments = [], []
        blocked = rng.randrange(1, len(hours))
        for k, hour in enumerate(hours):
            if k == blocked:
                slots.append(_slot(6401 + k, code, site_id, day + "T" + hour + ":00", places, "blocked", "staff", today + "T08:05:00"))
            else:
                slots.append(_slot(6401 + k, code, site_id, day + "T" + hour + ":00", places))
        open_slots = [s for k, s in enumerate(slots) if k != blocked]
        seats = [s for s in open_slots for _ in range(places)]
        for k, slot in enumerate(rng.sample(seats, guests)):
            appointments.append(_appointment(6501 + k, people[count + k], slot, today + "T08:" + str(20 + k) + ":00"))
        hour = hours[rng.randint(0, 2)]
        used = {a["slot_id"] for a in appointments}
        room = sum(
            places - sum(a["slot_id"] == s["id"] for a in appointments) for s in open_slots if s["starts_at"][11:16] >= hour
        )
        if room < count or not used:
            continue
        yield {
            "p": {
                "firm": rng.choice(FIRMS),
                "site": title,
                "day": day,
                "hour": hour,
                "names": [_name(d) for d in people[:count]],
                "ids": [d["id"] for d in people[:count]],
                "code": code,
            },
            "given": {
                "donors": people,
                "weighings": weighings,
                "deferrals": deferrals,
                "slots": slots,
                "appointments": appointments,
                "donations": donations,
            },
        }


def solve(tools, p):
    code = [s[1] for s in SITES if s[0] == p["site"]][0]
    left_out = []
    last_hour = None
    for name in p["names"]:
        found = [
            d
            for d in tools.search_donors(surname=" ".join(name.split()[-2:]))["result"]
            if d["given_names"] + " " + d["surnames"] == name
        ]
        donor_id = found[0]["donor_id"]
        answer = tools.get_donor_eligibility(donor_id=donor_id, kind="whole_blood", on=p["day"])["answer"]
        if answer != "yes":
            left_out.append(name)
            continue
        free = tools.list_slots(site_code=code, date=p["day"], kind="whole_blood")["result"]
        slot = min((s for s in free if s["starts_at"][11:16] >= p["hour"]), key=lambda s: s["starts_at"])
        tools.book_appointment(donor_id=donor_id, slot_id=slot["slot_id"], kind="whole_blood")
        last_hour = slot["starts_at"][11:16]
    return {
        "outcome": "done",
        "answers": {"left_out": left_out, "last_hour": last_hour},
        "reason": None,
        "message": "Left out: " + ", ".join(left_out) + ". The last one is booked at " + str(last_hour) + ".",
    }


def _may(world, ident, day):
    """Whether a donor may give whole blood on a day: interval, weight and deferrals."""
    donor = world.initial.one("SELECT sex FROM donors WHERE id = ?", [ident])
    last = world.initial.one(
        "SELECT MAX(given_on) AS day FROM donations WHERE donor_id = ? AND kind = 'whole_blood'"
        " AND NOT (failed = 1 AND volume_ml < 50)",
        [ident],
    )["day"]
    if last is not None and _shift(last, 90 if donor["sex"] == "M" else 120) > day:
        return False
    weight = world.initial.one(
        "SELECT kg, weighed_at FROM weighings WHERE donor_id = ? ORDER BY weighed_at DESC LIMIT 1", [ident]
    )
    if weight is None or weight["kg"] < 50 or _shift(weight["weighed_at"], 180) < day:
        return False
    return (
        world.initial.one(
            "SELECT id FROM deferrals WHERE donor_id = ? AND status = 'active' AND defers_whole_blood = 1"
            " AND from_on <= ? AND (until_on IS NULL OR until_on > ?)",
            [ident, day, day],
        )
        is None
    )


def _plan(world, p):
    """Into which slot each of those who may give belongs, in their order."""
    slots = world.initial.query(
        "SELECT s.id, s.starts_at, s.places - (SELECT COUNT(*) FROM appointments a WHERE a.slot_id = s.id"
        " AND a.cancelled_at IS NULL) AS places_left FROM slots s JOIN sites t ON t.id = s.site_id"
        " WHERE t.site_code = ? AND substr(s.starts_at, 1, 10) = ? AND substr(s.starts_at, 12, 5) >= ?"
        " AND s.state = 'free' AND s.takes_whole_blood = 1 ORDER BY s.starts_at",
        [p["code"], p["day"], p["hour"]],
    )
    seats = [s for s in slots for _ in range(max(0, s["places_left"]))]
    fit = [ident for ident in p["ids"] if _may(world, ident, p["day"])]
    return list(zip(fit, seats))


def goal_books_everyone_who_may(world, p):
    """Everyone who may give has one appointment for whole blood, in the slot of their turn."""
    for ident, slot in _plan(world, p):
        rows = world.final.query("SELECT * FROM appointments WHERE donor_id = ?", [ident])
        if len(rows) != 1 or rows[0]["slot_id"] != slot["id"] or rows[0]["kind"] != "whole_blood":
            return False
        if rows[0]["state"] != "booked" or rows[0]["recorded_by"] != 1:
            return False
    return True


def goal_says_who_is_left_out(world, p):
    """Says who is left out."""
    names = [n for n, ident in zip(p["names"], p["ids"]) if not _may(world, ident, p["day"])]
    return world.report.says("left_out", names)


def goal_says_the_last_hour(world, p):
    """Says for what hour the last one is booked."""
    return world.report.says("last_hour", _plan(world, p)[-1][1]["starts_at"][11:16])


def guard_adds_their_appointments_only(world, p):
    """Changed nothing but one new appointment for each of those who may give."""
    fit = [ident for ident, _ in _plan(world, p)]
    new = []
    for c in world.changes:
        if c["table"] != "appointments" or c["before"] is not None or c["after"]["donor_id"] not in fit:
            return False
        if c["after"]["replacement_request_id"] is not None:
            return False
        new.append(c["after"]["donor_id"])
    return len(new) == len(set(new))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

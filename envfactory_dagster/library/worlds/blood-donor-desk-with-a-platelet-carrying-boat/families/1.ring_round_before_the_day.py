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

NURSES = ("Enf. Tapia", "Enf. Valladares", "Enf. Oyarzún", "Enf. Mondaca", "Enf. Carreño", "Enf. Leal", "Enf. Aros", "Enf. Barahona")
PLACES = (("the Plan unit", "um_plan", 5), ("Casa Central", "casa_central", 1))


def instances(world, rng):
    """A day at a site with 19 to 24 people booked, some of them deferred since or moved there with an old weight."""
    full = {
        (row["code"], row["day"])
        for row in world.query(
            "SELECT p.site_code AS code, substr(x.starts_at, 1, 10) AS day FROM slots x"
            " JOIN sites p ON p.id = x.site_id WHERE p.site_code IN ('um_plan', 'casa_central') GROUP BY 1, 2"
        )
    }
    today = world.clock[:10]
    while True:
        title, code, site_id = rng.choice(PLACES)
        day = _shift(today, rng.randint(2, 20))
        if _workday(day) != day or (code, day) in full:
            continue
        count = rng.randint(19, 24)
        people = _people(rng, count, 7001, world.clock)
        stand = ["deferred", "deferred", "old", "old", "limit", "over", "lifted"]
        stand += [rng.choice(("deferred", "held", "old", "limit", "over"))]
        stand += ["fine"] * (count - len(stand))
        rng.shuffle(stand)
        slots = []
        for k in range(12):
            minutes = 9 * 60 + 30 + k * 30
            at = day + "T" + str(minutes // 60).zfill(2) + ":" + str(minutes % 60).zfill(2) + ":00"
            slots.append(_slot(7101 + k, code, site_id, at, 2))
        seats = rng.sample([s for s in slots for _ in (0, 1)], count)
        origin = _shift(today, -1)
        while _workday(origin) != origin or (code, origin) in full:
            origin = _shift(origin, -1)
        weighings, deferrals, appointments, moves, donations = [], [], [], [], []
        earlier = []
        for k, donor in enumerate(people):
            what = stand[k]
            booked_on = _shift(today, -rng.randint(3, 6))
            weighed = _shift(day, -rng.randint(60, 170))
            if what == "limit":
                weighed = _shift(day, -180)
            if what == "old":
                weighed = _shift(origin, -180 + rng.randint(0, 1))
                if _shift(weighed, 180) >= day:
                    weighed = _shift(day, -181)
            if weighed > booked_on:
                weighed = booked_on
            weighings.append(_weighing(7201 + k, donor, 1, rng.randint(112, 180) / 2, weighed, rng.randint(10, 59)))
            gap = 90 if donor["sex"] == "M" else 120
            last = _shift(min(day, origin), -gap - rng.randint(5, 60))
            if rng.random() < 0.8:
                donations.append(_donation(7301 + k, donor, 1, last if _weekday(last) < 6 else _shift(last, -1)))
            booked = _appointment(7401 + k, donor, seats[k], booked_on + "T12:" + str(10 + k) + ":00")
            appointments.append(booked)
            if what == "old":
                minutes = 9 * 60 + len(earlier) * 20 + 10
                at = origin + "T" + str(minutes // 60).zfill(2) + ":" + str(minutes % 60).zfill(2) + ":00"
                slot = _slot(7501 + len(earlier), code, site_id, at, 2)
                earlier.append(slot)
                if booked["booked_at"] >= _shift(origin, -1) + "T00:00:00":
                    booked["booked_at"] = _shift(origin, -3) + "T12:" + str(10 + k) + ":00"
                moves.append(
                    {
                        "id": 7601 + k,
                        "appointment_id": booked["id"],
                        "from_slot_id": slot["id"],
                        "to_slot_id": seats[k]["id"],
                        "because_of_boat": 0,
                        "boat_sailing_id": None,
                        "moved_at": _shift(origin, -1) + "T16:" + str(10 + k) + ":00",
                        "recorded_by": 1,
                    }
                )
            since = today + "T08:" + str(10 + k) + ":00"
            dose = _shift(today, -rng.randint(0, 2))
            if what == "deferred":
                medicine, months = rng.choice((("isotretinoin", 0), ("finasteride", 0), ("prep", 4)))
                until = _shift(dose, 30)
                if months:
                    until = _shift(dose, 122)
                    while until[8:10] != dose[8:10]:
                        until = _shift(until, 1 if until[8:10] < dose[8:10] else -1)
                deferrals.append(_medicine(7701 + k, donor, medicine, dose, until, since))
            if what == "held":
                deferrals.append(_medicine(7701 + k, donor, "other", dose, None, since, "Box says Metotrexato"))
            if what == "over":
                start = _shift(day, -14)
                while start > today:
                    start = _shift(start, -1)
                deferrals.append(_medicine(7701 + k, donor, "antibiotic", start, _shift(start, 14), since))
            if what == "lifted":
                row = _medicine(7701 + k, donor, "other", dose, None, since, "Box says Losartan 50 mg")
                row["status"] = "lifted"
                row["lifted_at"] = today + "T08:" + str(12 + k) + ":30"
                row["lift_doctor"] = "Dra. Lorena Pizarro"
                row["lift_reason"] = "Losartan does not defer anybody"
                deferrals.append(row)
        if any(_shift(w["weighed_at"], 180) < day and stand[k] != "old" for k, w in enumerate(weighings)):
            continue
        yield {
            "p": {"nurse": rng.choice(NURSES), "site": title, "day": day, "code": code},
            "given": {
                "donors": people,
                "weighings": weighings,
                "deferrals": deferrals,
                "slots": slots + earlier,
                "appointments": appointments,
                "appointment_moves": moves,
                "donations": donations,
            },
        }


def solve(tools, p):
    code = [s[1] for s in PLACES if s[0] == p["site"]][0]
    deferred, to_weigh = [], []
    rows = tools.list_appointments(
        site_code=code, first_day=p["day"], last_day=p["day"], state="booked", limit=200
    )["appointments"]
    for a in rows:
        seen = tools.get_donor_eligibility(donor_id=a["donor_id"], kind=a["kind"], on=p["day"])
        if any(r in ("travel", "medication", "laboratory", "interview") for r in seen["reasons"]):
            deferred.append(a["donor_name"])
        elif seen["answer"] == "weigh_first":
            to_weigh.append(a["donor_name"])
    return {
        "outcome": "done",
        "answers": {"deferred": deferred, "to_weigh": to_weigh},
        "reason": None,
        "message": "Deferred: " + ", ".join(deferred) + ". To be weighed again: " + ", ".join(to_weigh) + ".",
    }


def _booked(world, p):
    """Those who are booked there on that day."""
    return world.initial.query(
        "SELECT d.id, d.given_names || ' ' || d.surnames AS name FROM appointments b JOIN donors d ON d.id = b.donor_id"
        " JOIN slots x ON x.id = b.slot_id JOIN sites p ON p.id = x.site_id WHERE p.site_code = ?"
        " AND substr(x.starts_at, 1, 10) = ? AND b.state = 'booked' ORDER BY x.starts_at, b.id",
        [p["code"], p["day"]],
    )


def _is_deferred(world, p, ident):
    """Whether a deferral keeps a donor from giving whole blood on that day."""
    row = world.initial.one(
        "SELECT COUNT(*) AS n FROM deferrals f WHERE f.donor_id = ? AND f.status = 'active'"
        " AND f.defers_whole_blood = 1 AND f.from_on <= ? AND COALESCE(f.until_on, '9999-12-31') > ?",
        [ident, p["day"], p["day"]],
    )
    return row["n"] > 0


def _weight_is_old(world, p, ident):
    """Whether the latest weight of a donor is more than 180 days old on that day."""
    row = world.initial.one("SELECT MAX(weighed_at) AS last FROM weighings WHERE donor_id = ?", [ident])
    return row["last"] is None or _shift(row["last"], 180) < p["day"]


def goal_says_who_is_deferred(world, p):
    """Says who may not give on that day because of a deferral."""
    return world.report.says("deferred", [d["name"] for d in _booked(world, p) if _is_deferred(world, p, d["id"])])


def goal_says_who_is_to_be_weighed(world, p):
    """Says who is only missing a recent weight."""
    names = [
        d["name"]
        for d in _booked(world, p)
        if not _is_deferred(world, p, d["id"]) and _weight_is_old(world, p, d["id"])
    ]
    return world.report.says("to_weigh", names)


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

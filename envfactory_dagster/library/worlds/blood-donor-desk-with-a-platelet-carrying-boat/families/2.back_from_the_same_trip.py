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

TRIPS = (
    ("Hanga Roa", "an arbovirus area"),
    ("Recife", "an arbovirus area"),
    ("Salvador de Bahía", "an arbovirus area"),
    ("Cartagena de Indias", "an arbovirus area"),
    ("Punta Cana", "an arbovirus area"),
    ("Cancún", "an arbovirus area"),
    ("Iquitos", "a malaria area"),
    ("Manaus", "a malaria area"),
)


def instances(world, rng):
    """Four to six people who were on the same trip, most with an appointment in the next weeks."""
    used = {r["at"] for r in world.query("SELECT site_id || ' ' || starts_at AS at FROM slots WHERE starts_at > ?", [world.clock])}
    today = world.clock[:10]
    while True:
        place, area = rng.choice(TRIPS)
        count = rng.randint(4, 6)
        back = _shift(today, -rng.randint(1, 22))
        until = _shift(back, 30)
        if area == "a malaria area":
            until = str(int(back[:4]) + 1) + back[4:]
        stand = ["before", rng.choice(("before", "none"))]
        while len(stand) < count:
            stand.append(rng.choice(("before", "after", "after", "on_the_day", "none")))
        rng.shuffle(stand)
        people = _people(rng, count, 11001, world.clock)
        weighings, slots, appointments, donations = [], [], [], []
        bad = False
        for k, donor in enumerate(people):
            what = stand[k]
            weighed = _workday(_shift(today, -rng.randint(30, 90)))
            weighings.append(_weighing(11101 + k, donor, 1, rng.randint(112, 190) / 2, weighed, 10 + k))
            gap = 90 if donor["sex"] == "M" else 120
            last = _shift(today, -gap - rng.randint(3, 60))
            donations.append(_donation(11201 + k, donor, 1, last if _weekday(last) < 6 else _shift(last, -1)))
            if what == "none":
                continue
            if area == "a malaria area":
                day = _shift(today, rng.randint(2, 24))
            elif what == "before":
                span = (datetime.date.fromisoformat(until) - datetime.date.fromisoformat(today)).days
                day = _shift(today, rng.randint(1, max(1, span - 1)))
                while _workday(day) != day:
                    day = _shift(day, -1)
            elif what == "on_the_day":
                day = until
            else:
                day = _shift(until, rng.randint(1, 12))
            if what != "before":
                day = day if what == "on_the_day" else _workday(day)
            if _workday(day) != day or day <= today or day > _shift(today, 26):
                if what == "before" or area == "a malaria area":
                    bad = True
                continue
            site, site_id = rng.choice((("casa_central", 1), ("vina", 2), ("um_plan", 5)))
            at = day + "T" + rng.choice(("10", "11", "12", "14")) + ":" + str(rng.choice((20, 40, 50))) + ":00"
            if str(site_id) + " " + at in used or any(s["starts_at"] == at and s["site_id"] == site_id for s in slots):
                bad = True
                continue
            slot = _slot(11301 + k, site, site_id, at, 2 if site_id != 2 else 1)
            slots.append(slot)
            booked = _shift(day, -27)
            if booked >= back:
                booked = _shift(back, -3)
            appointments.append(_appointment(11401 + k, donor, slot, max(booked, _shift(day, -28)) + "T12:" + str(10 + k) + ":00"))
        if bad or any(a["booked_at"] >= world.clock for a in appointments):
            continue
        gone = [a for a in appointments if [s for s in slots if s["id"] == a["slot_id"]][0]["starts_at"][:10] < until]
        if not gone or (area == "an arbovirus area" and len(gone) == len(appointments)):
            continue
        yield {
            "p": {
                "names": [_name(d) for d in people],
                "place": place,
                "area": area,
                "back": back,
                "ids": [d["id"] for d in people],
                "until": until,
            },
            "given": {
                "donors": people,
                "weighings": weighings,
                "slots": slots,
                "appointments": appointments,
                "donations": donations,
            },
        }


def solve(tools, p):
    risk = "malaria" if p["area"] == "a malaria area" else "arbovirus"
    cancelled, kept = [], []
    for name in p["names"]:
        donor = [
            d
            for d in tools.search_donors(surname=" ".join(name.split()[-2:]))["result"]
            if d["given_names"] + " " + d["surnames"] == name
        ][0]
        deferral = tools.add_travel_deferral(
            donor_id=donor["donor_id"], place=p["place"], risk=risk, returned_on=p["back"]
        )
        for a in tools.list_appointments(donor_id=donor["donor_id"], state="booked")["appointments"]:
            if a["starts_at"][:10] < deferral["until"]:
                tools.cancel_appointment(appointment_id=a["appointment_id"], reason="donor")
                cancelled.append(name)
            else:
                kept.append(name)
    return {
        "outcome": "done",
        "answers": {"cancelled": cancelled, "kept": kept},
        "reason": None,
        "message": "Cancelled: " + ", ".join(cancelled) + ". Kept: " + (", ".join(kept) or "nobody") + ".",
    }


def _open(world, p):
    """Open appointment of each of them: name, number, and whether it falls into the deferral."""
    found = []
    for name, ident in zip(p["names"], p["ids"]):
        for row in world.initial.query(
            "SELECT e.id, substr(s.starts_at, 1, 10) AS day FROM appointments e JOIN slots s ON s.id = e.slot_id"
            " WHERE e.donor_id = ? AND e.state = 'booked' ORDER BY e.id",
            [ident],
        ):
            found.append((name, row["id"], row["day"] < p["until"]))
    return found


def goal_enters_the_trip_for_everybody(world, p):
    """Each of them has one new deferral for the trip."""
    risk = "malaria" if p["area"] == "a malaria area" else "arbovirus"
    for ident in p["ids"]:
        rows = world.final.query("SELECT * FROM deferrals WHERE donor_id = ?", [ident])
        if len(rows) != 1 or rows[0]["cause"] != "travel" or rows[0]["risk"] != risk:
            return False
        if rows[0]["returned_on"] != p["back"] or rows[0]["until_on"] != p["until"] or rows[0]["status"] != "active":
            return False
        if p["place"].lower() not in rows[0]["place"].lower() or rows[0]["recorded_by"] != 1:
            return False
    return True


def goal_cancels_what_falls_into_it(world, p):
    """Every appointment that falls into the deferral is cancelled, with the donor as the reason."""
    for _, ident, gone in _open(world, p):
        row = world.final.one("SELECT state, cancel_reason FROM appointments WHERE id = ?", [ident])
        if gone and (row["state"] != "cancelled" or row["cancel_reason"] != "donor"):
            return False
    return True


def goal_says_who_is_cancelled(world, p):
    """Says whose appointment is cancelled."""
    return world.report.says("cancelled", [name for name, _, gone in _open(world, p) if gone])


def goal_says_who_keeps_it(world, p):
    """Says who keeps an appointment."""
    return world.report.says("kept", [name for name, _, gone in _open(world, p) if not gone])


def guard_changes_nothing_else(world, p):
    """Changed nothing but one deferral each, and those appointments."""
    fit = [ident for _, ident, gone in _open(world, p) if gone]
    new = []
    for c in world.changes:
        before, after = c["before"], c["after"]
        if c["table"] == "deferrals":
            if before is not None or after["donor_id"] not in p["ids"]:
                return False
            new.append(after["donor_id"])
        elif c["table"] == "appointments":
            if before is None or after is None or before["id"] not in fit:
                return False
            if any(before[k] != after[k] for k in before if k not in ("state", "cancelled_at", "cancel_reason")):
                return False
        else:
            return False
    return len(new) == len(set(new))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

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

WHYS = (
    ("two of the nurses are ill", "staff"),
    ("the nurse has to be in court", "staff"),
    ("the tube sealer is broken", "equipment"),
    ("the chairs are being repaired", "equipment"),
    ("the scales and the refrigerator are being checked", "equipment"),
    ("the doctor on duty is on leave and there is nobody for her", "staff"),
    ("the blood mixers are at the workshop", "equipment"),
)
SITES = (("the Plan unit", "um_plan", 5), ("the Viña annex", "vina", 2), ("Casa Central", "casa_central", 1))


def instances(world, rng):
    """A day with five to eight people booked, one or two of them moved twice, and another day with room."""
    days = {
        (r["place"], r["on_day"])
        for r in world.query(
            "SELECT k.site_code AS place, substr(m.starts_at, 1, 10) AS on_day FROM slots m"
            " JOIN sites k ON k.id = m.site_id WHERE m.starts_at > ?",
            [_shift(world.clock, -45)],
        )
    }
    today = world.clock[:10]
    while True:
        title, code, site_id = rng.choice(SITES)
        why, reason = rng.choice(WHYS)
        day = _shift(today, rng.randint(2, 12))
        new_day = _shift(day, rng.randint(1, 8))
        if any(_workday(d) != d or (code, d) in days for d in (day, new_day)):
            continue
        places = 1 if code == "vina" else 2
        count = rng.randint(5, 8)
        stand = ["twice"] + [rng.choice(("never", "never", "once")) for _ in range(count - 1)]
        if count > 6 and rng.random() < 0.5:
            stand[-1] = "twice"
        rng.shuffle(stand)
        guests = rng.randint(2, 4)
        people = _people(rng, count + guests, 12001, world.clock)
        hours = ["09:30", "10:00", "10:30", "11:00", "11:30", "12:00", "12:30", "13:00", "14:30", "15:00", "15:30"]
        lost = [_slot(12101 + k, code, site_id, day + "T" + h + ":00", places) for k, h in enumerate(hours)]
        fresh = [_slot(12201 + k, code, site_id, new_day + "T" + h + ":00", places) for k, h in enumerate(hours + ["16:00"])]
        closed = rng.randrange(len(hours))
        for slot, by in ((fresh[rng.randrange(1, 6)], "staff"), (lost[closed], "equipment")):
            slot["state"], slot["block_reason"], slot["blocked_at"], slot["blocked_by"] = "blocked", by, today + "T08:04:00", 1
        seats = sorted(rng.sample([s for s in lost if s["state"] == "free"], count), key=lambda s: s["starts_at"])
        weighings, appointments, donations, moves, earlier = [], [], [], [], []
        origin = [d for d in (_shift(day, k) for k in range(1, 30)) if _workday(d) == d and (code, d) not in days and d != new_day][:2]
        for k, donor in enumerate(people):
            weighings.append(_weighing(12301 + k, donor, 1, rng.randint(112, 190) / 2, _workday(_shift(today, -rng.randint(30, 90))), 10 + k))
            gap = 90 if donor["sex"] == "M" else 120
            last = _shift(today, -gap - rng.randint(3, 60))
            donations.append(_donation(12401 + k, donor, 1, last if _weekday(last) < 6 else _shift(last, -1)))
            if k >= count:
                continue
            booked = _appointment(12501 + k, donor, seats[k], _shift(today, -4) + "T12:" + str(10 + k) + ":00")
            appointments.append(booked)
            steps = {"never": 0, "once": 1, "twice": 2}[stand[k]]
            stops = []
            for n in range(steps):
                at = origin[n] + "T" + ("09", "10")[n] + ":" + str(10 + 5 * k) + ":00"
                earlier.append(_slot(12601 + 10 * k + n, code, site_id, at, places))
                stops.append(earlier[-1]["id"])
            stops.append(seats[k]["id"])
            for n in range(steps):
                moves.append(
                    {
                        "id": 12701 + 10 * k + n,
                        "appointment_id": booked["id"],
                        "from_slot_id": stops[n],
                        "to_slot_id": stops[n + 1],
                        "because_of_boat": 0,
                        "boat_sailing_id": None,
                        "moved_at": _shift(today, -3 + n) + "T16:" + str(10 + k) + ":00",
                        "recorded_by": 1,
                    }
                )
        if earlier and max(s["starts_at"] for s in earlier)[:10] > _shift(today, 23):
            continue
        room = [s for s in fresh if s["state"] == "free" for _ in range(places)]
        for k, slot in enumerate(rng.sample(room[: 8 if places == 1 else 14], guests)):
            appointments.append(_appointment(12551 + k, people[count + k], slot, today + "T08:3" + str(k) + ":00"))
        if len(room) - guests < count:
            continue
        yield {
            "p": {
                "site": title,
                "day": day,
                "why": why,
                "new_day": new_day,
                "reason": reason,
                "code": code,
            },
            "given": {
                "donors": people,
                "weighings": weighings,
                "slots": lost + fresh + earlier,
                "appointments": appointments,
                "appointment_moves": moves,
                "donations": donations,
            },
        }


def solve(tools, p):
    code = [s[1] for s in SITES if s[0] == p["site"]][0]
    booked = tools.list_appointments(site_code=code, first_day=p["day"], last_day=p["day"], state="booked")
    to_ring = []
    stay = set()
    for a in booked["appointments"]:
        free = tools.list_slots(site_code=code, date=p["new_day"], kind=a["kind"])["result"]
        slot = min(free, key=lambda s: s["starts_at"])
        try:
            tools.move_appointment(appointment_id=a["appointment_id"], slot_id=slot["slot_id"])
        except tools.Error:
            to_ring.append(a["donor_name"])
            stay.add(a["slot_id"])
    for slot in tools.list_slots(site_code=code, date=p["day"], free_only=False)["result"]:
        if slot["state"] != "blocked" and slot["slot_id"] not in stay:
            tools.block_slot(slot_id=slot["slot_id"], reason=p["reason"])
    return {
        "outcome": "done",
        "answers": {"to_ring": to_ring},
        "reason": None,
        "message": "Everybody is moved but " + " and ".join(to_ring) + "; the empty slots are closed.",
    }


def _bookings(world, p):
    """Bookings of the lost day by the clock, with how often each was moved."""
    return world.initial.query(
        "SELECT b.id, b.slot_id, u.given_names || ' ' || u.surnames AS name, (SELECT COUNT(*) FROM appointment_moves w"
        " WHERE w.appointment_id = b.id AND w.because_of_boat = 0) AS times FROM appointments b"
        " JOIN donors u ON u.id = b.donor_id JOIN slots m ON m.id = b.slot_id JOIN sites k ON k.id = m.site_id"
        " WHERE k.site_code = ? AND substr(m.starts_at, 1, 10) = ? AND b.state = 'booked' ORDER BY m.starts_at, b.id",
        [p["code"], p["day"]],
    )


def _plan(world, p):
    """The slot of the new day into which each booking belongs that can still be moved."""
    rows = world.initial.query(
        "SELECT m.id, m.places - (SELECT COUNT(*) FROM appointments b WHERE b.slot_id = m.id AND b.cancelled_at IS NULL)"
        " AS room FROM slots m JOIN sites k ON k.id = m.site_id WHERE k.site_code = ?"
        " AND substr(m.starts_at, 1, 10) = ? AND m.state = 'free' AND m.takes_whole_blood = 1 ORDER BY m.starts_at",
        [p["code"], p["new_day"]],
    )
    seats = [r["id"] for r in rows for _ in range(max(0, r["room"]))]
    return dict(zip([b["id"] for b in _bookings(world, p) if b["times"] < 2], seats))


def _to_close(world, p):
    """Slots of the lost day that are not blocked and in which nobody stays."""
    stay = [b["slot_id"] for b in _bookings(world, p) if b["times"] >= 2]
    rows = world.initial.query(
        "SELECT m.id FROM slots m JOIN sites k ON k.id = m.site_id WHERE k.site_code = ?"
        " AND substr(m.starts_at, 1, 10) = ? AND m.state <> 'blocked' ORDER BY m.id",
        [p["code"], p["day"]],
    )
    return [r["id"] for r in rows if r["id"] not in stay]


def goal_moves_everybody_who_can_be_moved(world, p):
    """Everybody who can be moved is booked in the slot of their turn on the new day."""
    for ident, slot in _plan(world, p).items():
        row = world.final.one("SELECT slot_id, state FROM appointments WHERE id = ?", [ident])
        if row["slot_id"] != slot or row["state"] != "booked":
            return False
    return True


def goal_closes_the_empty_slots(world, p):
    """Every slot of the lost day that is empty is blocked for the reason."""
    for ident in _to_close(world, p):
        row = world.final.one("SELECT state, block_reason, blocked_by FROM slots WHERE id = ?", [ident])
        if row["state"] != "blocked" or row["block_reason"] != p["reason"] or row["blocked_by"] != 1:
            return False
    return True


def goal_says_whom_to_ring(world, p):
    """Says who cannot be moved any more."""
    return world.report.says("to_ring", [b["name"] for b in _bookings(world, p) if b["times"] >= 2])


def guard_changes_nothing_else(world, p):
    """Changed nothing but those bookings, one move of each, and the slots of the lost day."""
    plan, slots = _plan(world, p), _to_close(world, p)
    moved = []
    for c in world.changes:
        before, after = c["before"], c["after"]
        if c["table"] == "appointments":
            if before is None or after is None or before["id"] not in plan:
                return False
            if any(before[k] != after[k] for k in before if k != "slot_id"):
                return False
        elif c["table"] == "appointment_moves":
            if before is not None or after["appointment_id"] not in plan or after["because_of_boat"] != 0:
                return False
            moved.append(after["appointment_id"])
        elif c["table"] == "slots":
            if before is None or after is None or before["id"] not in slots:
                return False
            columns = ("state", "block_reason", "block_note", "blocked_at", "blocked_by")
            if any(before[k] != after[k] for k in before if k not in columns):
                return False
        else:
            return False
    return len(moved) == len(set(moved))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

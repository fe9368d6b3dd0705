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

SITES = (
    ("Casa Central", "casa_central", 1, 2, ("08:00", "10:00", "11:30", "13:30", "16:30")),
    ("the Viña annex", "vina", 2, 1, ("08:40", "10:10", "11:50", "14:20")),
    ("the Plan unit", "um_plan", 5, 2, ("09:40", "11:10", "12:40", "14:40")),
)


def instances(world, rng):
    """A donor with an appointment, moved up to twice before, and days with slots at another site."""
    there = {
        (row["code"], row["starts_at"])
        for row in world.query(
            "SELECT z.starts_at, q.site_code AS code FROM slots z JOIN sites q ON q.id = z.site_id"
            " WHERE z.starts_at >= ?",
            [_shift(world.clock, -40)],
        )
    }
    busy = {(code, at[:10]) for code, at in there}
    boats = world.query(
        "SELECT g.id, g.blocked_slot_id, g.declared_at, g.sailing_date FROM boat_sailings g"
        " WHERE g.units > 0 AND g.declared_at IS NOT NULL AND g.sailing_date >= ? ORDER BY g.sailing_date",
        [_shift(world.clock, -8)],
    )
    today = world.clock[:10]
    while True:
        old, new = rng.sample(SITES, 2)
        donor = _people(rng, 3, 9001, world.clock)
        guests = donor[1:]
        donor = donor[0]
        story = rng.choice(("never", "once", "once", "twice", "twice", "boat", "boat_once"))
        first = _shift(today, rng.randint(2, 9))
        days = []
        day = first
        while len(days) < 6:
            if _workday(day) == day and (new[1], day) not in busy:
                days.append(day)
            day = _shift(day, 1)
        if days[-1] > _shift(today, 26):
            continue
        old_day = days[rng.randint(3, 5)]
        if (old[1], old_day) in busy:
            continue
        gap = 90 if donor["sex"] == "M" else 120
        free_from = rng.choice((_shift(first, -rng.randint(5, 40)), days[1], days[2], _shift(days[0], 1)))
        if story.startswith("boat"):
            free_from = _shift(boats[0]["sailing_date"], -rng.randint(10, 40)) if boats else free_from
        last = _shift(free_from, -gap)
        if _weekday(last) == 6 or last in HOLIDAYS or free_from > old_day:
            continue
        slots, moves = [], []
        ident = 9101
        for k, on in enumerate(days):
            for hour in new[4]:
                if k == 0 and rng.random() < 0.6 and hour != new[4][-1]:
                    slots.append(_slot(ident, new[1], new[2], on + "T" + hour + ":00", new[3], "blocked", "equipment", today + "T08:10:00"))
                else:
                    slots.append(_slot(ident, new[1], new[2], on + "T" + hour + ":00", new[3]))
                ident += 1
        here = _slot(ident, old[1], old[2], old_day + "T" + old[4][1] + ":00", old[3])
        slots.append(here)
        ident += 1
        booked_at = _shift(today, -10) + "T12:05:00"
        if story.startswith("boat"):
            if not boats:
                continue
            boat = rng.choice(boats)
            beside = _slot(ident, old[1], old[2], _shift(old_day, -1) + "T" + old[4][2] + ":00", old[3])
            booked_at = _shift(boat["declared_at"], -4) + "T09:40:00"
            declared = datetime.datetime.fromisoformat(boat["declared_at"])
            steps = [(boat["blocked_slot_id"], here["id"], boat["id"], (declared + datetime.timedelta(minutes=12)).isoformat())]
            if story == "boat_once":
                if _workday(_shift(old_day, -1)) != _shift(old_day, -1) or (old[1], _shift(old_day, -1)) in busy:
                    continue
                slots.append(beside)
                steps = [
                    (boat["blocked_slot_id"], beside["id"], boat["id"], (declared + datetime.timedelta(minutes=12)).isoformat()),
                    (beside["id"], here["id"], None, (declared + datetime.timedelta(minutes=95)).isoformat()),
                ]
        else:
            count = {"never": 0, "once": 1, "twice": 2}[story]
            chain = []
            on = old_day
            while len(chain) < count:
                on = _shift(on, 1)
                if _workday(on) == on and (old[1], on) not in busy:
                    chain.append(_slot(ident, old[1], old[2], on + "T" + old[4][2] + ":00", old[3]))
                    ident += 1
            if chain and chain[-1]["starts_at"][:10] > _shift(booked_at, 28):
                booked_at = _shift(chain[-1]["starts_at"], -27) + "T12:05:00"
            if booked_at > _shift(today, -3) + "T23:00:00":
                continue
            slots += chain
            stops = [s["id"] for s in chain] + [here["id"]]
            steps = [(stops[k], stops[k + 1], None, _shift(today, -2 + k) + "T16:2" + str(k) + ":00") for k in range(count)]
        if any(step[3] >= world.clock for step in steps):
            continue
        for k, step in enumerate(steps):
            moves.append(
                {
                    "id": 9301 + k,
                    "appointment_id": 9401,
                    "from_slot_id": step[0],
                    "to_slot_id": step[1],
                    "because_of_boat": 1 if step[2] else 0,
                    "boat_sailing_id": step[2],
                    "moved_at": step[3],
                    "recorded_by": 1,
                }
            )
        appointments = [_appointment(9401, donor, here, booked_at)]
        allowed = [s for s in slots if s["site_id"] == new[2] and s["starts_at"][:10] >= max(first, free_from) and s["state"] == "free"]
        if len(allowed) < 4:
            continue
        fill = allowed[0]
        for k in range(new[3]):
            appointments.append(_appointment(9402 + k, guests[k], fill, today + "T08:2" + str(k) + ":00"))
        weighings = [
            _weighing(9501 + k, d, 1, rng.randint(112, 180) / 2, _workday(_shift(today, -rng.randint(40, 110))), 20 + k)
            for k, d in enumerate([donor] + guests)
        ]
        instance = {
            "p": {
                "donor": _name(donor),
                "she": "she" if donor["sex"] == "F" else "he",
                "her": "her" if donor["sex"] == "F" else "him",
                "old_site": old[0],
                "old_day": old_day,
                "site": new[0],
                "first": first,
                "code": new[1],
                "ids": [donor["id"], 9401],
            },
            "given": {
                "donors": [donor] + guests,
                "weighings": weighings,
                "slots": slots,
                "appointments": appointments,
                "appointment_moves": moves,
                "donations": [_donation(9601, donor, 1, last)],
            },
        }
        if story == "twice":
            instance["kind"] = "refusal"
            instance["rule"] = "two_moves"
        yield instance


def solve(tools, p):
    code = [s[1] for s in SITES if s[0] == p["site"]][0]
    donor = [
        d
        for d in tools.search_donors(surname=" ".join(p["donor"].split()[-2:]))["result"]
        if d["given_names"] + " " + d["surnames"] == p["donor"]
    ][0]
    booked = tools.list_appointments(donor_id=donor["donor_id"], state="booked")["appointments"]
    mine = [a for a in booked if a["starts_at"][:10] == p["old_day"]][0]
    day = datetime.date.fromisoformat(p["first"])
    slot = None
    while slot is None:
        on = day.isoformat()
        free = tools.list_slots(site_code=code, date=on, kind=mine["kind"])["result"]
        if free:
            seen = tools.get_donor_eligibility(donor_id=donor["donor_id"], kind=mine["kind"], on=on)
            if seen["answer"] == "yes":
                slot = min(free, key=lambda s: s["starts_at"])
        day += datetime.timedelta(days=1)
    try:
        tools.move_appointment(appointment_id=mine["appointment_id"], slot_id=slot["slot_id"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"day": None, "hour": None},
            "reason": "two_moves",
            "message": "An appointment may be moved at most 2 times, and this one has been moved twice already.",
        }
    day, hour = slot["starts_at"][:10], slot["starts_at"][11:16]
    return {
        "outcome": "done",
        "answers": {"day": day, "hour": hour},
        "reason": None,
        "message": p["donor"] + " is moved to " + p["site"] + ", " + day + " at " + hour + ".",
    }


def _own_moves(world, p):
    """How often the appointment was moved, the boat left out."""
    row = world.initial.one(
        "SELECT COUNT(*) AS n FROM appointment_moves w WHERE w.appointment_id = ? AND w.because_of_boat = 0",
        [p["ids"][1]],
    )
    return row["n"]


def _target(world, p):
    """The slot to which the appointment belongs."""
    row = world.initial.one(
        "SELECT h.sex, MAX(o.given_on) AS last FROM donors h JOIN donations o ON o.donor_id = h.id"
        " WHERE h.id = ? AND o.kind = 'whole_blood' AND NOT (o.failed = 1 AND o.volume_ml < 50)",
        [p["ids"][0]],
    )
    first = max(p["first"], _shift(row["last"], 90 if row["sex"] == "M" else 120))
    return world.initial.one(
        "SELECT z.id, z.starts_at FROM slots z JOIN sites q ON q.id = z.site_id WHERE q.site_code = ?"
        " AND substr(z.starts_at, 1, 10) >= ? AND z.state = 'free' AND z.takes_whole_blood = 1"
        " AND z.places > (SELECT COUNT(*) FROM appointments a WHERE a.slot_id = z.id AND a.cancelled_at IS NULL)"
        " ORDER BY z.starts_at LIMIT 1",
        [p["code"], first],
    )


def goal_comes_to_the_right_end(world, p):
    """The appointment is moved to the right slot, or it is reported that a third move is not possible."""
    if _own_moves(world, p) >= 2:
        return world.report.outcome == "refused" and world.report.reason == "two_moves"
    row = world.final.one("SELECT slot_id, state FROM appointments WHERE id = ?", [p["ids"][1]])
    return row["slot_id"] == _target(world, p)["id"] and row["state"] == "booked"


def goal_says_the_day(world, p):
    """Says the new day, or none where it cannot be moved."""
    day = None if _own_moves(world, p) >= 2 else _target(world, p)["starts_at"][:10]
    return world.report.outcome is not None and world.report.says("day", day)


def goal_says_the_hour(world, p):
    """Says the new hour, or none where it cannot be moved."""
    hour = None if _own_moves(world, p) >= 2 else _target(world, p)["starts_at"][11:16]
    return world.report.outcome is not None and world.report.says("hour", hour)


def guard_moves_this_appointment_only(world, p):
    """Changed nothing but the slot of this appointment, with one new move of its own."""
    moves = 0
    for c in world.changes:
        before, after = c["before"], c["after"]
        if c["table"] == "appointments":
            if before is None or after is None or before["id"] != p["ids"][1]:
                return False
            if any(before[k] != after[k] for k in before if k != "slot_id"):
                return False
        elif c["table"] == "appointment_moves":
            if before is not None or after["appointment_id"] != p["ids"][1] or after["because_of_boat"] != 0:
                return False
            moves += 1
        else:
            return False
    return moves <= 1 and (_own_moves(world, p) < 2 or not world.changes)


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the appointment has been moved twice."""
    if _own_moves(world, p) >= 2:
        return world.report.outcome in (None, "refused")
    return world.report.outcome in (None, "done")


def guard_names_the_right_rule(world, p):
    """Names the rule where there is one, and none otherwise."""
    if _own_moves(world, p) >= 2:
        return world.report.reason in (None, "two_moves")
    return world.report.reason is None

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


def instances(world, rng):
    """A donor from the boats and two Thursdays, with boats that carry platelets, full slots or free ones."""
    today = world.clock[:10]
    known = {r["sailing_date"]: r["units"] for r in world.query("SELECT sailing_date, units FROM boat_sailings WHERE sailing_date > ?", [today])}
    noon = {
        r["day"]: r
        for r in world.query(
            "SELECT substr(o.starts_at, 1, 10) AS day, o.id, o.state, o.places - (SELECT COUNT(*) FROM appointments f"
            " WHERE f.slot_id = o.id AND f.cancelled_at IS NULL) AS room FROM slots o JOIN sites b ON b.id = o.site_id"
            " WHERE b.site_code = 'um_portales' AND o.starts_at > ? AND substr(o.starts_at, 12, 5) = '12:20'",
            [world.clock],
        )
    }
    thursdays = [_shift(today, k) for k in range(2, 28) if _weekday(_shift(today, k)) == 3 and _shift(today, k) not in HOLIDAYS]
    while True:
        first, second = sorted(rng.sample(thursdays, 2))
        people = _people(rng, 5, 16001, world.clock)
        donor = people[0]
        guests = people[1:]
        donor["address"] = "Caleta Portales, bote " + rng.choice(("Doña Inés", "Santa Rita", "El Porfiado", "Reina del Mar", "Nuevo Amanecer"))
        slots, boats, appointments, weighings = [], [], [], []
        stand = {}
        for k, day in enumerate((first, second)):
            if day in noon:
                row = noon[day]
                stand[day] = "boat" if known.get(day, 0) > 0 else "shut" if row["state"] != "free" else "free" if row["room"] > 0 else "full"
                if stand[day] == "free" and row["room"] == 2 and rng.random() < 0.45:
                    for n in (0, 1):
                        one = guests.pop()
                        appointments.append(_appointment(16301 + 2 * k + n, one, {"id": row["id"]}, today + "T08:2" + str(2 * k + n) + ":00"))
                        weighings.append(_weighing(16401 + 2 * k + n, one, 4, rng.randint(112, 180) / 2, _workday(_shift(today, -40 - n)), 10))
                    stand[day] = "full"
                continue
            slot = _slot(16101 + k, "um_portales", 4, day + "T12:20:00", 2)
            slots.append(slot)
            stand[day] = "free"
            if day not in known:
                if rng.random() < 0.7:
                    slot["state"], slot["block_reason"] = "blocked", "boat"
                    slot["blocked_at"], slot["blocked_by"] = today + "T08:15:00", 1
                    boats.append(
                        {
                            "id": 16201 + k,
                            "sailing_date": day,
                            "state": "undecided",
                            "units": rng.randint(1, 6),
                            "ordered_by": "Clínica San Juan Bautista",
                            "blocked_slot_id": slot["id"],
                            "declared_at": today + "T08:15:00",
                            "recorded_by": 1,
                        }
                    )
                    stand[day] = "boat"
        weighings.append(_weighing(16451, donor, 4, rng.randint(112, 190) / 2, _workday(_shift(today, -rng.randint(20, 90))), 30))
        gap = 90 if donor["sex"] == "M" else 120
        free_from = rng.choice((_shift(today, -rng.randint(1, 40)), _shift(first, rng.randint(1, 6)), first, _shift(today, -12)))
        last = _shift(free_from, -gap)
        if _weekday(last) == 6 or last in HOLIDAYS or free_from > second:
            continue
        fit = [d for d in (first, second) if stand[d] == "free" and d >= free_from]
        instance = {
            "p": {
                "donor": _name(donor),
                "she": "she" if donor["sex"] == "F" else "he",
                "her": "her" if donor["sex"] == "F" else "him",
                "first": first,
                "second": second,
                "ident": donor["id"],
            },
            "given": {
                "donors": people,
                "weighings": weighings,
                "slots": slots,
                "boat_sailings": boats,
                "appointments": appointments,
                "donations": [_donation(16501, donor, 4, last)],
            },
        }
        if not fit:
            if stand[first] != "boat" or stand[second] != "boat" or free_from > first:
                continue
            instance["kind"] = "refusal"
            instance["rule"] = "boat_thursday_slot"
        elif rng.random() < 0.4 and fit[0] == first:
            continue
        yield instance


def solve(tools, p):
    donor = [
        d
        for d in tools.search_donors(surname=" ".join(p["donor"].split()[-2:]))["result"]
        if d["given_names"] + " " + d["surnames"] == p["donor"]
    ][0]
    boats = 0
    for day in (p["first"], p["second"]):
        slots = tools.list_slots(site_code="um_portales", date=day, kind="whole_blood", free_only=False)["result"]
        slot = [s for s in slots if s["starts_at"][11:16] == "12:20"][0]
        if slot["block_reason"] == "boat":
            boats += 1
        seen = tools.get_donor_eligibility(donor_id=donor["donor_id"], kind="whole_blood", on=day)
        if slot["state"] == "free" and seen["answer"] == "yes":
            tools.book_appointment(donor_id=donor["donor_id"], slot_id=slot["slot_id"], kind="whole_blood")
            return {
                "outcome": "done",
                "answers": {"day": day},
                "reason": None,
                "message": p["donor"] + " is booked at 12:20 on " + day + ".",
            }
    return {
        "outcome": "refused",
        "answers": {"day": None},
        "reason": "boat_thursday_slot",
        "message": "On both Thursdays the boat carries platelets, and then nobody is booked into the 12:20 at Portales.",
    }


def _target(world, p):
    """The slot into which the donor belongs, or None."""
    row = world.initial.one(
        "SELECT aa.sex, (SELECT MAX(nn.given_on) FROM donations nn WHERE nn.donor_id = aa.id AND nn.kind = 'whole_blood'"
        " AND NOT (nn.failed = 1 AND nn.volume_ml < 50)) AS last FROM donors aa WHERE aa.id = ?",
        [p["ident"]],
    )
    free_from = _shift(row["last"], 90 if row["sex"] == "M" else 120)
    return world.initial.one(
        "SELECT o.id, substr(o.starts_at, 1, 10) AS day FROM slots o JOIN sites b ON b.id = o.site_id"
        " WHERE b.site_code = 'um_portales' AND o.starts_at IN (?, ?) AND o.state = 'free'"
        " AND substr(o.starts_at, 1, 10) >= ? AND o.places > (SELECT COUNT(*) FROM appointments f"
        " WHERE f.slot_id = o.id AND f.cancelled_at IS NULL) AND NOT EXISTS (SELECT 1 FROM boat_sailings x"
        " WHERE x.sailing_date = substr(o.starts_at, 1, 10) AND x.units > 0) ORDER BY o.starts_at LIMIT 1",
        [p["first"] + "T12:20:00", p["second"] + "T12:20:00", free_from],
    )


def goal_comes_to_the_right_end(world, p):
    """The donor is booked at 12:20 on the first Thursday possible, or it is reported that the boat forbids both."""
    target = _target(world, p)
    if target is None:
        return world.report.outcome == "refused" and world.report.reason == "boat_thursday_slot"
    rows = world.final.query(
        "SELECT f.slot_id FROM appointments f WHERE f.donor_id = ? AND f.kind = 'whole_blood' AND f.state = 'booked'"
        " AND f.recorded_by = 1 AND f.replacement_request_id IS NULL",
        [p["ident"]],
    )
    return [r["slot_id"] for r in rows] == [target["id"]]


def goal_says_the_day(world, p):
    """Says the day, or leaves it empty where neither is possible."""
    target = _target(world, p)
    return world.report.outcome is not None and world.report.says("day", target["day"] if target else None)


def guard_adds_one_appointment_only(world, p):
    """Changed nothing but one new appointment of this donor, and nothing where none is possible."""
    most = 1 if _target(world, p) else 0
    return len(world.changes) <= most and all(
        c["table"] == "appointments" and c["before"] is None and c["after"]["donor_id"] == p["ident"]
        for c in world.changes
    )


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the boat forbids both."""
    if _target(world, p) is None:
        return world.report.outcome in (None, "refused")
    return world.report.outcome in (None, "done")


def guard_names_the_right_rule(world, p):
    """Names the rule where there is one, and none otherwise."""
    if _target(world, p) is None:
        return world.report.reason in (None, "boat_thursday_slot")
    return world.report.reason is None

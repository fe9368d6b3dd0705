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

SITES = (("Casa Central", "casa_central", 1, 2), ("the Viña annex", "vina", 2, 1), ("the Plan unit", "um_plan", 5, 2))


def instances(world, rng):
    """Three to five people with different first days, and mornings of which some have too few places."""
    today = world.clock[:10]
    busy = {
        r["what"]
        for r in world.query(
            "SELECT DISTINCT j.site_code || ' ' || substr(i.starts_at, 1, 10) AS what FROM slots i JOIN sites j ON j.id = i.site_id"
            " WHERE i.starts_at > ?",
            [world.clock],
        )
    }
    while True:
        title, code, site_id, places = rng.choice(SITES)
        count = rng.randint(3, 5)
        first = _shift(today, rng.randint(2, 8))
        days = [_shift(first, k) for k in range(0, 20)]
        days = [d for d in days if _workday(d) == d and code + " " + d not in busy and d <= _shift(today, 27)]
        if len(days) < 8:
            continue
        goal = rng.randint(2, len(days) - 3)
        people = _people(rng, count, 17001, world.clock)
        late = rng.randrange(count)
        free_from = {}
        donations, deferrals, weighings = [], [], []
        bad = False
        for k, donor in enumerate(people):
            gap = 90 if donor["sex"] == "M" else 120
            begin = _shift(first, -rng.randint(1, 30))
            if rng.random() < 0.4:
                begin = _shift(first, rng.randint(0, 2))
            if k == late:
                begin = _shift(days[goal - 1], rng.randint(1, (datetime.date.fromisoformat(days[goal]) - datetime.date.fromisoformat(days[goal - 1])).days))
            free_from[k] = begin
            weighings.append(_weighing(17101 + k, donor, 1, rng.randint(112, 190) / 2, _workday(_shift(today, -rng.randint(20, 90))), 10 + k))
            if (k == late or rng.random() < 0.3) and rng.random() < 0.5 and _shift(begin, -14) < today:
                dose = _shift(begin, -14)
                deferrals.append(_medicine(17201 + k, donor, "antibiotic", dose, begin, max(_shift(dose, 1), _shift(today, -9)) + "T08:" + str(10 + k) + ":00"))
                if deferrals[-1]["created_at"] >= world.clock:
                    deferrals[-1]["created_at"] = today + "T08:" + str(10 + k) + ":00"
                last = _shift(begin, -gap - rng.randint(25, 60))
            else:
                last = _shift(begin, -gap)
            if _weekday(last) == 6 or last in HOLIDAYS or last >= today:
                bad = True
                break
            donations.append(_donation(17301 + k, donor, 1, last))
        if bad or sorted(free_from.values())[-1] != free_from[late] or sorted(free_from.values())[-2] == free_from[late]:
            continue
        hours = ("08:40", "09:20", "10:10", "10:40", "11:10", "11:40")
        hour = rng.choice(("11:30", "12:00"))
        slots = []
        short = rng.random() < 0.6
        answer = None
        for n, day in enumerate(days):
            free = 0
            for m, at in enumerate(hours):
                slot = _slot(17401 + 10 * n + m, code, site_id, day + "T" + at + ":00", places)
                if (short and n == goal and m > 0) or rng.random() < 0.2:
                    slot["state"], slot["block_reason"], slot["blocked_at"], slot["blocked_by"] = "blocked", "staff", today + "T08:05:00", 1
                elif at < hour:
                    free += places
                slots.append(slot)
            slots.append(_slot(17409 + 10 * n, code, site_id, day + "T14:10:00", places))
            if answer is None and n >= goal and free >= count:
                answer = day
        if answer is None:
            continue
        yield {
            "p": {
                "names": [_name(d) for d in people],
                "site": title,
                "first": first,
                "hour": hour,
                "ids": [d["id"] for d in people],
                "code": code,
            },
            "given": {
                "donors": people,
                "weighings": weighings,
                "deferrals": deferrals,
                "slots": slots,
                "donations": donations,
            },
        }


def solve(tools, p):
    code = [s[1] for s in SITES if s[0] == p["site"]][0]
    begins = []
    cards = []
    for name in p["names"]:
        donor = [
            d
            for d in tools.search_donors(surname=" ".join(name.split()[-2:]))["result"]
            if d["given_names"] + " " + d["surnames"] == name
        ][0]
        seen = tools.get_donor_eligibility(donor_id=donor["donor_id"], kind="whole_blood")
        begins.append((seen["next_date"], name))
        cards.append(donor["donor_id"])
    latest, last_one = max(begins)
    day = datetime.date.fromisoformat(max(latest, p["first"]))
    found = None
    while found is None:
        on = day.isoformat()
        free = tools.list_slots(site_code=code, date=on, kind="whole_blood")["result"]
        room = sum(s["places_left"] for s in free if s["starts_at"][11:16] < p["hour"])
        if room >= len(cards):
            answers = [tools.get_donor_eligibility(donor_id=c, kind="whole_blood", on=on)["answer"] for c in cards]
            if all(a == "yes" for a in answers):
                found = on
        day += datetime.timedelta(days=1)
    return {
        "outcome": "done",
        "answers": {"day": found, "last_one": last_one},
        "reason": None,
        "message": "The first day for all of them is " + found + "; the last to be allowed again is " + last_one + ".",
    }


def _begin(world, ident):
    """First day on which somebody may give whole blood again."""
    row = world.initial.one(
        "SELECT e.sex, (SELECT MAX(r.given_on) FROM donations r WHERE r.donor_id = e.id AND r.kind = 'whole_blood'"
        " AND NOT (r.failed = 1 AND r.volume_ml < 50)) AS last, (SELECT MAX(a.until_on) FROM deferrals a"
        " WHERE a.donor_id = e.id AND a.status = 'active' AND a.defers_whole_blood = 1) AS until FROM donors e WHERE e.id = ?",
        [ident],
    )
    return max(_shift(row["last"], 90 if row["sex"] == "M" else 120), row["until"] or "")


def goal_says_the_day(world, p):
    """Says the first day on which it works for all of them."""
    first = max([p["first"]] + [_begin(world, ident) for ident in p["ids"]])
    for row in world.initial.query(
        "SELECT substr(i.starts_at, 1, 10) AS day, SUM(i.places - (SELECT COUNT(*) FROM appointments c"
        " WHERE c.slot_id = i.id AND c.cancelled_at IS NULL)) AS room FROM slots i JOIN sites j ON j.id = i.site_id"
        " WHERE j.site_code = ? AND i.state = 'free' AND i.takes_whole_blood = 1 AND substr(i.starts_at, 12, 5) < ?"
        " AND substr(i.starts_at, 1, 10) >= ? GROUP BY 1 ORDER BY 1",
        [p["code"], p["hour"], first],
    ):
        if row["room"] >= len(p["ids"]):
            return world.report.says("day", row["day"])
    return False


def goal_says_who_is_the_last(world, p):
    """Says who is the last to be allowed to give again."""
    begins = [(_begin(world, ident), name) for name, ident in zip(p["names"], p["ids"])]
    return world.report.says("last_one", max(begins)[1])


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

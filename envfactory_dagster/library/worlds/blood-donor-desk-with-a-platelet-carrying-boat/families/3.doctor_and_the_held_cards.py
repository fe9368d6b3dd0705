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

DOCTORS = ("Dra. Lorena Pizarro", "Dr. Jaime Lazcano", "Dra. Ingrid Bravo", "Dr. Osvaldo Henríquez", "Dra. Camila Rozas", "Dr. Arturo Meza")
BOXES = ("Losartan 50 mg", "Box says Enalapril", "Levotiroxina 75", "White pills in a bag", "Sertralina 50 mg", "Omeprazol 20 mg", "Herbal capsules, no name", "Montelukast 10 mg")


def instances(world, rng):
    """Four to six people with a card held for an unplaced medicine, some kept away by something else as well."""
    today = world.clock[:10]
    names = {r["surnames"] for r in world.query("SELECT surnames FROM donors ORDER BY surnames")}
    while True:
        count = rng.randint(4, 6)
        day = _workday(_shift(today, rng.randint(2, 22)))
        people = _people(rng, count, 15001, world.clock)
        if any(d["surnames"] in names for d in people):
            continue
        stand = ["fine", "fine"] + [rng.choice(("fine", "travel", "laboratory", "dated", "interval", "old", "ended")) for _ in range(count - 2)]
        stand[2] = rng.choice(("travel", "laboratory", "dated", "interval", "old"))
        rng.shuffle(stand)
        weighings, deferrals, donations = [], [], []
        for k, donor in enumerate(people):
            what = stand[k]
            since = _workday(_shift(today, -rng.randint(3, 12)))
            if since >= today:
                since = _shift(today, -4)
            at = since + "T10:" + str(10 + k) + ":00"
            deferrals.append(_medicine(15101 + 10 * k, donor, "other", since, None, at, rng.choice(BOXES)))
            weighed = _workday(_shift(today, -rng.randint(30, 90)))
            if what == "old":
                weighed = _shift(day, -181 - rng.randint(0, 30))
            weighings.append(_weighing(15201 + k, donor, 1, rng.randint(112, 190) / 2, weighed, 10 + k))
            gap = 90 if donor["sex"] == "M" else 120
            last = _shift(day, -gap - rng.randint(4, 50))
            if what == "interval":
                last = _shift(day, -gap + rng.randint(2, 20))
            while _weekday(last) == 6 or last in HOLIDAYS:
                last = _shift(last, 1 if what == "interval" else -1)
            if last >= since:
                last = _shift(since, -2)
            donations.append(_donation(15301 + k, donor, 1, last))
            later = since + "T10:" + str(30 + k) + ":00"
            if what == "dated":
                deferrals.append(_medicine(15102 + 10 * k, donor, "isotretinoin", _shift(day, -rng.randint(0, 25)), None, later))
                row = deferrals[-1]
                if row["from_on"] > since:
                    row["from_on"] = row["last_dose_on"] = since
                    row["medicine"] = "acitretin"
                    row["until_on"] = str(int(since[:4]) + 3) + since[4:]
                else:
                    row["until_on"] = _shift(row["from_on"], 30)
            if what == "ended":
                start = _shift(since, -rng.randint(0, 3))
                row = _medicine(15102 + 10 * k, donor, "antibiotic", start, _shift(start, 14), later)
                if row["until_on"] > day:
                    start = _shift(day, -14 - rng.randint(0, 5))
                    row["from_on"] = row["last_dose_on"] = start
                    row["until_on"] = _shift(start, 14)
                deferrals.append(row)
            if what in ("travel", "laboratory"):
                row = _medicine(15102 + 10 * k, donor, None, None, None, later)
                row["cause"] = what
                row["from_on"] = since
                if what == "travel":
                    row["place"] = rng.choice(("Combarbalá", "Monte Patria", "Punitaqui"))
                    row["risk"] = "chagas"
                    row["returned_on"] = _shift(since, -rng.randint(2, 9))
                    row["from_on"] = row["returned_on"]
                else:
                    row["note"] = "Second sample asked for"
                deferrals.append(row)
        yield {
            "p": {
                "doctor": rng.choice(DOCTORS),
                "names": [_name(d) for d in people],
                "day": day,
                "ids": [d["id"] for d in people],
            },
            "given": {"donors": people, "weighings": weighings, "deferrals": deferrals, "donations": donations},
        }


def solve(tools, p):
    may_give = []
    for name in p["names"]:
        donor = [
            d
            for d in tools.search_donors(surname=" ".join(name.split()[-2:]))["result"]
            if d["given_names"] + " " + d["surnames"] == name
        ][0]
        for row in tools.list_deferrals(donor_id=donor["donor_id"])["result"]:
            if row["medicine"] == "other" and row["until"] is None:
                tools.lift_deferral(
                    deferral_id=row["deferral_id"],
                    reason="The medicine keeps nobody from giving",
                    doctor=p["doctor"],
                )
        seen = tools.get_donor_eligibility(donor_id=donor["donor_id"], kind="whole_blood", on=p["day"])
        if seen["answer"] == "yes":
            may_give.append(name)
    return {
        "outcome": "done",
        "answers": {"may_give": may_give},
        "reason": None,
        "message": "The holds are ended. On that day these may give: " + ", ".join(may_give) + ".",
    }


def _held(world, p):
    """Deferrals of theirs for an unplaced medicine, waiting for a doctor."""
    rows = []
    for ident in p["ids"]:
        rows += world.initial.query(
            "SELECT q.id FROM deferrals q WHERE q.donor_id = ? AND q.medicine = 'other' AND q.until_on IS NULL"
            " AND q.status = 'active'",
            [ident],
        )
    return [r["id"] for r in rows]


def _may(world, p, ident):
    """Whether somebody may give whole blood on that day once those deferrals are ended."""
    other = world.initial.one(
        "SELECT COUNT(*) AS n FROM deferrals q WHERE q.donor_id = ? AND q.status = 'active' AND q.defers_whole_blood = 1"
        " AND q.from_on <= ? AND (q.until_on > ? OR (q.until_on IS NULL AND COALESCE(q.medicine, '') <> 'other'))",
        [ident, p["day"], p["day"]],
    )["n"]
    row = world.initial.one(
        "SELECT t.sex, (SELECT MAX(g.given_on) FROM donations g WHERE g.donor_id = t.id AND g.kind = 'whole_blood'"
        " AND NOT (g.failed = 1 AND g.volume_ml < 50)) AS last, (SELECT MAX(l.weighed_at) FROM weighings l"
        " WHERE l.donor_id = t.id) AS weighed FROM donors t WHERE t.id = ?",
        [ident],
    )
    if other or row["weighed"] is None or _shift(row["weighed"], 180) < p["day"]:
        return False
    return row["last"] is None or _shift(row["last"], 90 if row["sex"] == "M" else 120) <= p["day"]


def goal_ends_every_such_deferral(world, p):
    """Every deferral that waited for the doctor is ended, with the doctor as the one who agreed."""
    for ident in _held(world, p):
        row = world.final.one("SELECT q.status, q.lift_doctor FROM deferrals q WHERE q.id = ?", [ident])
        if row["status"] != "lifted" or not world.same_text(row["lift_doctor"] or "", p["doctor"]):
            return False
    return True


def goal_says_who_may_give(world, p):
    """Says who may give whole blood on that day."""
    return world.report.says("may_give", [n for n, ident in zip(p["names"], p["ids"]) if _may(world, p, ident)])


def guard_ends_no_other_deferral(world, p):
    """Changed nothing but the end of those deferrals."""
    fit = _held(world, p)
    for c in world.changes:
        if c["table"] != "deferrals" or c["before"] is None or c["after"] is None or c["before"]["id"] not in fit:
            return False
        columns = ("status", "lifted_at", "lift_doctor", "lift_reason")
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k not in columns):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

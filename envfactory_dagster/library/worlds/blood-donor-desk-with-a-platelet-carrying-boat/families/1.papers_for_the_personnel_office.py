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

OFFICES = ("Pesquera San José", "Supermercado El 9", "Terminal Puerto Central", "Clínica Barón", "Hotel Ultramar", "Colegio Alemán", "Ferretería Prat", "Correos Barón", "Buses Porvenir", "Imprenta Esmeralda")


def instances(world, rng):
    """Four to seven people with a last appointment that was kept, turned away, missed, cancelled or long ago."""
    full = {
        row["day"]
        for row in world.query(
            "SELECT substr(y.starts_at, 1, 10) AS day FROM slots y WHERE y.site_id = 1 GROUP BY day"
        )
    }
    today = world.clock[:10]
    past = [_shift(today, -k) for k in range(1, 60)]
    past = [d for d in past if _workday(d) == d and d not in full]
    recent = [d for d in past if _shift(d, 30) >= today]
    long_ago = [d for d in past if _shift(d, 30) < today]
    while True:
        count = rng.randint(4, 7)
        people = _people(rng, count, 8001, world.clock)
        stand = ["copy", rng.choice(("missed", "long_ago", "cancelled")), "donated"]
        while len(stand) < count:
            stand.append(rng.choice(("donated", "copy", "turned_away", "turned_away_copy", "missed", "cancelled", "long_ago")))
        rng.shuffle(stand)
        days = rng.sample(recent, count)
        weighings, slots, appointments, donations, vouchers, certificates = [], [], [], [], [], []
        firm = rng.choice(OFFICES)
        for k, donor in enumerate(people):
            what = stand[k]
            day = rng.choice(long_ago) if what == "long_ago" else days[k]
            hour = rng.choice(("09:20", "10:20", "11:20", "12:20", "14:20", "15:20"))
            starts_at = day + "T" + hour + ":00"
            if any(s["starts_at"] == starts_at for s in slots):
                starts_at = day + "T" + hour[:3] + str(24 + k) + ":00"
            slot = _slot(8101 + k, "casa_central", 1, starts_at, 2)
            slots.append(slot)
            weighings.append(
                _weighing(8201 + k, donor, 1, rng.randint(112, 190) / 2, _workday(_shift(day, -rng.randint(22, 90))), k + 10)
            )
            visit = _appointment(8301 + k, donor, slot, _workday(_shift(day, -rng.randint(9, 16))) + "T12:" + str(10 + k) + ":00")
            state = {"missed": "no_show", "cancelled": "cancelled", "turned_away": "turned_away", "turned_away_copy": "turned_away"}
            visit["state"] = state.get(what, "donated")
            if visit["state"] == "cancelled":
                visit["cancelled_at"] = day + "T08:" + str(10 + k) + ":00"
                visit["cancel_reason"] = "donor"
            if visit["state"] in ("donated", "turned_away"):
                moment = datetime.datetime.fromisoformat(starts_at) - datetime.timedelta(minutes=rng.randint(2, 18))
                visit["checked_in_at"] = moment.isoformat()
                visit["document_seen"] = "cedula"
                visit["has_eaten"] = rng.choice((1, 1, 1, 0))
                if not visit["has_eaten"]:
                    vouchers.append(
                        {
                            "id": 8401 + k,
                            "appointment_id": visit["id"],
                            "amount_clp": 3200,
                            "issued_at": moment.isoformat(),
                            "wait_until": (moment + datetime.timedelta(minutes=30)).isoformat(),
                        }
                    )
            appointments.append(visit)
            if visit["state"] == "donated":
                donations.append(_donation(8501 + k, donor, 1, day, visit["id"]))
            if what in ("copy", "turned_away_copy") or (what == "long_ago" and rng.random() < 0.5):
                copies = rng.choice((1, 1, 2)) if what == "copy" else 1
                half = None
                if visit["state"] == "donated":
                    half = "morning" if visit["checked_in_at"][11:16] < "12:30" else "afternoon"
                for n in range(copies):
                    certificates.append(
                        {
                            "id": 8601 + 3 * k + n,
                            "folio": "M" + str(40001 + 3 * k + n).zfill(7),
                            "appointment_id": visit["id"],
                            "copy_number": n + 1,
                            "type": "half_day" if half else "attendance",
                            "date": day,
                            "half": half,
                            "employer": firm,
                            "format": "pdf",
                            "duplicate_fee_clp": 0,
                            "issued_at": day + "T17:" + str(10 + 5 * n) + ":" + str(10 + k) ,
                            "recorded_by": 1,
                        }
                    )
        certificates = [c for c in certificates if c["issued_at"] < world.clock]
        yield {
            "p": {"firm": firm, "names": [_name(d) for d in people], "ids": [d["id"] for d in people], "today": today},
            "given": {
                "donors": people,
                "weighings": weighings,
                "slots": slots,
                "appointments": appointments,
                "donations": donations,
                "breakfast_vouchers": vouchers,
                "certificates": certificates,
            },
        }


def solve(tools, p):
    without_paper = []
    to_pay = 0
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
        try:
            paper = tools.issue_half_day_certificate(
                appointment_id=last["appointment_id"], employer=p["firm"], format="paper"
            )
            to_pay += paper["duplicate_fee_clp"]
        except tools.Error:
            without_paper.append(name)
    return {
        "outcome": "done",
        "answers": {"without_paper": without_paper, "to_pay": to_pay},
        "reason": None,
        "message": "None for " + ", ".join(without_paper) + "; the duplicates cost " + str(to_pay) + " pesos.",
    }


def _visits(world, p):
    """The last visit of each, with how many copies of its certificate there are."""
    visits = []
    for ident in p["ids"]:
        visits.append(
            world.initial.one(
                "SELECT v.*, substr(y.starts_at, 1, 10) AS day, (SELECT COUNT(*) FROM certificates c"
                " WHERE c.appointment_id = v.id) AS copies FROM appointments v JOIN slots y ON y.id = v.slot_id"
                " WHERE v.donor_id = ? AND v.state NOT IN ('booked', 'checked_in') ORDER BY y.starts_at DESC LIMIT 1",
                [ident],
            )
        )
    return visits


def _can_have_one(visit, p):
    """Whether a certificate can still be made out for a visit."""
    return visit["state"] in ("donated", "turned_away") and _shift(visit["day"], 30) >= p["today"]


def goal_makes_out_every_paper(world, p):
    """Everyone who can have one has one new certificate on paper for the last visit, printed for the employer."""
    for visit in _visits(world, p):
        if not _can_have_one(visit, p):
            continue
        rows = world.final.query(
            "SELECT * FROM certificates WHERE appointment_id = ? ORDER BY copy_number", [visit["id"]]
        )
        if len(rows) != visit["copies"] + 1:
            return False
        paper = rows[-1]
        half = None
        if visit["state"] == "donated":
            half = "morning" if visit["checked_in_at"][11:16] < "12:30" else "afternoon"
        if paper["half"] != half or paper["date"] != visit["day"] or paper["format"] != "paper":
            return False
        if not world.same_text(paper["employer"] or "", p["firm"]) or paper["recorded_by"] != 1:
            return False
        if paper["duplicate_fee_clp"] != (1500 if visit["copies"] else 0):
            return False
    return True


def goal_says_who_gets_none(world, p):
    """Says for whom none can be made out."""
    names = [n for n, v in zip(p["names"], _visits(world, p)) if not _can_have_one(v, p)]
    return world.report.says("without_paper", names)


def goal_says_what_the_duplicates_cost(world, p):
    """Says what the duplicates cost together."""
    again = [v for v in _visits(world, p) if _can_have_one(v, p) and v["copies"]]
    return world.report.says("to_pay", 1500 * len(again))


def guard_adds_one_paper_each_only(world, p):
    """Changed nothing but one new certificate for each of those visits."""
    fit = [v["id"] for v in _visits(world, p) if _can_have_one(v, p)]
    new = []
    for c in world.changes:
        if c["table"] != "certificates" or c["before"] is not None or c["after"]["appointment_id"] not in fit:
            return False
        new.append(c["after"]["appointment_id"])
    return len(new) == len(set(new))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

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


def instances(world, rng):
    """Three to five platelet regulars, of whom some may give on a day and some may not, or for all it is too soon."""
    begun = {r["starts_at"] for r in world.query("SELECT v.starts_at FROM slots v WHERE v.site_id = 1 AND v.starts_at > ?", [world.clock])}
    today = world.clock[:10]
    while True:
        day = _shift(today, rng.randint(2, 20))
        hour = rng.choice(("08:20", "09:20", "10:40", "11:20", "14:40", "15:20"))
        if _workday(day) != day or day + "T" + hour + ":00" in begun:
            continue
        count = rng.randint(3, 5)
        too_soon = rng.random() < 0.65
        if too_soon:
            stand = [rng.choice(("platelets", "platelets", "whole")) for _ in range(count)]
        else:
            stand = ["fine", "fine"] + [rng.choice(("fine", "limit", "platelets", "whole", "aspirin", "light", "old")) for _ in range(count - 2)]
            if count > 3:
                stand[2] = rng.choice(("whole", "aspirin", "light", "old"))
        rng.shuffle(stand)
        people = _people(rng, count, 13001, world.clock)
        weighings, donations, deferrals = [], [], []
        lasts = {}
        bad = False
        for k, donor in enumerate(people):
            what = stand[k]
            last = _shift(day, -rng.randint(16, 60))
            if what == "limit":
                last = _shift(day, -14)
            if what == "platelets":
                last = _shift(day, -rng.randint(4, 13))
            if what in ("whole", "aspirin", "light", "old"):
                last = _shift(day, -rng.randint(50, 100))
            if last >= today or _weekday(last) == 6 or last in HOLIDAYS or last in lasts.values():
                bad = True
                break
            lasts[k] = last
            donations.append(_donation(13101 + 3 * k, donor, 1, last, None, "platelets"))
            before = _shift(last, -rng.randint(21, 60))
            if _weekday(before) != 6 and before not in HOLIDAYS:
                donations.append(_donation(13102 + 3 * k, donor, 1, before, None, "platelets"))
            weighed = _workday(_shift(today, -rng.randint(20, 90)))
            if what == "old":
                weighed = _shift(day, -181 - rng.randint(0, 30))
            weighings.append(_weighing(13201 + k, donor, 1, rng.randint(124, 190) / 2 if what != "light" else rng.randint(102, 109) / 2, weighed, 10 + k))
            if what == "whole":
                given = _shift(day, -rng.randint(8, 29))
                if given >= today or _weekday(given) == 6 or given in HOLIDAYS or _shift(given, -14) < last:
                    bad = True
                    break
                donations.append(_donation(13103 + 3 * k, donor, 1, given))
            if what == "aspirin":
                if _shift(today, 3) <= day:
                    row = _medicine(13301 + k, donor, "antibiotic", today, _shift(today, 14), today + "T08:1" + str(k) + ":00")
                    if _shift(today, 14) <= day:
                        row = _medicine(13301 + k, donor, "isotretinoin", today, _shift(today, 30), today + "T08:1" + str(k) + ":00")
                else:
                    row = _medicine(13301 + k, donor, "anti_inflammatory", today, _shift(today, 3), today + "T08:1" + str(k) + ":00")
                    row["defers_whole_blood"] = row["defers_plasma"] = row["defers_double_red"] = 0
                deferrals.append(row)
        if bad:
            continue
        slot = _slot(13401, "casa_central", 1, day + "T" + hour + ":00", 1)
        slot["takes_whole_blood"] = 0
        slot["takes_platelets"] = slot["takes_plasma"] = 1
        instance = {
            "p": {
                "names": [_name(d) for d in people],
                "day": day,
                "hour": hour,
                "ids": [d["id"] for d in people],
            },
            "given": {
                "donors": people,
                "weighings": weighings,
                "deferrals": deferrals,
                "slots": [slot],
                "donations": donations,
            },
        }
        if too_soon:
            instance["kind"] = "refusal"
            instance["rule"] = "donation_interval"
        yield instance


def solve(tools, p):
    fit = []
    for name in p["names"]:
        donor = [
            d
            for d in tools.search_donors(surname=" ".join(name.split()[-2:]))["result"]
            if d["given_names"] + " " + d["surnames"] == name
        ][0]
        seen = tools.get_donor_eligibility(donor_id=donor["donor_id"], kind="platelets", on=p["day"])
        if seen["answer"] == "yes":
            given = tools.list_donor_donations(donor_id=donor["donor_id"])["result"]
            last = max(d["given_on"] for d in given if d["kind"] == "platelets" and not d["failed"])
            fit.append((last, name, donor["donor_id"]))
    if not fit:
        return {
            "outcome": "refused",
            "answers": {"donor": None},
            "reason": "donation_interval",
            "message": "Nobody is booked: for all of them that day is too soon after their last donation.",
        }
    last, name, donor_id = min(fit)
    free = tools.list_slots(site_code="casa_central", date=p["day"], kind="platelets")["result"]
    slot = [s for s in free if s["starts_at"][11:16] == p["hour"]][0]
    tools.book_appointment(donor_id=donor_id, slot_id=slot["slot_id"], kind="platelets")
    return {
        "outcome": "done",
        "answers": {"donor": name},
        "reason": None,
        "message": name + " is booked for platelets, the last ones were given on " + last + ".",
    }


def _last(world, ident, kind):
    """The last donation of a kind that somebody gave."""
    return world.initial.one(
        "SELECT MAX(n.given_on) AS day FROM donations n WHERE n.donor_id = ? AND n.kind = ?"
        " AND (n.failed = 0 OR n.volume_ml >= 50)",
        [ident, kind],
    )["day"]


def _may(world, ident, day):
    """Whether somebody may give platelets on a day."""
    platelets, whole = _last(world, ident, "platelets"), _last(world, ident, "whole_blood")
    if platelets is not None and _shift(platelets, 14) > day:
        return False
    if whole is not None and _shift(whole, 30) > day:
        return False
    weight = world.initial.one(
        "SELECT j.kg, j.weighed_at FROM weighings j WHERE j.donor_id = ? ORDER BY j.weighed_at DESC LIMIT 1", [ident]
    )
    if weight is None or weight["kg"] < 55 or _shift(weight["weighed_at"], 180) < day:
        return False
    held = world.initial.query(
        "SELECT i.id FROM deferrals i WHERE i.donor_id = ? AND i.status = 'active' AND i.defers_platelets = 1"
        " AND i.from_on <= ? AND (i.until_on IS NULL OR i.until_on > ?)",
        [ident, day, day],
    )
    return not held


def _chosen(world, p):
    """Card number and name of the one to be booked, or None where nobody may give."""
    fit = [
        (_last(world, ident, "platelets"), ident, name)
        for name, ident in zip(p["names"], p["ids"])
        if _may(world, ident, p["day"])
    ]
    return min(fit)[1:] if fit else None


def goal_comes_to_the_right_end(world, p):
    """The most rested of those who may give is booked, or it is reported that it is too soon for all of them."""
    chosen = _chosen(world, p)
    if chosen is None:
        return world.report.outcome == "refused" and world.report.reason == "donation_interval"
    rows = world.final.query(
        "SELECT e.id FROM appointments e JOIN slots v ON v.id = e.slot_id WHERE e.donor_id = ? AND v.site_id = 1"
        " AND v.starts_at = ? AND e.kind = 'platelets' AND e.state = 'booked' AND e.recorded_by = 1",
        [chosen[0], p["day"] + "T" + p["hour"] + ":00"],
    )
    return len(rows) == 1


def goal_says_who_it_is(world, p):
    """Says who is booked, or leaves it empty where nobody can be."""
    chosen = _chosen(world, p)
    return world.report.outcome is not None and world.report.says("donor", chosen[1] if chosen else None)


def guard_adds_one_appointment_only(world, p):
    """Changed nothing but one new appointment of the one to be booked."""
    chosen = _chosen(world, p)
    return len(world.changes) <= (1 if chosen else 0) and all(
        c["table"] == "appointments"
        and c["before"] is None
        and c["after"]["donor_id"] == chosen[0]
        and c["after"]["replacement_request_id"] is None
        for c in world.changes
    )


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where it is too soon for everybody."""
    if _chosen(world, p) is None:
        return world.report.outcome in (None, "refused")
    return world.report.outcome in (None, "done")


def guard_names_the_right_rule(world, p):
    """Names the rule where there is one, and none otherwise."""
    if _chosen(world, p) is None:
        return world.report.reason in (None, "donation_interval")
    return world.report.reason is None

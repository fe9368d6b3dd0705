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

LISTS = (("the O negative list", "o_neg", "O-"), ("the Kp(b) negative list", "kp_b_neg", "O+"), ("the Diego(b) negative list", "diego_b_neg", "A+"), ("the IgA deficient list", "iga_deficient", "O+"))
NEAR = ("Valparaíso", "Viña del Mar", "Quilpué", "Villa Alemana", "Concón", "Limache", "La Calera", "Quillota", "Casablanca")
FAR = ("Los Vilos", "Petorca", "Illapel", "Salamanca", "Santo Domingo", "Navidad")


def instances(world, rng):
    """Four to seven people on a list with earlier calls, and how each answered this morning."""
    today = world.clock[:10]
    taken = {r["full"] for r in world.query("SELECT w.given_names || ' ' || w.surnames AS full FROM donors w")}
    while True:
        title, code, group = rng.choice(LISTS)
        count = rng.randint(5, 7)
        people = _people(rng, count, 14001, world.clock)
        if any(_name(d) in taken for d in people):
            continue
        answers = ["refused", "refused", "coming", "coming", "silent"]
        answers += [rng.choice(("refused", "coming", "silent")) for _ in range(count - 5)]
        befores = ["refused"] + [rng.choice(("refused", "no_answer", "coming", "ask_later", None)) for _ in range(count - 1)]
        if all(b == "refused" for a, b in zip(answers, befores) if a == "refused"):
            befores[1] = "no_answer"
        entries, calls, weighings, refunds = [], [], [], []
        for k, donor in enumerate(people):
            donor["blood_group"] = group
            donor["form_r2_signed"] = 1
            donor["call_preference"] = "call"
            far = rng.random() < 0.4
            comuna = rng.choice(FAR if far else NEAR)
            donor["address"] = rng.choice(STREETS) + " " + str(rng.randint(100, 2900)) + ", " + comuna
            entries.append(
                {
                    "id": 14101 + k,
                    "list_code": code,
                    "donor_id": donor["id"],
                    "comuna": comuna,
                    "beyond_fare_line": 1 if far else 0,
                    "listed_on": _shift(donor["registered_at"], rng.randint(10, 200)),
                }
            )
            weighings.append(_weighing(14201 + k, donor, 1, rng.randint(112, 190) / 2, _workday(_shift(today, -rng.randint(20, 90))), 10 + k))
            story = []
            if befores[k] is not None:
                story.append(befores[k])
                if rng.random() < 0.5:
                    story.insert(0, "refused" if befores[k] != "refused" else "no_answer")
            for n, outcome in enumerate(story):
                back = 30 + rng.randint(0, 20) + 70 * (len(story) - 1 - n)
                if "coming" in story:
                    back += 105
                day = _workday(_shift(today, -back))
                calls.append(
                    {
                        "id": 14301 + 10 * k + n,
                        "rare_list_entry_id": 14101 + k,
                        "called_at": day + "T1" + str(n) + ":" + str(10 + k) + ":00",
                        "outcome": outcome,
                        "urgent": 0,
                        "doctor": None,
                        "recorded_by": 1,
                    }
                )
                if outcome == "coming":
                    refunds.append(
                        {
                            "id": 14401 + 10 * k + n,
                            "rare_call_id": 14301 + 10 * k + n,
                            "ceiling_clp": 40000 if far else 15000,
                            "status": "paid",
                            "paid_clp": rng.randint(16, 380) * 100 if far else rng.randint(8, 60) * 100,
                            "paid_at": _workday(_shift(day, 2)) + "T12:10:00",
                        }
                    )
        yield {
            "p": {
                "list_name": title,
                "coming": [_name(d) for d, a in zip(people, answers) if a == "coming"],
                "refused": [_name(d) for d, a in zip(people, answers) if a == "refused"],
                "silent": [_name(d) for d, a in zip(people, answers) if a == "silent"],
                "code": code,
            },
            "given": {
                "donors": people,
                "weighings": weighings,
                "rare_list_entries": entries,
                "rare_calls": calls,
                "fare_refunds": refunds,
            },
        }


def solve(tools, p):
    code = [x[1] for x in LISTS if x[0] == p["list_name"]][0]
    resting = []
    fares = 0
    for outcome, names in (("coming", p["coming"]), ("refused", p["refused"]), ("no_answer", p["silent"])):
        for name in names:
            donor = [
                d
                for d in tools.search_donors(surname=" ".join(name.split()[-2:]))["result"]
                if d["given_names"] + " " + d["surnames"] == name
            ][0]
            earlier = tools.list_rare_calls(donor_id=donor["donor_id"], limit=1)["calls"]
            made = tools.log_rare_call(list_code=code, donor_id=donor["donor_id"], outcome=outcome)
            if outcome == "refused" and earlier and earlier[0]["outcome"] == "refused":
                resting.append(name)
            fares += made["fare_ceiling_clp"] or 0
    return {
        "outcome": "done",
        "answers": {"resting": resting, "fares": fares},
        "reason": None,
        "message": "Resting now: " + ", ".join(resting) + ". The fares come to at most " + str(fares) + " pesos.",
    }


def _wanted(world, p):
    """For each person rung: name, entry on the list, outcome, outcome of the call before, and whether from far."""
    rows = []
    for outcome, names in (("coming", p["coming"]), ("refused", p["refused"]), ("no_answer", p["silent"])):
        for name in names:
            row = world.initial.one(
                "SELECT en.id, en.beyond_fare_line, (SELECT ca.outcome FROM rare_calls ca WHERE ca.rare_list_entry_id = en.id"
                " ORDER BY ca.called_at DESC LIMIT 1) AS earlier FROM rare_list_entries en JOIN donors w ON w.id = en.donor_id"
                " WHERE en.list_code = ? AND w.given_names || ' ' || w.surnames = ?",
                [p["code"], name],
            )
            rows.append((name, row["id"], outcome, row["earlier"], row["beyond_fare_line"] == 1))
    return rows


def _new_calls(world, entry):
    """New calls to somebody on the list."""
    return [
        c["after"]
        for c in world.changes
        if c["table"] == "rare_calls" and c["before"] is None and c["after"]["rare_list_entry_id"] == entry
    ]


def goal_logs_every_call(world, p):
    """Each of them has one new call with the right outcome, not urgent."""
    for _, entry, outcome, _, _ in _wanted(world, p):
        calls = _new_calls(world, entry)
        if len(calls) != 1 or calls[0]["outcome"] != outcome or calls[0]["urgent"] != 0 or calls[0]["recorded_by"] != 1:
            return False
    return True


def goal_promises_the_fares(world, p):
    """The fare of each of those who come is promised up to the right amount."""
    for _, entry, outcome, _, far in _wanted(world, p):
        if outcome != "coming":
            continue
        calls = _new_calls(world, entry)
        if len(calls) != 1:
            return False
        row = world.final.one(
            "SELECT fr.ceiling_clp, fr.status FROM fare_refunds fr WHERE fr.rare_call_id = ?", [calls[0]["id"]]
        )
        if row is None or row["status"] != "promised" or row["ceiling_clp"] != (40000 if far else 15000):
            return False
    return True


def goal_says_who_rests(world, p):
    """Says who rests for six months now."""
    names = [n for n, _, outcome, earlier, _ in _wanted(world, p) if outcome == "refused" and earlier == "refused"]
    return world.report.says("resting", names)


def goal_says_what_the_fares_can_cost(world, p):
    """Says the most that the fares can cost together."""
    return world.report.says(
        "fares", sum(40000 if far else 15000 for _, _, outcome, _, far in _wanted(world, p) if outcome == "coming")
    )


def guard_adds_their_calls_only(world, p):
    """Changed nothing but one new call for each of them and the fares promised on these."""
    entries = [w[1] for w in _wanted(world, p)]
    calls = [a["id"] for e in entries for a in _new_calls(world, e)]
    new = []
    for c in world.changes:
        if c["before"] is not None:
            return False
        if c["table"] == "rare_calls" and c["after"]["rare_list_entry_id"] in entries:
            new.append(("call", c["after"]["rare_list_entry_id"]))
        elif c["table"] == "fare_refunds" and c["after"]["rare_call_id"] in calls:
            new.append(("fare", c["after"]["rare_call_id"]))
        else:
            return False
    return len(new) == len(set(new))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

import datetime

SURNAMES = ("Durkan", "Geraghty", "Tierney", "Hoban", "Mulchrone", "Rowley", "Brogan", "Carty", "Scahill", "Lynskey", "Fadden", "Keaveney", "Corless", "Mannion", "Naughton", "Quilty")
FORENAMES = ("Aoife", "Bernard", "Catríona", "Darragh", "Eithne", "Fintan", "Gráinne", "Hugh", "Imelda", "Jarlath", "Kevin", "Lelia", "Manus", "Noreen", "Orla", "Ríona")
TOWNS = ("Ballina", "Claremorris", "Dunmore", "Foxford", "Gort", "Kiltimagh", "Moycullen", "Newport", "Portumna", "Spiddal")


def _shift(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _years(day, years):
    date = datetime.date.fromisoformat(day)
    leap = date.month == 2 and date.day == 29
    return date.replace(year=date.year + years, day=28 if leap else date.day).isoformat()


def instances(world, rng):
    """Five to eight readers, some too early for a renewal, some in time, some too late for it."""
    today = world.clock[:10]
    top = world.one("SELECT max(id) AS top FROM readers", [])["top"]
    forms = world.one("SELECT max(id) AS top FROM surname_forms", [])["top"]
    for _ in range(2000):
        number = rng.randrange(5, 9)
        states = ["early", "due", "late"] + [rng.choice(["early", "due", "due", "late"]) for _ in range(number - 3)]
        rng.shuffle(states)
        surnames, forenames = rng.sample(SURNAMES, number), rng.sample(FORENAMES, number)
        readers, keys, until = [], [], {}
        groups = {"early": [], "due": [], "late": []}
        for place, state in enumerate(states):
            if state == "early":
                ends = _shift(today, rng.choice([61, 62, 70, 95, 140, 210, 330]))
            elif state == "due":
                ends = rng.choice([_shift(today, 60), _shift(today, 34), _shift(today, 9), today, _shift(today, -20), _shift(today, -150), _shift(_years(today, -1), 1), _years(today, -1)])
            else:
                ends = _shift(_years(today, -1), -rng.choice([1, 2, 15, 80, 160]))
            issued = _years(ends, -2)
            key, name = top + 1 + place, forenames[place] + " " + surnames[place]
            readers.append({"id": key, "ticket_no": f"RO-{20000 + key}", "role": "reader", "surname": surnames[place], "forenames": forenames[place], "date_of_birth": f"{rng.randrange(1945, 1996)}-{rng.randrange(1, 13):02d}-{rng.randrange(1, 28):02d}", "address_line": f"{rng.randrange(2, 60)} Church Street", "town": rng.choice(TOWNS), "county": "Mayo", "country": "Ireland", "eircode": None, "telephone": None, "email": None, "identity_seen": "passport", "address_proof_seen": "utility_bill", "address_proof_date": _shift(issued, -30), "guarantor_letter_seen": 0, "accompanying_reader_id": None, "rules_signed_on": issued, "preferred_language": "en", "access_needs": None, "ticket_kind": "full", "ticket_status": "active", "ticket_issued_on": issued, "ticket_valid_until": ends, "card_replaced_on": None, "address_confirmed_on": None, "archivist_note": None, "registered_on": issued})
            keys.append({"id": forms + 1 + place, "reader_id": key, "form": surnames[place]})
            groups[state].append(name)
            if state == "due":
                until[str(key)] = _years(max(ends, today), 2)
        yield {
            "p": {"names": [f + " " + s for f, s in zip(forenames, surnames)], "early": groups["early"], "due": groups["due"], "late": groups["late"], "until": until, "today": today},
            "given": {"readers": readers, "surname_forms": keys},
        }


def solve(tools, p):
    renewed, again, early = [], [], []
    for name in p["names"]:
        found = tools.find_readers(surname=name.split()[-1], forename=name.split()[0])["readers"]
        ticket = next(r["ticket_no"] for r in found if r["name"] == name)
        try:
            tools.renew_ticket(ticket_no=ticket, action="renew", address_confirmed=True)
            renewed.append(name)
        except tools.Error as error:
            if "register again" in str(error):
                again.append(name)
            else:
                early.append(name)
    return {
        "outcome": "done",
        "answers": {"renewed": renewed, "too_early": early, "register_again": again},
        "reason": None,
        "message": f"Renewed: {', '.join(renewed)}. Too early: {', '.join(early)}. To register again: {', '.join(again)}.",
    }


def goal_renews_those_in_time(world, p):
    """Every ticket that can be renewed today is good for two more years."""
    for key, until in p["until"].items():
        row = world.final.one("SELECT ticket_valid_until, ticket_issued_on, address_confirmed_on FROM readers WHERE id = ?", [int(key)])
        if row != {"ticket_valid_until": until, "ticket_issued_on": p["today"], "address_confirmed_on": p["today"]}:
            return False
    return True


def goal_says_who_was_renewed(world, p):
    """Says whose tickets were renewed."""
    return world.report.says("renewed", p["due"])


def goal_says_who_is_too_early(world, p):
    """Says who is too early."""
    return world.report.says("too_early", p["early"])


def goal_says_who_registers_again(world, p):
    """Says who has to register again."""
    return world.report.says("register_again", p["late"])


def guard_changes_only_the_tickets_in_time(world, p):
    """Changed nothing but the term of the tickets that can be renewed."""
    allowed = ("ticket_valid_until", "ticket_issued_on", "address_confirmed_on")
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "readers" or before is None or after is None or str(before["id"]) not in p["until"]:
            return False
        if any(before[column] != after[column] for column in before if column not in allowed):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

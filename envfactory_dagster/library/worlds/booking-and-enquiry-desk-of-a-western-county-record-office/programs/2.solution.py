import datetime


def solve(tools):
    today = datetime.date(2026, 10, 2)
    people = [("Heneghan", "Colm"), ("Sadowska", "Irena"), ("Robertson", "Alasdair"), ("Moran", "Attracta")]
    renewed, again, days, good_until = [], [], [], None
    for surname, forename in people:
        found = [r for r in tools.find_readers(surname=surname, forename=forename)["readers"] if r["name"] == forename + " " + surname]
        reader = found[0]
        expires = datetime.date.fromisoformat(reader["expires_on"])
        first = expires - datetime.timedelta(days=60)
        last = expires.replace(year=expires.year + 1)
        if today < first:
            days.append(first)
        elif today > last:
            again.append(reader["name"])
        else:
            ticket = tools.renew_ticket(ticket_no=reader["ticket_no"], action="renew", address_confirmed=True)
            renewed.append(reader["name"])
            good_until = ticket["expires_on"]
    first_day = min(days).isoformat() if days else None
    return {
        "outcome": "done",
        "answers": {"renewed": renewed, "good_until": good_until, "register_again": again, "first_day": first_day},
        "reason": None,
        "message": f"Renewed: {', '.join(renewed)}, good until {good_until}. To register again: {', '.join(again)}. The first of the others can renew on {first_day}.",
    }

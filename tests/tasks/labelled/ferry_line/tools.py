def list_harbours(env) -> dict:
    """All harbours the line calls at.

    Gives: harbours[].code, harbours[].name
    """
    return {"harbours": env.query("SELECT code, name FROM harbours ORDER BY name")}


def find_sailings(env, *, origin: str, destination: str, day: str) -> dict:
    """Sailings between two harbours on one day.

    origin: code of the harbour to leave from
    destination: code of the harbour to arrive at
    day: date of the crossing
    Gives: sailings[].sailing_id, sailings[].departs_at, sailings[].vessel
    """
    rows = env.query(
        "SELECT id AS sailing_id, departs_at, vessel FROM sailings "
        "WHERE origin = :origin AND destination = :destination AND substr(departs_at, 1, 10) = :day",
        {"origin": origin, "destination": destination, "day": day},
    )
    return {"sailings": rows}


def sailing_details(env, *, sailing_id: int) -> dict:
    """Where one sailing goes, when, and how many cars still fit on it.

    sailing_id: number of the sailing
    Gives: origin, destination, departs_at, free_car_places
    """
    sailing = env.one("SELECT origin, destination, departs_at, car_places FROM sailings WHERE id = ?", [sailing_id])
    if sailing is None:
        raise env.Error("there is no such sailing")
    taken = env.one(
        "SELECT count(*) AS n FROM tickets WHERE sailing_id = ? AND plate IS NOT NULL AND status = 'valid'",
        [sailing_id],
    )
    return {
        "origin": sailing["origin"],
        "destination": sailing["destination"],
        "departs_at": sailing["departs_at"],
        "free_car_places": sailing["car_places"] - taken["n"],
    }


def my_vehicles(env) -> dict:
    """The vehicles the passenger has registered.

    Gives: vehicles[].plate, vehicles[].length_cm
    """
    return {"vehicles": env.query("SELECT plate, length_cm FROM vehicles WHERE passenger_id = ?", [env.user_id])}


def buy_ticket(env, *, sailing_id: int, plate: str | None = None) -> dict:
    """Buy a ticket for the passenger, with a vehicle if a plate is given.

    sailing_id: number of the sailing
    plate: number plate of the vehicle that comes along
    Gives: ticket_no
    """
    if env.one("SELECT id FROM sailings WHERE id = ?", [sailing_id]) is None:
        raise env.Error("there is no such sailing")
    ticket = env.insert(
        "INSERT INTO tickets (sailing_id, passenger_id, plate, status) VALUES (?, ?, ?, 'valid')",
        [sailing_id, env.user_id, plate],
    )
    return {"ticket_no": ticket}


def my_tickets(env) -> dict:
    """The passenger's tickets with their crossings.

    Gives: tickets[].ticket_no, tickets[].sailing, tickets[].departs_at, tickets[].status
    """
    rows = env.query(
        "SELECT t.id AS ticket_no, s.id AS sailing, s.departs_at, t.status FROM tickets AS t "
        "JOIN sailings AS s ON s.id = t.sailing_id WHERE t.passenger_id = ?",
        [env.user_id],
    )
    return {"tickets": rows}


def rebook(env, *, ticket_no: int, new_sailing: int) -> dict:
    """Move a ticket to another crossing.

    ticket_no: the ticket to be moved
    new_sailing: number of the sailing it shall be valid on
    Gives: ticket_no, departs_at
    """
    sailing = env.one("SELECT departs_at FROM sailings WHERE id = ?", [new_sailing])
    if sailing is None:
        raise env.Error("there is no such sailing")
    env.execute(
        "UPDATE tickets SET sailing_id = ? WHERE id = ? AND passenger_id = ?", [new_sailing, ticket_no, env.user_id]
    )
    return {"ticket_no": ticket_no, "departs_at": sailing["departs_at"]}


def refund(env, *, ticket_no: int) -> dict:
    """Give a ticket back.

    ticket_no: the ticket to be given back
    Gives: ticket_no, status
    """
    env.execute("UPDATE tickets SET status = 'refunded' WHERE id = ? AND passenger_id = ?", [ticket_no, env.user_id])
    return {"ticket_no": ticket_no, "status": "refunded"}


def board(env, *, ticket_no: int) -> dict:
    """Show a ticket at the gangway.

    ticket_no: the ticket that is shown
    Gives: status
    """
    env.execute("UPDATE tickets SET status = 'used' WHERE id = ? AND passenger_id = ?", [ticket_no, env.user_id])
    return {"status": "used"}

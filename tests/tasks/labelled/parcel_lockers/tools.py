def stations_near(env, *, postcode: str, covered_only: bool = False) -> dict:
    """Locker stations in a postcode.

    postcode: the postcode
    covered_only: only those with a roof
    Gives: stations[].station_id, stations[].street
    """
    rows = env.query(
        "SELECT id AS station_id, street FROM stations WHERE postcode = ? AND covered >= ?",
        [postcode, 1 if covered_only else 0],
    )
    return {"stations": rows}


def free_boxes(env, *, station_id: int, size: str) -> dict:
    """Empty boxes at a station.

    station_id: the station
    size: S, M or L
    Gives: boxes[].box_id, boxes[].size
    """
    rows = env.query(
        "SELECT b.id AS box_id, b.size FROM boxes AS b WHERE b.station_id = ? AND b.size = ? "
        "AND NOT EXISTS (SELECT 1 FROM parcels AS p WHERE p.box_id = b.id)",
        [station_id, size],
    )
    return {"boxes": rows}


def announce_parcel(env, *, size: str, receiver_id: int) -> dict:
    """Announce a parcel that will be brought to a locker.

    size: S, M or L
    receiver_id: customer number of the person it is for
    Gives: tracking
    """
    tracking = env.new_id("PKT")
    env.insert(
        "INSERT INTO parcels (tracking, sender_id, receiver_id, size, state) VALUES (?, ?, ?, ?, 'announced')",
        [tracking, env.user_id, receiver_id, size],
    )
    return {"tracking": tracking}


def reserve_box(env, *, tracking: str, box_id: int) -> dict:
    """Keep a box for a parcel.

    tracking: the parcel
    box_id: the box
    Gives: state
    """
    env.execute("UPDATE parcels SET box_id = ?, state = 'reserved' WHERE tracking = ?", [box_id, tracking])
    return {"state": "reserved"}


def incoming(env) -> dict:
    """Parcels on their way to the customer.

    Gives: parcels[].parcel, parcels[].state, parcels[].street
    """
    rows = env.query(
        "SELECT p.tracking AS parcel, p.state, s.street FROM parcels AS p LEFT JOIN boxes AS b ON b.id = p.box_id "
        "LEFT JOIN stations AS s ON s.id = b.station_id WHERE p.receiver_id = ?",
        [env.user_id],
    )
    return {"parcels": rows}


def history(env, *, tracking: str) -> dict:
    """What happened to a parcel so far.

    tracking: the parcel
    Gives: events[].at, events[].what
    """
    return {"events": env.query("SELECT at, what FROM events WHERE tracking = ? ORDER BY at", [tracking])}


def redirect(env, *, parcel: str, station_id: int) -> dict:
    """Send a parcel to another station.

    parcel: the parcel
    station_id: the station it shall go to
    Gives: box_id
    """
    box = env.one(
        "SELECT b.id FROM boxes AS b JOIN parcels AS p ON p.size = b.size WHERE p.tracking = ? AND b.station_id = ?",
        [parcel, station_id],
    )
    if box is None:
        raise env.Error("there is no box of that size")
    env.execute("UPDATE parcels SET box_id = ? WHERE tracking = ?", [box["id"], parcel])
    return {"box_id": box["id"]}


def issue_pin(env, *, tracking: str) -> dict:
    """Issue the number that opens the box.

    tracking: the parcel
    Gives: pin
    """
    pin = env.new_id("PIN")
    env.insert("INSERT INTO pins (tracking, pin) VALUES (?, ?)", [tracking, pin])
    return {"pin": pin}


def open_box(env, *, pin: str) -> dict:
    """Open the box and take the parcel out.

    pin: the number that opens it
    Gives: state
    """
    found = env.one("SELECT tracking FROM pins WHERE pin = ?", [pin])
    if found is None:
        raise env.Error("that number opens no box")
    env.execute("UPDATE parcels SET state = 'collected', box_id = NULL WHERE tracking = ?", [found["tracking"]])
    return {"state": "collected"}

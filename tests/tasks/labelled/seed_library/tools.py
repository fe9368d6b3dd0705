def search_varieties(env, *, words: str) -> dict:
    """Varieties whose name holds the words.

    words: part of the name
    Gives: varieties[].id, varieties[].name, varieties[].family
    """
    rows = env.query("SELECT id, name, family FROM varieties WHERE name LIKE '%' || ? || '%'", [words])
    return {"varieties": rows}


def packets_of(env, *, variety_id: int, harvested_after: int = 0) -> dict:
    """Packets of one variety that members give away.

    variety_id: the variety
    harvested_after: leaves out seed of this year and older
    Gives: packets[].packet_id, packets[].giver, packets[].grams, packets[].harvested
    """
    rows = env.query(
        "SELECT id AS packet_id, giver_id AS giver, grams, harvested FROM packets "
        "WHERE variety_id = ? AND harvested > ?",
        [variety_id, harvested_after],
    )
    return {"packets": rows}


def member_profile(env, *, member_id: int) -> dict:
    """Who a member is.

    member_id: the member
    Gives: name, village, favourite_variety
    """
    row = env.one("SELECT name, village, favourite AS favourite_variety FROM members WHERE id = ?", [member_id])
    if row is None:
        raise env.Error("there is no such member")
    return row


def giver_history(env, *, member_id: int) -> dict:
    """Everything a member has given away so far.

    member_id: the member
    Gives: packets[].packet_id, packets[].variety, packets[].harvested
    """
    rows = env.query(
        "SELECT p.id AS packet_id, v.name AS variety, p.harvested FROM packets AS p "
        "JOIN varieties AS v ON v.id = p.variety_id WHERE p.giver_id = ?",
        [member_id],
    )
    return {"packets": rows}


def request_packet(env, *, packet_id: int, note: str) -> dict:
    """Ask for a packet.

    packet_id: the packet
    note: a friendly word to the giver
    Gives: request_id
    """
    if env.one("SELECT 1 AS found FROM packets WHERE id = ?", [packet_id]) is None:
        raise env.Error("there is no such packet")
    request = env.insert(
        "INSERT INTO requests (packet_id, member_id, note, state) VALUES (?, ?, ?, 'open')",
        [packet_id, env.user_id, note],
    )
    return {"request_id": request}


def my_requests(env, *, state: str | None = None) -> dict:
    """What the member has asked for.

    state: one of open, sent, withdrawn
    Gives: requests[].id, requests[].variety, requests[].state, requests[].note
    """
    rows = env.query(
        "SELECT r.id, v.name AS variety, r.state, r.note FROM requests AS r JOIN packets AS p ON p.id = r.packet_id "
        "JOIN varieties AS v ON v.id = p.variety_id WHERE r.member_id = :me AND (:state IS NULL OR r.state = :state)",
        {"me": env.user_id, "state": state},
    )
    return {"requests": rows}


def withdraw_request(env, *, request_id: int) -> dict:
    """Take a request back.

    request_id: the request
    Gives: state
    """
    env.execute("UPDATE requests SET state = 'withdrawn' WHERE id = ? AND member_id = ?", [request_id, env.user_id])
    return {"state": "withdrawn"}


def offer_packet(env, *, variety: str, grams: int, harvested: int) -> dict:
    """Give seed of one's own away.

    variety: full name of the variety
    grams: weight of the seed
    harvested: year of the harvest
    Gives: packet_id
    """
    known = env.one("SELECT id FROM varieties WHERE name = ?", [variety])
    if known is None:
        raise env.Error("the library does not know this variety")
    packet = env.insert(
        "INSERT INTO packets (variety_id, giver_id, grams, harvested) VALUES (?, ?, ?, ?)",
        [known["id"], env.user_id, grams, harvested],
    )
    return {"packet_id": packet}

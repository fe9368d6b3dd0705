def list_sites(env) -> dict:
    """Where the keeper's hives stand.

    Gives: sites[].name, sites[].hives
    """
    rows = env.query(
        "SELECT s.name, count(h.id) AS hives FROM sites AS s LEFT JOIN hives AS h ON h.site_id = s.id "
        "WHERE s.keeper_id = ? GROUP BY s.id",
        [env.user_id],
    )
    return {"sites": rows}


def hives_at(env, *, site: str) -> dict:
    """The hives of one site.

    site: name of the site
    Gives: hives[].hive_id, hives[].colour, hives[].queen
    """
    rows = env.query(
        "SELECT h.id AS hive_id, h.colour, h.queen_id AS queen FROM hives AS h JOIN sites AS s ON s.id = h.site_id "
        "WHERE s.name = ? AND s.keeper_id = ?",
        [site, env.user_id],
    )
    return {"hives": rows}


def queen_pedigree(env, *, queen_id: int) -> dict:
    """Where a queen comes from.

    queen_id: the queen
    Gives: line, hatched, mother
    """
    row = env.one("SELECT line, hatched, mother_id AS mother FROM queens WHERE id = ?", [queen_id])
    if row is None:
        raise env.Error("there is no such queen")
    return row


def daughters(env, *, queen_id: int) -> dict:
    """The queens raised from a queen.

    queen_id: the mother
    Gives: queens[].id, queens[].hatched
    """
    return {"queens": env.query("SELECT id, hatched FROM queens WHERE mother_id = ?", [queen_id])}


def raise_queen(env, *, mother_id: int) -> dict:
    """Raise a new queen.

    mother_id: the queen whose larva is taken
    Gives: queen_id
    """
    mother = env.one("SELECT line FROM queens WHERE id = ?", [mother_id])
    if mother is None:
        raise env.Error("there is no such queen")
    queen = env.insert(
        "INSERT INTO queens (mother_id, hatched, line) VALUES (?, ?, ?)", [mother_id, env.now, mother["line"]]
    )
    return {"queen_id": queen}


def requeen(env, *, hive_id: int, queen_id: int) -> dict:
    """Give a hive another queen.

    hive_id: the hive
    queen_id: its new queen
    Gives: hive_id
    """
    env.execute("UPDATE hives SET queen_id = ? WHERE id = ?", [queen_id, hive_id])
    return {"hive_id": hive_id}


def log_inspection(env, *, hive_id: int, mites: int, note: str) -> dict:
    """Write down what was seen in a hive.

    hive_id: the hive
    mites: mites counted on the board
    note: anything else
    Gives: inspection_id
    """
    made = env.insert(
        "INSERT INTO inspections (hive_id, made_on, mites, note) VALUES (?, ?, ?, ?)", [hive_id, env.now, mites, note]
    )
    return {"inspection_id": made}


def worst_hives(env, *, least_mites: int) -> dict:
    """Hives in which many mites were counted last.

    least_mites: so many at least
    Gives: hives[].hive, hives[].mites
    """
    rows = env.query(
        "SELECT hive_id AS hive, max(mites) AS mites FROM inspections WHERE mites >= ? GROUP BY hive_id", [least_mites]
    )
    return {"hives": rows}


def treat(env, *, hive_id: int, agent: str, ends_on: str) -> dict:
    """Treat a hive against mites.

    hive_id: the hive
    agent: what it is treated with
    ends_on: last day of the treatment
    Gives: treatment_id
    """
    made = env.insert("INSERT INTO treatments (hive_id, agent, ends_on) VALUES (?, ?, ?)", [hive_id, agent, ends_on])
    return {"treatment_id": made}

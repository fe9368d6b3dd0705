def concerts(env) -> dict:
    """The concerts of the tour.

    Gives: concerts[].concert_id, concerts[].town, concerts[].at, concerts[].title
    """
    return {"concerts": env.query("SELECT id AS concert_id, town, at, title FROM concerts ORDER BY at")}


def add_concert(env, *, town: str, at: str, title: str) -> dict:
    """Put one more concert on the tour.

    town: where it is
    at: when it begins
    title: what it is called
    Gives: concert_id
    """
    return {"concert_id": env.insert("INSERT INTO concerts (town, at, title) VALUES (?, ?, ?)", [town, at, title])}


def repertoire(env, *, composer: str | None = None) -> dict:
    """The pieces the choir can sing.

    composer: only pieces of this composer
    Gives: pieces[].id, pieces[].title, pieces[].composer, pieces[].minutes
    """
    rows = env.query(
        "SELECT id, title, composer, minutes FROM pieces WHERE (:composer IS NULL OR composer = :composer)",
        {"composer": composer},
    )
    return {"pieces": rows}


def programme_of(env, *, concert_id: int) -> dict:
    """What is sung at a concert, in order.

    concert_id: the concert
    Gives: pieces[].position, pieces[].piece_id, pieces[].title
    """
    rows = env.query(
        "SELECT g.position, g.piece_id, p.title FROM programme AS g JOIN pieces AS p ON p.id = g.piece_id "
        "WHERE g.concert_id = ? ORDER BY g.position",
        [concert_id],
    )
    return {"pieces": rows}


def set_programme(env, *, concert_id: int, pieces: list[dict]) -> dict:
    """Say what is sung at a concert.

    concert_id: the concert
    pieces[].position: place in the programme
    pieces[].piece_id: the piece
    Gives: pieces
    """
    env.execute("DELETE FROM programme WHERE concert_id = ?", [concert_id])
    for entry in pieces:
        env.insert(
            "INSERT INTO programme (concert_id, position, piece_id) VALUES (?, ?, ?)",
            [concert_id, entry["position"], entry["piece_id"]],
        )
    return {"pieces": len(pieces)}


def singers_of_voice(env, *, voice: str) -> dict:
    """Who sings a voice.

    voice: soprano, alto, tenor or bass
    Gives: singers[].singer_id, singers[].name
    """
    return {"singers": env.query("SELECT id AS singer_id, name FROM singers WHERE voice = ?", [voice])}


def give_solo(env, *, concert_id: int, piece_id: int, soloist: int) -> dict:
    """Let a singer sing the solo of a piece.

    concert_id: the concert
    piece_id: the piece
    soloist: the singer
    Gives: solo_id
    """
    sung = env.one("SELECT position FROM programme WHERE concert_id = ? AND piece_id = ?", [concert_id, piece_id])
    if sung is None:
        raise env.Error("that piece is not sung there")
    solo = env.insert(
        "INSERT INTO solos (concert_id, piece_id, singer_id) VALUES (?, ?, ?)", [concert_id, piece_id, soloist]
    )
    return {"solo_id": solo}


def hosts_in(env, *, town: str) -> dict:
    """Families of a town that take singers in.

    town: the town
    Gives: hosts[].host_id, hosts[].family, hosts[].beds
    """
    return {"hosts": env.query("SELECT id AS host_id, family, beds FROM hosts WHERE town = ?", [town])}


def lodge(env, *, singer_id: int, concert_id: int, host_id: int) -> dict:
    """Lodge a singer with a family on the night of a concert.

    singer_id: the singer
    concert_id: the concert
    host_id: the family
    Gives: lodged
    """
    env.insert(
        "INSERT INTO lodgings (singer_id, concert_id, host_id) VALUES (?, ?, ?)", [singer_id, concert_id, host_id]
    )
    return {"lodged": True}

def find_film(env, *, title: str | None = None, year: int | None = None) -> dict:
    """Films in the archive.

    title: full title of the film
    year: year it was made
    Gives: films[].film_id, films[].title, films[].year, films[].country
    """
    rows = env.query(
        "SELECT id AS film_id, title, year, country FROM films "
        "WHERE (:title IS NULL OR title = :title) AND (:year IS NULL OR year = :year)",
        {"title": title, "year": year},
    )
    return {"films": rows}


def prints_of(env, *, film_id: int, gauge: str | None = None) -> dict:
    """The prints of a film that the archive holds.

    film_id: the film
    gauge: 16mm or 35mm
    Gives: prints[].print_id, prints[].gauge, prints[].shelf
    """
    rows = env.query(
        "SELECT id AS print_id, gauge, shelf FROM prints WHERE film_id = :film AND (:gauge IS NULL OR gauge = :gauge)",
        {"film": film_id, "gauge": gauge},
    )
    return {"prints": rows}


def locate(env, *, shelf: str) -> dict:
    """What lies on a shelf.

    shelf: mark of the shelf
    Gives: print_id, film_id, title
    """
    row = env.one(
        "SELECT p.id AS print_id, p.film_id, f.title FROM prints AS p JOIN films AS f ON f.id = p.film_id "
        "WHERE p.shelf = ?",
        [shelf],
    )
    if row is None:
        raise env.Error("nothing lies there")
    return row


def cinema(env, *, name: str) -> dict:
    """A cinema and the projectors it has.

    name: full name of the cinema
    Gives: cinema_id, projectors
    """
    row = env.one("SELECT id AS cinema_id, projectors FROM cinemas WHERE name = ?", [name])
    if row is None:
        raise env.Error("there is no cinema of that name")
    return row


def book_print(env, *, print_id: int, cinema_id: int, shown_on: str) -> dict:
    """Lend a print to a cinema.

    print_id: the print
    cinema_id: the cinema
    shown_on: day of the showing
    Gives: booking_id
    """
    booking = env.insert(
        "INSERT INTO bookings (print_id, cinema_id, shown_on, state) VALUES (?, ?, ?, 'booked')",
        [print_id, cinema_id, shown_on],
    )
    return {"booking_id": booking}


def bookings_of(env, *, cinema_id: int) -> dict:
    """What a cinema has booked.

    cinema_id: the cinema
    Gives: bookings[].booking_id, bookings[].print_id, bookings[].title, bookings[].shown_on
    """
    rows = env.query(
        "SELECT b.id AS booking_id, b.print_id, f.title, b.shown_on FROM bookings AS b "
        "JOIN prints AS p ON p.id = b.print_id JOIN films AS f ON f.id = p.film_id WHERE b.cinema_id = ?",
        [cinema_id],
    )
    return {"bookings": rows}


def move_showing(env, *, booking_id: int, shown_on: str) -> dict:
    """Change the day of a showing.

    booking_id: the booking
    shown_on: the new day
    Gives: shown_on
    """
    env.execute("UPDATE bookings SET shown_on = ? WHERE id = ?", [shown_on, booking_id])
    return {"shown_on": shown_on}


def send_print(env, *, booking_id: int) -> dict:
    """Send a booked print to its cinema.

    booking_id: the booking
    Gives: shipment
    """
    code = env.new_id("SHIP")
    env.insert("INSERT INTO shipments (code, booking_id, sent_on) VALUES (?, ?, ?)", [code, booking_id, env.now])
    return {"shipment": code}


def confirm_arrival(env, *, code: str) -> dict:
    """Confirm that a print has arrived.

    code: the code on the shipment
    Gives: arrived_on
    """
    env.execute("UPDATE shipments SET arrived_on = ? WHERE code = ?", [env.now, code])
    return {"arrived_on": env.now}

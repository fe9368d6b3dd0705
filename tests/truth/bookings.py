"""A small schema with every kind of key, and changes to it written in one line each."""

from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.runtime.facts import load_schema

Row = dict[str, str | int | float | bytes | None]
CLOCK = "2026-03-02T09:00:00"
SCHEMA = load_schema("""
CREATE TABLE people (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
CREATE TABLE bookings (
    id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT NOT NULL UNIQUE, person_id INTEGER REFERENCES people (id),
    after_id INTEGER REFERENCES bookings (id), note TEXT
) STRICT;
CREATE TABLE details (booking_id INTEGER PRIMARY KEY REFERENCES bookings (id), due_on TEXT) STRICT;
CREATE TABLE remarks (
    booking_id INTEGER NOT NULL REFERENCES details (booking_id), line INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (booking_id, line)
) STRICT;
CREATE TABLE rooms (id INTEGER PRIMARY KEY, price REAL NOT NULL, booking_id INTEGER REFERENCES bookings (id)) STRICT;
""")


def person(number: int, name: str) -> Change:
    return Change("people", (number,), None, {"id": number, "name": name})


def booking(
    number: int, code: int, person_id: int | None = None, after: int | None = None, note: str | None = None
) -> Change:
    row: Row = {"id": number, "code": f"BK-{code}", "person_id": person_id, "after_id": after, "note": note}
    return Change("bookings", (number,), None, row)


def details(number: int, due_on: str | None = None) -> Change:
    return Change("details", (number,), None, {"booking_id": number, "due_on": due_on})


def room(number: int, before: tuple[float, int | None], after: tuple[float, int | None]) -> Change:
    """A change of price and of the booking that has the room."""
    old: Row = {"id": number, "price": before[0], "booking_id": before[1]}
    return Change("rooms", (number,), old, old | {"price": after[0], "booking_id": after[1]})

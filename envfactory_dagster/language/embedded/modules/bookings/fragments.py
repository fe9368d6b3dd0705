"""Pieces that several tools of this module share: finding rows of a world, and fragments of code."""

from typing import Any

from envfactory_dagster.language.embedded.kit import (
    Row,
    integer,
    row_of,
    text,
)
from envfactory_dagster.language.embedded.world import View

TIMES = "from datetime import datetime, timedelta"
STATUSES = ("confirmed", "attended", "missed", "cancelled")


def coming(view: View) -> list[Row]:
    """Bookings of user 1 that start late enough to be cancelled or moved."""
    return view.mine("booking", lambda row: row["status"] == "confirmed" and start_of(view, row) > view.moment(2, 9))


def start_of(view: View, booking: Row) -> str:
    start: str = view.row("slot", booking["slot_id"])["starts_at"] if view.has("scheduled") else booking["starts_at"]
    return start


def free_slots(view: View, party: int) -> list[Row]:
    """Slots to come with places for a party, none of them booked by user 1."""
    mine = {row["slot_id"] for row in view.mine("booking")}
    taken: dict[int, int] = {}
    for row in view.rows("booking"):
        if row["status"] == "confirmed":
            taken[row["slot_id"]] = taken.get(row["slot_id"], 0) + row["party_size"]
    return view.select(
        "slot",
        lambda slot: (
            slot["starts_at"] > view.moment(1)
            and slot["id"] not in mine
            and slot["seats"] - taken.get(slot["id"], 0) >= party
        ),
    )


def move_call(view: View) -> dict[str, Any]:
    booking = coming(view)[-1]
    if view.has("scheduled"):
        return {"booking_id": booking["id"], "slot_id": free_slots(view, booking["party_size"])[0]["id"]}
    return {"booking_id": booking["id"], "starts_at": view.moment(20, 11)}


# The booking `b` of the signed-in person, its start as `starts_at`, its resource as `r`.
SELECT_MINE = """
                #: if scheduled
                "SELECT b.id, b.status, b.party_size, b.total_cents, b.$slot_id, s.starts_at, s.ends_at,"
                " r.id AS $resource_id, r.name AS $resource_name"
                " FROM $bookings b JOIN $slots s ON s.id = b.$slot_id JOIN $resources r ON r.id = s.$resource_id"
                #: end
                #: if !scheduled
                "SELECT b.id, b.status, b.party_size, b.total_cents, b.starts_at, b.ends_at,"
                " r.id AS $resource_id, r.name AS $resource_name"
                " FROM $bookings b JOIN $resources r ON r.id = b.$resource_id"
                #: end
"""
FIND_MINE = (
    """
            row = env.one("""
    + SELECT_MINE
    + """
                " WHERE b.id = ? AND b.$person_id = ?",
                [$booking_id, env.user_id],
            )
            if row is None:
                raise env.Error(f"you have no $Booking {$booking_id}")
"""
)
STILL_CHANGEABLE = """
            if row["status"] != "confirmed":
                raise env.Error(f"this $Booking is {row['status']} already")
            #: if booking_notice
            latest = (datetime.fromisoformat(row["starts_at"]) - timedelta(hours=$notice)).isoformat()
            if env.now > latest:
                raise env.Error("this $Booking starts in less than $notice hours, too late to change it")
            #: end
"""
BELOW_LIMITS = """
            #: if booking_party
            if party_size > 8:
                raise env.Error("a party of more than 8 cannot be booked online")
            #: end
            #: if booking_most
            upcoming = env.one(
                #: if scheduled
                "SELECT count(*) AS n FROM $bookings b JOIN $slots s ON s.id = b.$slot_id"
                " WHERE b.$person_id = ? AND b.status = 'confirmed' AND s.starts_at > ?",
                #: end
                #: if !scheduled
                "SELECT count(*) AS n FROM $bookings"
                " WHERE $person_id = ? AND status = 'confirmed' AND starts_at > ?",
                #: end
                [env.user_id, env.now],
            )
            if upcoming["n"] >= $most:
                raise env.Error("you have $most confirmed $Bookings to come already, the most allowed")
            #: end
"""
MINE = row_of(
    "booking",
    "id",
    "slot_id",
    "status",
    "party_size",
    "total_cents",
    starts_at=text(),
    ends_at=text(),
    **{"$resource_id": integer(), "$resource_name": text()},
)
NOT_SHUT = """
            #: if full closures
            closure = env.one(
                "SELECT reason FROM $closures WHERE $resource_id = ? AND starts_on <= ? AND ends_on >= ?",
                [$resource_id, starts_at[:10], starts_at[:10]],
            )
            if closure is not None:
                raise env.Error(f"this $Resource is shut then: {closure['reason']}")
            #: end
"""

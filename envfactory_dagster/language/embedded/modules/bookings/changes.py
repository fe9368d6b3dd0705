"""Booking, cancelling, moving."""

from envfactory_dagster.language.embedded.kit import Tool, choice, ident, integer, moment, text
from envfactory_dagster.language.embedded.modules.bookings.fragments import (
    BELOW_LIMITS,
    FIND_MINE,
    NOT_SHUT,
    STILL_CHANGEABLE,
    TIMES,
    coming,
    free_slots,
    move_call,
)

CHANGES = (
    Tool(
        name="book_$slot",
        about="Book places at $aSlot for the signed-in $Person.",
        effect="create",
        when="scheduled",
        params={"$slot_id": ident("slot"), "party_size": integer("How many places.", 1, 20, default=1)},
        returns={"$booking_id": integer(), "total_cents": integer()},
        code="""
            slot = env.one("SELECT starts_at, seats, price_cents, status FROM $slots WHERE id = ?", [$slot_id])
            if slot is None:
                raise env.Error(f"there is no $Slot {$slot_id}")
            if slot["status"] != "open" or slot["starts_at"] <= env.now:
                raise env.Error("this $Slot cannot be booked any more")
"""
        + BELOW_LIMITS
        + """
            taken = env.one(
                "SELECT coalesce(sum(party_size), 0) AS n FROM $bookings WHERE $slot_id = ? AND status = 'confirmed'",
                [$slot_id],
            )
            if taken["n"] + party_size > slot["seats"]:
                raise env.Error(f"only {slot['seats'] - taken['n']} places are left")
            total_cents = party_size * slot["price_cents"]
            booking_id = env.insert(
                "INSERT INTO $bookings ($person_id, $slot_id, party_size, total_cents, status, booked_at)"
                " VALUES (?, ?, ?, ?, 'confirmed', ?)",
                [env.user_id, $slot_id, party_size, total_cents, env.now],
            )
            return {"$booking_id": booking_id, "total_cents": total_cents}
        """,
        good=lambda view: {"slot_id": free_slots(view, 2)[0]["id"], "party_size": 2},
        bad=lambda view: {"slot_id": view.missing("slot"), "party_size": 2},
    ),
    Tool(
        name="book_$resource",
        about="Book $aResource for some hours for the signed-in $Person.",
        effect="create",
        when="!scheduled",
        imports=TIMES,
        params={
            "$resource_id": ident("resource"),
            "starts_at": moment("When it starts, as YYYY-MM-DDTHH:MM:SS."),
            "hours": integer("For how many hours.", 1, 6),
            "party_size": integer("How many people come.", 1, 20, default=1),
        },
        returns={"$booking_id": integer(), "total_cents": integer()},
        code="""
            resource = env.one("SELECT capacity, hourly_cents, status FROM $resources WHERE id = ?", [$resource_id])
            if resource is None or resource["status"] != "open":
                raise env.Error(f"there is no $Resource {$resource_id} to book")
            if starts_at <= env.now:
                raise env.Error("this time has passed")
            if party_size > resource["capacity"]:
                raise env.Error(f"this $Resource holds {resource['capacity']} people")
"""
        + BELOW_LIMITS
        + """
            ends_at = (datetime.fromisoformat(starts_at) + timedelta(hours=hours)).isoformat()
"""
        + NOT_SHUT
        + """
            clash = env.one(
                "SELECT id FROM $bookings WHERE $resource_id = ? AND status = 'confirmed'"
                " AND starts_at < ? AND ends_at > ?",
                [$resource_id, ends_at, starts_at],
            )
            if clash is not None:
                raise env.Error("somebody has booked this $Resource at that time")
            total_cents = hours * resource["hourly_cents"]
            booking_id = env.insert(
                "INSERT INTO $bookings ($person_id, $resource_id, starts_at, ends_at, party_size, total_cents,"
                " status, booked_at) VALUES (?, ?, ?, ?, ?, ?, 'confirmed', ?)",
                [env.user_id, $resource_id, starts_at, ends_at, party_size, total_cents, env.now],
            )
            return {"$booking_id": booking_id, "total_cents": total_cents}
        """,
        good=lambda view: {"resource_id": 1, "starts_at": view.moment(20, 10), "hours": 2, "party_size": 3},
        bad=lambda view: {"resource_id": view.missing("resource"), "starts_at": view.moment(20, 10), "hours": 2},
    ),
    Tool(
        name="cancel_$booking",
        about="Cancel one of the signed-in $Person's confirmed $Bookings.",
        effect="change",
        imports=TIMES,
        params={"$booking_id": ident("booking")},
        returns={"$booking_id": integer(), "status": choice("", "cancelled")},
        code=FIND_MINE
        + STILL_CHANGEABLE
        + """
            env.execute("UPDATE $bookings SET status = 'cancelled' WHERE id = ?", [$booking_id])
            return {"$booking_id": $booking_id, "status": "cancelled"}
        """,
        good=lambda view: {"booking_id": coming(view)[-1]["id"]},
        bad=lambda view: {"booking_id": view.missing("booking")},
    ),
    Tool(
        name="move_$booking",
        about="Move one of the signed-in $Person's confirmed $Bookings to another $Slot, for the same party.",
        effect="change",
        when="scheduled",
        imports=TIMES,
        params={"$booking_id": ident("booking"), "$slot_id": ident("slot", "Id of the $Slot to move to.")},
        returns={"$booking_id": integer(), "$slot_id": integer(), "total_cents": integer()},
        code=FIND_MINE
        + STILL_CHANGEABLE
        + """
            slot = env.one("SELECT starts_at, seats, price_cents, status FROM $slots WHERE id = ?", [$slot_id])
            if slot is None or slot["status"] != "open" or slot["starts_at"] <= env.now:
                raise env.Error(f"there is no $Slot {$slot_id} to move to")
            taken = env.one(
                "SELECT coalesce(sum(party_size), 0) AS n FROM $bookings WHERE $slot_id = ? AND status = 'confirmed'",
                [$slot_id],
            )
            if $slot_id == row["$slot_id"] or taken["n"] + row["party_size"] > slot["seats"]:
                raise env.Error("there is no room for this party")
            total_cents = row["party_size"] * slot["price_cents"]
            env.execute(
                "UPDATE $bookings SET $slot_id = ?, total_cents = ? WHERE id = ?",
                [$slot_id, total_cents, $booking_id],
            )
            return {"$booking_id": $booking_id, "$slot_id": $slot_id, "total_cents": total_cents}
        """,
        good=move_call,
        bad=lambda view: {"booking_id": coming(view)[-1]["id"], "slot_id": view.missing("slot")},
    ),
    Tool(
        name="move_$booking",
        about="Move one of the signed-in $Person's confirmed $Bookings to another time on the same $Resource.",
        effect="change",
        when="!scheduled",
        imports=TIMES,
        params={"$booking_id": ident("booking"), "starts_at": moment("The new start, as YYYY-MM-DDTHH:MM:SS.")},
        returns={"$booking_id": integer(), "starts_at": text(), "ends_at": text()},
        code=FIND_MINE
        + STILL_CHANGEABLE
        + """
            if starts_at <= env.now:
                raise env.Error("this time has passed")
            $resource_id = row["$resource_id"]
"""
        + NOT_SHUT
        + """
            length = datetime.fromisoformat(row["ends_at"]) - datetime.fromisoformat(row["starts_at"])
            ends_at = (datetime.fromisoformat(starts_at) + length).isoformat()
            clash = env.one(
                "SELECT id FROM $bookings WHERE $resource_id = ? AND status = 'confirmed' AND id <> ?"
                " AND starts_at < ? AND ends_at > ?",
                [$resource_id, $booking_id, ends_at, starts_at],
            )
            if clash is not None:
                raise env.Error("somebody has booked this $Resource at that time")
            env.execute(
                "UPDATE $bookings SET starts_at = ?, ends_at = ? WHERE id = ?", [starts_at, ends_at, $booking_id]
            )
            return {"$booking_id": $booking_id, "starts_at": starts_at, "ends_at": ends_at}
        """,
        good=move_call,
        bad=lambda view: {"booking_id": view.missing("booking"), "starts_at": view.moment(20, 11)},
    ),
)

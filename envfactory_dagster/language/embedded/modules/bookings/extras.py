"""What the user does on arrival, and what the options add: waiting lists and guests."""

from envfactory_dagster.language.embedded.kit import Tool, choice, ident, integer, many, row_of, text
from envfactory_dagster.language.embedded.modules.bookings.fragments import FIND_MINE, coming, start_of

EXTRAS = (
    Tool(
        name="check_in_$booking",
        about="Check in on arrival: mark one's own $Booking of today as attended.",
        effect="change",
        principal="user",
        params={"$booking_id": ident("booking")},
        returns={"$booking_id": integer(), "status": choice("", "attended")},
        code=FIND_MINE
        + """
            if row["status"] != "confirmed" or row["starts_at"][:10] != env.now[:10]:
                raise env.Error("only a confirmed $Booking of today can be checked in")
            env.execute("UPDATE $bookings SET status = 'attended' WHERE id = ?", [$booking_id])
            return {"$booking_id": $booking_id, "status": "attended"}
        """,
        good=lambda view: {
            "booking_id": next(
                row["id"]
                for row in view.mine("booking", lambda row: row["status"] == "confirmed")
                if start_of(view, row)[:10] == view.today
            )
        },
        bad=lambda view: {"booking_id": coming(view)[-1]["id"]},
    ),
    Tool(
        name="list_my_$waits",
        about="List the $Slots that the signed-in $Person waits for, or has waited for.",
        effect="read",
        when="full scheduled waitlist",
        params={},
        returns={"$waits": many(row_of("wait", "id", "slot_id", "joined_at", "status", starts_at=text()))},
        code="""
            rows = env.query(
                "SELECT w.id, w.$slot_id, w.joined_at, w.status, s.starts_at FROM $waits w"
                " JOIN $slots s ON s.id = w.$slot_id WHERE w.$person_id = ? ORDER BY s.starts_at",
                [env.user_id],
            )
            return {"$waits": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="join_$slot_waitlist",
        about="Put the signed-in $Person on the waiting list of $aSlot.",
        effect="create",
        when="full scheduled waitlist",
        params={"$slot_id": ident("slot")},
        returns={"$wait_id": integer(), "position": integer()},
        code="""
            slot = env.one("SELECT seats, starts_at FROM $slots WHERE id = ?", [$slot_id])
            if slot is None or slot["starts_at"] <= env.now:
                raise env.Error(f"there is no $Slot {$slot_id} to wait for")
            #: if booking_wait_full
            taken = env.one(
                "SELECT coalesce(sum(party_size), 0) AS n FROM $bookings WHERE $slot_id = ? AND status = 'confirmed'",
                [$slot_id],
            )
            if taken["n"] < slot["seats"]:
                raise env.Error("this $Slot still has places: book one instead of waiting")
            #: end
            if env.one("SELECT id FROM $waits WHERE $slot_id = ? AND $person_id = ?", [$slot_id, env.user_id]):
                raise env.Error("you are on this waiting list already")
            wait_id = env.insert(
                "INSERT INTO $waits ($slot_id, $person_id, joined_at, status) VALUES (?, ?, ?, 'waiting')",
                [$slot_id, env.user_id, env.now],
            )
            ahead = env.one("SELECT count(*) AS n FROM $waits WHERE $slot_id = ? AND status = 'waiting'", [$slot_id])
            return {"$wait_id": wait_id, "position": ahead["n"]}
        """,
        good=lambda view: {"slot_id": view.rows("slot")[-2]["id"]},
        bad=lambda view: {"slot_id": view.missing("slot")},
    ),
    Tool(
        name="list_$guests",
        about="List the $Guests named for one of the signed-in $Person's $Bookings.",
        effect="read",
        when="full guests",
        params={"$booking_id": ident("booking")},
        returns={"$guests": many(row_of("guest", "id", "name"))},
        code=FIND_MINE
        + """
            return {"$guests": env.query("SELECT id, name FROM $guests WHERE $booking_id = ? ORDER BY id", [row["id"]])}
        """,
        good=lambda view: {"booking_id": view.mine("booking")[0]["id"]},
        bad=lambda view: {"booking_id": view.missing("booking")},
    ),
    Tool(
        name="add_$guest",
        about="Name somebody who comes along to one of the signed-in $Person's confirmed $Bookings.",
        effect="create",
        when="full guests",
        params={"$booking_id": ident("booking"), "name": text("Full name of the $Guest.", 80)},
        returns={"$guest_id": integer(), "$guests": integer()},
        code=FIND_MINE
        + """
            if row["status"] != "confirmed":
                raise env.Error(f"this $Booking is {row['status']} already")
            names = [g["name"] for g in env.query("SELECT name FROM $guests WHERE $booking_id = ?", [$booking_id])]
            if name in names:
                raise env.Error(f"{name} is named already")
            #: if booking_guest_limit
            if len(names) >= $guestlimit:
                raise env.Error("you can bring at most $guestlimit $Guests")
            #: end
            guest_id = env.insert("INSERT INTO $guests ($booking_id, name) VALUES (?, ?)", [$booking_id, name])
            return {"$guest_id": guest_id, "$guests": len(names) + 1}
        """,
        good=lambda view: {"booking_id": coming(view)[-1]["id"], "name": view.person_name()},
        bad=lambda view: {"booking_id": view.missing("booking"), "name": view.person_name()},
    ),
)

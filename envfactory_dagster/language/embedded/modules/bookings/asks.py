"""What people want done about bookings."""

from envfactory_dagster.language.embedded.kit import Allow, Ask, Fact, Goal, Step, attempt
from envfactory_dagster.language.embedded.modules.bookings.fragments import coming, free_slots, start_of
from envfactory_dagster.language.embedded.vocabulary import words_for_date
from envfactory_dagster.language.embedded.world import View


def _when(moment: str) -> str:
    return f"{words_for_date(moment[:10])} at {moment[11:16]}"


def _may_book(view: View) -> bool:
    limit = view.setting("most") if view.has("booking_most") else 100
    upcoming = view.mine("booking", lambda row: row["status"] == "confirmed" and start_of(view, row) > view.now)
    return len(upcoming) < limit


def book_a_slot(view: View) -> Step | None:
    slots = free_slots(view, 2)
    if not slots or not _may_book(view):
        return None
    slot = view.rng.choice(slots)
    resource = view.row("resource", slot["resource_id"])["name"]
    return Step(
        text="book me {party} places at the $Slot in {resource} on {date} at {time}",
        values={
            "party": 2,
            "resource": resource,
            "date": words_for_date(slot["starts_at"][:10]),
            "time": slot["starts_at"][11:16],
            "starts_at": slot["starts_at"],
        },
        solve="""
            rooms = tools.list_$resources()["$resources"]
            room = next(r for r in rooms if r["name"] == resource)
            found = tools.search_$slots(on_day=starts_at[:10], $resource_id=room["id"], least_places=party)
            slot = next(s for s in found["$slots"] if s["starts_at"] == starts_at)
            tools.book_$slot($slot_id=slot["id"], party_size=party)
        """,
        goals=(
            Goal(
                "booked",
                "SELECT count(*) AS n FROM $bookings b JOIN $slots s ON s.id = b.$slot_id"
                " JOIN $resources r ON r.id = s.$resource_id WHERE b.$person_id = 1 AND b.status = 'confirmed'"
                " AND b.party_size = :party AND r.name = :resource AND s.starts_at = :starts_at",
            ),
        ),
        allows=(Allow("booking", created=1),),
    )


def book_any_slot(view: View) -> Step | None:
    """A choice: any slot of two days, and of those between them, will do."""
    days = sorted({slot["starts_at"][:10] for slot in free_slots(view, 1)})
    if len(days) < 2 or not _may_book(view):
        return None
    index = view.rng.randrange(len(days) - 1)
    first, last = days[index : index + 2]
    if any(first <= start_of(view, row)[:10] <= last for row in view.mine("booking")):
        return None
    return Step(
        text="get me one place at any $Slot from {from_day} to {to_day}, whichever has room",
        values={"from_day": words_for_date(first), "to_day": words_for_date(last), "first": first, "last": last},
        solve="""
            slot = tools.search_$slots(on_day=first, least_places=1)["$slots"][0]
            booked = tools.book_$slot($slot_id=slot["id"], party_size=1)
            tools.get_$booking($booking_id=booked["$booking_id"])
        """,
        goals=(
            Goal(
                "one_place_then",
                "SELECT count(*) AS n FROM $bookings b JOIN $slots s ON s.id = b.$slot_id WHERE b.$person_id = 1"
                " AND b.status = 'confirmed' AND b.party_size = 1"
                " AND substr(s.starts_at, 1, 10) BETWEEN :first AND :last",
            ),
        ),
        allows=(Allow("booking", created=1),),
        otherwise=(("on_day=first", "on_day=last"),),
    )


def book_hours(view: View) -> Step | None:
    if not _may_book(view):
        return None
    resource = view.pick("resource", lambda row: row["status"] == "open" and row["capacity"] >= 4)
    if resource is None:
        return None
    starts_at = view.moment(view.rng.randint(15, 25), view.rng.randint(9, 16))
    return Step(
        text="book {resource} for {party} people, {hours} hours from {when}",
        values={
            "resource": resource["name"],
            "party": view.rng.randint(2, 4),
            "hours": view.rng.randint(2, 3),
            "when": _when(starts_at),
            "starts_at": starts_at,
        },
        solve="""
            rooms = tools.list_$resources(least_capacity=party)["$resources"]
            room = next(r for r in rooms if r["name"] == resource)
            tools.get_$resource_day($resource_id=room["id"], on_day=starts_at[:10])
            tools.book_$resource($resource_id=room["id"], starts_at=starts_at, hours=hours, party_size=party)
        """,
        goals=(
            Goal(
                "booked_for_those_hours",
                "SELECT count(*) AS n FROM $bookings b JOIN $resources r ON r.id = b.$resource_id"
                " WHERE b.$person_id = 1 AND b.status = 'confirmed' AND r.name = :resource AND b.party_size = :party"
                " AND b.starts_at = :starts_at"
                " AND CAST(substr(b.ends_at, 12, 2) AS INTEGER) - CAST(substr(b.starts_at, 12, 2) AS INTEGER) = :hours",
            ),
        ),
        allows=(Allow("booking", created=1),),
    )


def cancel(view: View) -> Step | None:
    bookings = coming(view)
    if not bookings:
        return None
    booking = view.rng.choice(bookings)
    return Step(
        text="cancel my $Booking of {when}",
        values={
            "when": _when(start_of(view, booking)),
            "starts_at": start_of(view, booking),
            "booking_id": booking["id"],
        },
        solve="""
            mine = tools.list_my_$bookings(status="confirmed")["$bookings"]
            booking = next(b for b in mine if b["starts_at"] == starts_at)
            tools.get_$booking($booking_id=booking["id"])
            tools.cancel_$booking($booking_id=booking["id"])
        """,
        goals=(
            Goal("cancelled", "SELECT count(*) AS n FROM $bookings WHERE id = :booking_id AND status = 'cancelled'"),
        ),
        allows=(Allow("booking", changed=1, columns=("status",), ids=(booking["id"],)),),
    )


def move(view: View) -> Step | None:
    bookings = coming(view)
    if not bookings:
        return None
    booking = view.rng.choice(bookings)
    start = start_of(view, booking)
    target = view.moment(view.rng.randint(26, 29), 11)
    if view.has("scheduled"):
        slots = free_slots(view, booking["party_size"])
        if not slots:
            return None
        slot = view.rng.choice(slots)
        target = slot["starts_at"]
        if sum(row["starts_at"] == target for row in view.rows("slot")) > 1:
            return None
    return Step(
        text="move my $Booking of {when} to {new}",
        values={
            "when": _when(start),
            "new": _when(target),
            "old": start,
            "target": target,
            "booking_id": booking["id"],
        },
        solve="""
            mine = tools.list_my_$bookings(status="confirmed")["$bookings"]
            booking = next(b for b in mine if b["starts_at"] == old)
            #: if scheduled
            slots = tools.search_$slots(on_day=target[:10], least_places=booking["party_size"])["$slots"]
            slot = next(s for s in slots if s["starts_at"] == target)
            tools.move_$booking($booking_id=booking["id"], $slot_id=slot["id"])
            #: end
            #: if !scheduled
            tools.get_$resource_day($resource_id=booking["$resource_id"], on_day=target[:10])
            tools.move_$booking($booking_id=booking["id"], starts_at=target)
            #: end
        """,
        goals=(
            Goal(
                "moved",
                """
                #: if scheduled
                SELECT count(*) AS n FROM $bookings b JOIN $slots s ON s.id = b.$slot_id
                #: end
                #: if !scheduled
                SELECT count(*) AS n FROM $bookings s JOIN $bookings b ON s.id = b.id
                #: end
                WHERE b.id = :booking_id AND b.status = 'confirmed' AND s.starts_at = :target
                """,
            ),
        ),
        allows=(
            Allow(
                "booking",
                changed=1,
                columns=("slot_id", "total_cents", "starts_at", "ends_at"),
                ids=(booking["id"],),
            ),
        ),
    )


def bring_a_guest(view: View) -> Step | None:
    bookings = coming(view)
    if not bookings:
        return None
    booking = view.rng.choice(bookings)
    start = start_of(view, booking)
    return Step(
        text="put {name} down as my $Guest for the $Booking of {when}",
        values={"name": view.person_name(), "when": _when(start), "starts_at": start, "booking_id": booking["id"]},
        solve="""
            mine = tools.list_my_$bookings(status="confirmed")["$bookings"]
            booking = next(b for b in mine if b["starts_at"] == starts_at)
            tools.list_$guests($booking_id=booking["id"])
            tools.add_$guest($booking_id=booking["id"], name=name)
        """,
        goals=(
            Goal(
                "guest_named",
                "SELECT count(*) AS n FROM $guests WHERE $booking_id = :booking_id AND name = :name",
            ),
        ),
        allows=(Allow("guest", created=1),),
    )


def wait_for_full_slot(view: View) -> Step | None:
    slot = view.rows("slot")[-2]
    resource = view.row("resource", slot["resource_id"])["name"]
    return Step(
        text="put me on the waiting list for the full $Slot in {resource} on {when}",
        values={
            "resource": resource,
            "when": _when(slot["starts_at"]),
            "starts_at": slot["starts_at"],
            "slot_id": slot["id"],
        },
        solve="""
            tools.list_my_$waits()
            rooms = tools.list_$resources()["$resources"]
            room = next(r for r in rooms if r["name"] == resource)
            tools.search_$slots($resource_id=room["id"], least_places=1)
            tools.join_$slot_waitlist($slot_id=slot_id)
        """,
        goals=(
            Goal(
                "waiting",
                "SELECT count(*) AS n FROM $waits WHERE $slot_id = :slot_id AND $person_id = 1 AND status = 'waiting'",
            ),
        ),
        allows=(Allow("wait", created=1),),
    )


def how_many_attended(view: View) -> Step | None:
    return Step(
        text="tell me how many $Bookings of mine I attended",
        values={},
        solve="""
            return tools.list_my_$bookings(status="attended")["total"]
        """,
        facts=(
            Fact(
                "the_number_attended",
                "SELECT count(*) AS value FROM $bookings WHERE $person_id = 1 AND status = 'attended'",
            ),
        ),
    )


def cost_of_coming(view: View) -> Step | None:
    return Step(
        text="tell me what all my $Bookings that are still confirmed cost together, in cents",
        values={},
        solve="""
            rows = tools.summarize_my_$bookings()["by_status"]
            return sum(row["cents"] for row in rows if row["status"] == "confirmed")
        """,
        facts=(
            Fact(
                "their_cost",
                "SELECT coalesce(sum(total_cents), 0) AS value FROM $bookings"
                " WHERE $person_id = 1 AND status = 'confirmed'",
            ),
        ),
    )


def best_host(view: View) -> Step | None:
    best = max(row["rating"] for row in view.rows("host"))
    if sum(row["rating"] == best for row in view.rows("host")) > 1:
        return None
    return Step(
        text="tell me who the best rated $Host is",
        values={},
        solve="""
            return tools.list_$hosts()["$hosts"][0]["name"]
        """,
        facts=(Fact("the_best_host", "SELECT name AS value FROM $hosts ORDER BY rating DESC LIMIT 1"),),
    )


def next_closure(view: View) -> Step | None:
    closure = view.pick("closure")
    if closure is None:
        return None
    resource = view.row("resource", closure["resource_id"])["name"]
    return Step(
        text="tell me from which day {resource} will be shut, as YYYY-MM-DD",
        values={"resource": resource},
        solve="""
            rooms = tools.list_$resources()["$resources"]
            room = next(r for r in rooms if r["name"] == resource)
            return tools.list_$closures($resource_id=room["id"])["$closures"][0]["starts_on"]
        """,
        facts=(
            Fact(
                "its_first_day",
                "SELECT c.starts_on AS value FROM $closures c JOIN $resources r ON r.id = c.$resource_id"
                " WHERE r.name = :resource ORDER BY c.starts_on LIMIT 1",
            ),
        ),
    )


def refuse_late_cancel(view: View) -> Step | None:
    today = view.mine("booking", lambda row: row["status"] == "confirmed" and start_of(view, row)[:10] == view.today)
    if not today:
        return None
    return Step(
        text="cancel the $Booking I have today",
        values={"today": view.today},
        solve=attempt(
            'tools.cancel_$booking($booking_id=booking["id"])',
            first="""
                mine = tools.list_my_$bookings(status="confirmed")["$bookings"]
                booking = next(b for b in mine if b["starts_at"][:10] == today)
                tools.get_$booking($booking_id=booking["id"])
            """,
        ),
    )


def refuse_large_party(view: View) -> Step | None:
    slots = free_slots(view, 1) if view.has("scheduled") else []
    if view.has("scheduled") and not slots:
        return None
    day = slots[0]["starts_at"][:10] if slots else view.day(22)
    return Step(
        text="book any $Resource you like on {date} for the 15 of us",
        values={"date": words_for_date(day), "day": day, "ten": f"{day}T10:00:00"},
        solve=attempt(
            'tools.book_$slot($slot_id=options[0]["id"], party_size=15)'
            if view.has("scheduled")
            else 'tools.book_$resource($resource_id=rooms[0]["id"], starts_at=ten, hours=1, party_size=15)',
            first="""
                rooms = tools.list_$resources()["$resources"]
                #: if scheduled
                options = tools.search_$slots(on_day=day)["$slots"]
                #: end
            """,
        ),
    )


ASKS = (
    Ask("book_a_slot", book_a_slot, when="scheduled"),
    Ask("book_any_slot", book_any_slot, when="scheduled"),
    Ask("book_hours", book_hours, when="!scheduled"),
    Ask("cancel_booking", cancel),
    Ask("move_booking", move),
    Ask("bring_a_guest", bring_a_guest, when="full guests"),
    Ask("wait_for_full_slot", wait_for_full_slot, when="full scheduled waitlist"),
    Ask("how_many_attended", how_many_attended),
    Ask("cost_of_coming", cost_of_coming, when="full"),
    Ask("best_host", best_host, when="full hosts"),
    Ask("next_closure", next_closure, when="full closures"),
    Ask("late_cancel", refuse_late_cancel, rule="booking_notice"),
    Ask("large_party", refuse_large_party, rule="booking_party"),
)

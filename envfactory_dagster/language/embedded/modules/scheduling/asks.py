"""What people want done about their shifts."""

from envfactory_dagster.language.embedded.kit import Allow, Ask, Fact, Goal, Step
from envfactory_dagster.language.embedded.modules.scheduling.fragments import (
    coming,
    free_shifts,
    open_offers,
    start_of,
)
from envfactory_dagster.language.embedded.modules.scheduling.rows import LEAVE_KINDS, WEEKDAYS
from envfactory_dagster.language.embedded.vocabulary import words_for_date
from envfactory_dagster.language.embedded.world import View

_DAY_NAMES = dict(
    zip(WEEKDAYS, ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"), strict=True)
)


def take_a_shift(view: View) -> Step | None:
    shifts = free_shifts(view)
    if not shifts:
        return None
    shift = view.rng.choice(shifts)
    return Step(
        text="put me down for the {duty} $Shift on {date}",
        values={
            "duty": view.row("duty", shift["duty_id"])["name"],
            "date": words_for_date(shift["starts_at"][:10]),
            "day": shift["starts_at"][:10],
            "shift_id": shift["id"],
        },
        solve="""
            wanted = next(d for d in tools.list_$dutys()["$dutys"] if d["name"] == duty)
            found = tools.search_$shifts(on_day=day, $duty_id=wanted["id"])["$shifts"]
            tools.list_my_$stints(status="assigned")
            tools.take_$shift($shift_id=found[0]["id"])
        """,
        goals=(
            Goal(
                "put_down",
                "SELECT count(*) AS n FROM $stints WHERE $shift_id = :shift_id AND $person_id = 1"
                " AND status IN ('assigned', 'confirmed')",
            ),
        ),
        allows=(Allow("stint", created=1),),
    )


def take_any_shift(view: View) -> Step | None:
    """A choice: any shift of a duty in a week will do."""
    shifts = free_shifts(view)
    if not shifts:
        return None
    duty = view.row("duty", view.rng.choice(shifts)["duty_id"])
    first, last = view.day(8), view.day(23)
    return Step(
        text="find me any {duty} $Shift between {from_words} and {to_words} and put me down for it",
        values={
            "duty": duty["name"],
            "from_words": words_for_date(first),
            "to_words": words_for_date(last),
            "first": first,
            "after": view.day(24),
            "duty_id": duty["id"],
        },
        solve="""
            wanted = next(d for d in tools.list_$dutys()["$dutys"] if d["name"] == duty)
            found = tools.search_$shifts(from_day=first, $duty_id=wanted["id"])["$shifts"]
            tools.take_$shift($shift_id=found[0]["id"])
            tools.list_my_$stints(status="assigned", from_day=first)
        """,
        goals=(
            Goal(
                "put_down_for_one",
                "SELECT count(*) AS n FROM $stints a JOIN $shifts s ON s.id = a.$shift_id WHERE a.$person_id = 1"
                " AND a.status IN ('assigned', 'confirmed') AND s.$duty_id = :duty_id"
                " AND s.starts_at >= :first AND s.starts_at < :after",
            ),
        ),
        allows=(Allow("stint", created=1),),
        otherwise=(("found[0]", "found[1]"),),
    )


def give_up(view: View) -> Step | None:
    stints = coming(view)
    if not stints:
        return None
    stint = view.rng.choice(stints)
    start = start_of(view, stint)
    return Step(
        text="take me off the $Shift on {date}, I cannot come",
        values={"date": words_for_date(start[:10]), "day": start[:10], "stint_id": stint["id"]},
        solve="""
            mine = tools.list_my_$stints(status="assigned", from_day=day)["$stints"]
            stint = next(a for a in mine if a["starts_at"][:10] == day)
            #: if full
            tools.get_$shift($shift_id=stint["$shift_id"])
            #: end
            tools.release_$stint($stint_id=stint["id"])
        """,
        goals=(Goal("released", "SELECT count(*) AS n FROM $stints WHERE id = :stint_id AND status = 'released'"),),
        allows=(Allow("stint", changed=1, columns=("status",), ids=(stint["id"],)),),
    )


def offer(view: View) -> Step | None:
    stints = coming(view)
    if not stints:
        return None
    stint = view.rng.choice(stints)
    start = start_of(view, stint)
    return Step(
        text='offer my $Shift of {date} to the others, with the note "{note}"',
        values={
            "date": words_for_date(start[:10]),
            "day": start[:10],
            "note": view.rng.choice(("I have to travel that day.", "Family visit.", "I would rather work later.")),
            "stint_id": stint["id"],
        },
        solve="""
            mine = tools.list_my_$stints(status="assigned")["$stints"]
            stint = next(a for a in mine if a["starts_at"][:10] == day)
            tools.list_open_$swaps()
            tools.offer_$swap($stint_id=stint["id"], note=note)
        """,
        goals=(
            Goal(
                "offered",
                "SELECT count(*) AS n FROM $swaps WHERE $stint_id = :stint_id AND status = 'open' AND note = :note",
            ),
        ),
        allows=(Allow("swap", created=1),),
    )


def take_over(view: View) -> Step | None:
    offers = open_offers(view)
    if not offers:
        return None
    swap = view.rng.choice(offers)
    stint = view.row("stint", swap["stint_id"])
    start = start_of(view, stint)
    return Step(
        text="take over the $Shift on {date} that {name} wants to pass on",
        values={
            "date": words_for_date(start[:10]),
            "day": start[:10],
            "name": view.row("person", stint["person_id"])["name"],
            "swap_id": swap["id"],
            "shift_id": stint["shift_id"],
        },
        solve="""
            offers = tools.list_open_$swaps()["$swaps"]
            wanted = next(w for w in offers if w["starts_at"][:10] == day and w["offered_by"] == name)
            tools.get_$shift($shift_id=wanted["$shift_id"])
            tools.take_$swap($swap_id=wanted["id"])
        """,
        goals=(
            Goal("taken_over", "SELECT count(*) AS n FROM $swaps WHERE id = :swap_id AND status = 'taken'"),
            Goal(
                "works_it",
                "SELECT count(*) AS n FROM $stints WHERE $shift_id = :shift_id AND $person_id = 1"
                " AND status IN ('assigned', 'confirmed')",
            ),
        ),
        allows=(
            Allow("swap", changed=1, columns=("status", "taker_id"), ids=(swap["id"],)),
            Allow("stint", created=1, changed=1, columns=("status",), ids=(stint["id"],)),
        ),
    )


def keep_offered(view: View) -> Step | None:
    stint = view.row("stint", view.row("swap", 1)["stint_id"])
    start = start_of(view, stint)
    return Step(
        text="withdraw my offer of the $Shift on {date}, I can come after all",
        values={"date": words_for_date(start[:10])},
        solve="""
            tools.list_my_$stints(status="assigned")
            offers = tools.list_open_$swaps()["$swaps"]
            tools.withdraw_$swap($swap_id=next(w["id"] for w in offers if w["mine"]))
        """,
        goals=(Goal("withdrawn", "SELECT count(*) AS n FROM $swaps WHERE id = 1 AND status = 'withdrawn'"),),
        allows=(Allow("swap", changed=1, columns=("status",), ids=(1,)),),
    )


def days_off(view: View) -> Step | None:
    offset = view.rng.randint(55, 80)
    first, last = view.day(offset), view.day(offset + view.rng.randint(1, 5))
    return Step(
        text="ask for {kind} leave for me from {from_words} to {to_words}",
        values={
            "kind": view.rng.choice(LEAVE_KINDS[:1] + LEAVE_KINDS[2:]),
            "from_words": words_for_date(first),
            "to_words": words_for_date(last),
            "first": first,
            "last": last,
        },
        solve="""
            tools.list_my_$leaves()
            tools.list_my_$stints(from_day=first)
            tools.request_$leave(kind=kind, starts_on=first, ends_on=last)
        """,
        goals=(
            Goal(
                "asked_for",
                "SELECT count(*) AS n FROM $leaves WHERE $person_id = 1 AND kind = :kind AND starts_on = :first"
                " AND ends_on = :last AND status = 'requested'",
            ),
        ),
        allows=(Allow("leave", created=1),),
    )


def keep_working(view: View) -> Step | None:
    return Step(
        text="withdraw the $Leave of mine that has not been decided yet",
        values={},
        solve="""
            leaves = tools.list_my_$leaves()["$leaves"]
            waiting = next(row for row in leaves if row["status"] == "requested")
            tools.withdraw_$leave($leave_id=waiting["id"])
        """,
        goals=(
            Goal(
                "leave_withdrawn",
                "SELECT count(*) AS n FROM $leaves WHERE id = 1 AND $person_id = 1 AND status = 'withdrawn'",
            ),
        ),
        allows=(Allow("leave", changed=1, columns=("status",), ids=(1,)),),
    )


def when_available(view: View) -> Step | None:
    weekday = view.rng.choice(WEEKDAYS[5:])
    start = view.rng.randint(7, 12)
    return Step(
        text="note that on {weekday_name}s I can work from {start} to {end} o'clock",
        values={
            "weekday_name": _DAY_NAMES[weekday],
            "weekday": weekday,
            "start": start,
            "end": start + view.rng.randint(4, 8),
        },
        solve="""
            tools.list_my_$windows()
            tools.set_$window(weekday=weekday, from_hour=start, to_hour=end)
        """,
        goals=(
            Goal(
                "noted",
                "SELECT count(*) AS n FROM $windows WHERE $person_id = 1 AND weekday = :weekday"
                " AND from_hour = :start AND to_hour = :end",
            ),
        ),
        allows=(Allow("window", created=1),),
    )


def hours_worked(view: View) -> Step | None:
    first, last = view.day(-8), view.day(-1)
    return Step(
        text="tell me how many hours I worked from {from_words} to {to_words} altogether",
        values={
            "from_words": words_for_date(first),
            "to_words": words_for_date(last),
            "first": first,
            "last": last,
        },
        solve="""
            return tools.summarize_my_hours(from_day=first, to_day=last)["hours"]
        """,
        facts=(
            Fact(
                "the_hours",
                "SELECT coalesce(sum(s.hours), 0) AS value FROM $stints a JOIN $shifts s ON s.id = a.$shift_id"
                " WHERE a.$person_id = 1 AND a.status = 'worked'"
                " AND substr(s.starts_at, 1, 10) BETWEEN :first AND :last",
            ),
        ),
    )


def next_shift(view: View) -> Step | None:
    return Step(
        text="tell me what $Duty my next $Shift after today is for",
        values={"tomorrow": view.day(1)},
        solve="""
            return tools.list_my_$stints(status="assigned", from_day=tomorrow)["$stints"][0]["$duty_name"]
        """,
        facts=(
            Fact(
                "its_kind",
                "SELECT d.name AS value FROM $stints a JOIN $shifts s ON s.id = a.$shift_id"
                " JOIN $dutys d ON d.id = s.$duty_id WHERE a.$person_id = 1 AND a.status IN ('assigned', 'confirmed')"
                " AND s.starts_at >= :tomorrow ORDER BY s.starts_at LIMIT 1",
            ),
        ),
    )


def who_leads(view: View) -> Step | None:
    return Step(
        text="tell me who is in charge on my next $Shift after today",
        values={"tomorrow": view.day(1)},
        solve="""
            mine = tools.list_my_$stints(status="assigned", from_day=tomorrow)["$stints"]
            return tools.get_$shift($shift_id=mine[0]["$shift_id"])["in_charge"]
        """,
        facts=(
            Fact(
                "who",
                "SELECT l.name AS value FROM $stints a JOIN $shifts s ON s.id = a.$shift_id"
                " JOIN $leads l ON l.id = s.$lead_id WHERE a.$person_id = 1"
                " AND a.status IN ('assigned', 'confirmed') AND s.starts_at >= :tomorrow"
                " ORDER BY s.starts_at LIMIT 1",
            ),
        ),
    )


def expired_skill(view: View) -> Step | None:
    return Step(
        text="tell me which $Skill of mine has expired",
        values={"today": view.today},
        solve="""
            skills = tools.list_my_$skills()["$skills"]
            return next(s["name"] for s in skills if s["expires_on"] < today)
        """,
        facts=(
            Fact(
                "the_expired_one",
                "SELECT q.name AS value FROM $holdings h JOIN $skills q ON q.id = h.$skill_id"
                " WHERE h.$person_id = 1 AND h.expires_on < :today",
            ),
        ),
    )


def when_i_came(view: View) -> Step | None:
    stamps = [row for row in view.rows("clocking") if view.row("stint", row["stint_id"])["person_id"] == 1]
    if not stamps:
        return None
    stamp = view.rng.choice(stamps)
    return Step(
        text="tell me at what time I stamped in on {date}, as HH:MM",
        values={"date": words_for_date(stamp["came_at"][:10]), "day": stamp["came_at"][:10], "stamp_id": stamp["id"]},
        solve="""
            stamps = tools.list_my_$clockings()["$clockings"]
            return next(c["came_at"][11:16] for c in stamps if c["came_at"][:10] == day)
        """,
        facts=(Fact("the_time", "SELECT substr(came_at, 12, 5) AS value FROM $clockings WHERE id = :stamp_id"),),
    )


ASKS = (
    Ask("take_a_shift", take_a_shift),
    Ask("take_any_shift", take_any_shift),
    Ask("give_up_shift", give_up),
    Ask("offer_shift", offer, when="full swaps"),
    Ask("take_over_shift", take_over, when="full swaps"),
    Ask("keep_offered_shift", keep_offered, when="full swaps"),
    Ask("days_off", days_off, when="full leaves"),
    Ask("keep_working", keep_working, when="full leaves"),
    Ask("when_available", when_available, when="full windows"),
    Ask("hours_worked", hours_worked, when="full"),
    Ask("next_shift", next_shift),
    Ask("who_leads", who_leads, when="full leads"),
    Ask("expired_skill", expired_skill, when="full skills"),
    Ask("when_i_came", when_i_came, when="full clock"),
)

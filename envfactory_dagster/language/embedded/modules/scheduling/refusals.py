"""What people want of their shifts that a rule forbids."""

from envfactory_dagster.language.embedded.kit import Ask, Step, attempt
from envfactory_dagster.language.embedded.vocabulary import words_for_date
from envfactory_dagster.language.embedded.world import View


def refuse_late_release(view: View) -> Step | None:
    return Step(
        text="take me off today's $Shift",
        values={"today": view.today},
        solve=attempt(
            'tools.release_$stint($stint_id=stint["id"])',
            first="""
                mine = tools.list_my_$stints(status="assigned", from_day=today)["$stints"]
                stint = next(a for a in mine if a["starts_at"][:10] == today)
                #: if full
                tools.get_$shift($shift_id=stint["$shift_id"])
                #: end
            """,
        ),
    )


def refuse_no_rest(view: View) -> Step | None:
    """The evening shift of a day on which user 1 works already."""
    shift = view.need("shift", lambda row: row["starts_at"] > view.now and row["starts_at"][11:13] == "20")
    if view.has("shift_skill") and shift["duty_id"] == 3:
        return None
    return Step(
        text="put me down for the evening $Shift on {date} as well",
        values={"date": words_for_date(shift["starts_at"][:10]), "day": shift["starts_at"][:10]},
        solve=attempt(
            'tools.take_$shift($shift_id=evening["id"])',
            first="""
                tools.list_my_$stints(status="assigned")
                found = tools.search_$shifts(on_day=day)["$shifts"]
                evening = next(s for s in found if s["starts_at"][11:13] == "20")
            """,
        ),
    )


def refuse_lacking_skill(view: View) -> Step | None:
    shifts = view.select("shift", lambda row: row["duty_id"] == 3 and row["starts_at"] > view.moment(8, 0))
    if not shifts:
        return None
    duty = view.row("duty", 3)["name"]
    return Step(
        text="put me down for the {duty} $Shift on {date}",
        values={"duty": duty, "date": words_for_date(shifts[0]["starts_at"][:10]), "day": shifts[0]["starts_at"][:10]},
        solve=attempt(
            'tools.take_$shift($shift_id=found[0]["id"])',
            first="""
                wanted = next(d for d in tools.list_$dutys()["$dutys"] if d["name"] == duty)
                found = tools.search_$shifts(on_day=day, $duty_id=wanted["id"])["$shifts"]
                tools.list_my_$skills()
            """,
        ),
    )


def refuse_overlapping_leave(view: View) -> Step | None:
    leave = view.row("leave", 1)
    return Step(
        text="ask for holiday leave for me from {from_words} to {to_words}",
        values={
            "from_words": words_for_date(leave["ends_on"]),
            "to_words": words_for_date(view.day(50)),
            "first": leave["ends_on"],
            "last": view.day(50),
        },
        solve=attempt(
            'tools.request_$leave(kind="holiday", starts_on=first, ends_on=last)',
            first="tools.list_my_$leaves()",
        ),
    )


REFUSALS = (
    Ask("late_release", refuse_late_release, rule="shift_notice"),
    Ask("no_rest", refuse_no_rest, rule="shift_rest"),
    Ask("lacking_skill", refuse_lacking_skill, rule="shift_skill", when="full skills"),
    Ask("overlapping_leave", refuse_overlapping_leave, rule="leave_overlap", when="full leaves"),
)

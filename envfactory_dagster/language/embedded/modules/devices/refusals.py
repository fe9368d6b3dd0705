"""What people want of their devices that a rule forbids."""

from envfactory_dagster.language.embedded.kit import Ask, Step, attempt
from envfactory_dagster.language.embedded.modules.devices.asks import FIND_DEVICE
from envfactory_dagster.language.embedded.modules.devices.fragments import unresolved, visible
from envfactory_dagster.language.embedded.vocabulary import words_for_date
from envfactory_dagster.language.embedded.world import View

_FIND_ALERT = (
    FIND_DEVICE
    + """
            alerts = tools.list_$alerts(status=status)["$alerts"]
            alert = next(a for a in alerts if a["$device_id"] == wanted["id"])
"""
)


def refuse_without_note(view: View) -> Step | None:
    found = unresolved(view, "acknowledged", "critical")
    if not found:
        return None
    return Step(
        text="close the critical $Alert of {device}, without any note",
        values={"device": found[0][1]["name"], "status": "acknowledged"},
        solve=attempt('tools.resolve_$alert($alert_id=alert["id"])', first=_FIND_ALERT),
    )


def refuse_skipping(view: View) -> Step | None:
    found = unresolved(view, "open", "warning")
    if not found:
        return None
    return Step(
        text='close the open $Alert of {device} without acknowledging it, with the note "Looked after that."',
        values={"device": found[0][1]["name"], "status": "open"},
        solve=attempt(
            'tools.resolve_$alert($alert_id=alert["id"], note="Looked after that.")',
            first=_FIND_ALERT,
        ),
    )


def refuse_out_of_range(view: View) -> Step | None:
    device = view.rng.choice(visible(view)[:5])
    kind = view.row("kind", device["kind_id"])
    return Step(
        text="let {device} raise a warning above {level} {unit}",
        values={"device": device["name"], "level": round(kind["highest"] * 2 + 50.5, 1), "unit": kind["measures"]},
        solve=attempt(
            'tools.set_$bound($device_id=wanted["id"], direction="above", level=level, severity="warning")',
            first=FIND_DEVICE
            + """
            tools.list_$bounds($device_id=wanted["id"])
            """,
        ),
    )


def refuse_close_upkeep(view: View) -> Step | None:
    upkeep = view.row("upkeep", 1)
    return Step(
        text='plan another $Upkeep for {device} on {date} at 11:00, two hours, for "a second look"',
        values={
            "device": view.row("device", upkeep["device_id"])["name"],
            "date": words_for_date(upkeep["starts_at"][:10]),
            "starts_at": upkeep["starts_at"][:11] + "11:00:00",
        },
        solve=attempt(
            'tools.plan_$upkeep($device_id=wanted["id"], starts_at=starts_at, hours=2, purpose="a second look")',
            first=FIND_DEVICE
            + """
            tools.list_$upkeeps($device_id=wanted["id"])
            """,
        ),
    )


def refuse_long_upkeep(view: View) -> Step | None:
    device = view.rng.choice(visible(view)[:5])
    starts_at = view.moment(31, 8)
    return Step(
        text='plan $aUpkeep of 12 hours for {device} on {date} from 08:00, for "a complete overhaul"',
        values={"device": device["name"], "date": words_for_date(starts_at[:10]), "starts_at": starts_at},
        solve=attempt(
            'tools.plan_$upkeep($device_id=wanted["id"], starts_at=starts_at, hours=12, purpose="a complete overhaul")',
            first=FIND_DEVICE
            + """
            tools.list_$upkeeps($device_id=wanted["id"])
            """,
        ),
    )


def refuse_escalation(view: View) -> Step | None:
    found = unresolved(view, "open", "warning")
    if not found:
        return None
    return Step(
        text="have somebody called about the open $Alert of {device}",
        values={"device": found[0][1]["name"], "status": "open"},
        solve=attempt('tools.escalate_$alert($alert_id=alert["id"])', first=_FIND_ALERT),
    )


REFUSALS = (
    Ask("close_without_note", refuse_without_note, rule="alert_note"),
    Ask("close_unacknowledged", refuse_skipping, rule="alert_order"),
    Ask("bound_out_of_range", refuse_out_of_range, rule="device_range", when="full"),
    Ask("upkeep_too_close", refuse_close_upkeep, rule="upkeep_gap", when="full"),
    Ask("upkeep_too_long", refuse_long_upkeep, rule="upkeep_length", when="full"),
    Ask("escalate_warning", refuse_escalation, rule="escalation_critical", when="full escalations"),
)

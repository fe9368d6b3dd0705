"""A shared calendar from files. Times are in UTC, and an event belongs to the day on which it starts."""

import datetime


def read_notes(env) -> dict:
    """Read what the calendar says of itself."""
    return {"text": env.files.read_text("README.md")}


def list_users(env) -> dict:
    """List the people."""
    return {"users": env.files.records("users.json")}


def get_user(env, *, user_id: int) -> dict:
    """Look a person up; null where there is none."""
    return {"user": env.files.get("users.json", user_id)}


def find_user(env, *, email: str) -> dict:
    """Look a person up by mail address, in upper or lower case; null where there is none."""
    return {"user": _user(env, email)}


def list_holidays(env) -> dict:
    """List the holidays."""
    return {"holidays": env.files.records("holidays.json")}


def is_holiday(env, *, day: str) -> dict:
    """Whether a day is a holiday, and which."""
    found = env.files.records("holidays.json", {"date": _day(env, day)})
    return {"holiday": bool(found), "name": found[0]["name"] if found else None}


def get_event(env, *, event_id: str) -> dict:
    """Look an event up; null where there is none."""
    return {"event": env.files.get("events.json", event_id)}


def list_events(env, *, day: str) -> dict:
    """List the events of a day, cancelled ones too."""
    wanted = _day(env, day)
    return {"events": [event for event in env.files.records("events.json") if event["start"][:10] == wanted]}


def list_events_of(env, *, email: str) -> dict:
    """List the events that somebody organizes or attends, cancelled ones not."""
    return {"events": _events_of(env, email)}


def find_events(env, *, title: str) -> dict:
    """Find events by a part of their title."""
    wanted = title.lower()
    return {"events": [event for event in env.files.records("events.json") if wanted in event["title"].lower()]}


def is_free(env, *, email: str, start: str, end: str) -> dict:
    """Whether somebody has nothing between two times of the form 2026-03-02T09:00:00Z."""
    clashing = [event for event in _events_of(env, email) if event["start"] < end and event["end"] > start]
    return {"free": not clashing, "clashing": [event["event_id"] for event in clashing]}


def _user(env, email: str):
    wanted = email.lower()
    for user in env.files.records("users.json"):
        if user["email"].lower() == wanted:
            return user
    return None


def _events_of(env, email: str):
    if _user(env, email) is None:
        raise env.Error(f"Nobody has the address {email}.")
    wanted = email.lower()
    return [
        event
        for event in env.files.records("events.json", {"status": "confirmed"})
        if event["organizer"].lower() == wanted or wanted in event["attendees"]
    ]


def _day(env, day: str):
    try:
        return datetime.date.fromisoformat(day).isoformat()
    except ValueError:
        raise env.Error(f"{day} is no day of the form 2026-03-02.") from None

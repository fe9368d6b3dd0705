import datetime
import json


def _give_travel_notice_day(env, text, what):
    """The day that a text gives, or a refusal."""
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise env.Error(f"{what} must be a day such as 2026-03-02")


GIVE_TRAVEL_NOTICE_MOST_DAYS = 60
GIVE_TRAVEL_NOTICE_NEAR = (
    "netherlands",
    "the netherlands",
    "belgium",
    "luxembourg",
    "germany",
)


def _give_travel_notice_add_days(days, starts_on, ends_on):
    """Add the days from the first to the last to the set of their year."""
    day = datetime.date.fromisoformat(starts_on)
    last = datetime.date.fromisoformat(ends_on)
    while day <= last:
        days.setdefault(day.year, set()).add(day)
        day += datetime.timedelta(days=1)


def give_travel_notice(env, *, bicycle_id: int, countries: list, starts_on: str, ends_on: str) -> dict:
    """Give notice of a journey with one bicycle."""
    bicycle = env.one(
        "SELECT b.id FROM bicycles b JOIN policies p ON p.id = b.policy_id WHERE b.id = ? AND p.member_id = ?",
        [bicycle_id, env.user_id],
    )
    if bicycle is None:
        raise env.Error(f"there is no bicycle {bicycle_id} on your policy")
    names = [name.strip() for name in countries]
    if not names or not all(names):
        raise env.Error("name the countries of the journey")
    first = _give_travel_notice_day(env, starts_on, "starts_on").isoformat()
    last = _give_travel_notice_day(env, ends_on, "ends_on").isoformat()
    if last < first:
        raise env.Error("the last day of the journey lies before the first")
    if first < env.now[:10]:
        raise env.Error("the journey cannot begin in the past")
    if int(last[:4]) - int(first[:4]) > 1:
        raise env.Error("give notice of one journey of less than two years at a time")
    cover = env.one(
        "SELECT id FROM covers WHERE bicycle_id = ? AND starts_on <= ? AND (ends_on IS NULL OR ends_on >= ?) LIMIT 1",
        [bicycle_id, first, first],
    )
    if cover is None:
        raise env.Error(f"bicycle {bicycle_id} has no running cover on {first}")
    near = all(name.lower() in GIVE_TRAVEL_NOTICE_NEAR for name in names)
    area = "benelux_germany" if near else "elsewhere"
    if not near:
        days = {}
        earlier = env.query(
            "SELECT starts_on, ends_on FROM travel_notices"
            " WHERE bicycle_id = ? AND area = 'elsewhere' AND withdrawn_at IS NULL ORDER BY id",
            [bicycle_id],
        )
        for notice in earlier:
            _give_travel_notice_add_days(days, notice["starts_on"], notice["ends_on"])
        _give_travel_notice_add_days(days, first, last)
        for year in range(int(first[:4]), int(last[:4]) + 1):
            if len(days[year]) > GIVE_TRAVEL_NOTICE_MOST_DAYS:
                raise env.Error(
                    f"bicycle {bicycle_id} would be outside the Benelux and Germany for {len(days[year])} days"
                    f" in {year}; at most {GIVE_TRAVEL_NOTICE_MOST_DAYS} are insured"
                )
    notice_id = env.insert(
        "INSERT INTO travel_notices (bicycle_id, countries, area, starts_on, ends_on, filed_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [bicycle_id, ", ".join(names), area, first, last, env.now],
    )
    return env.one(
        "SELECT id, bicycle_id, countries, area, starts_on, ends_on, filed_at, withdrawn_at"
        " FROM travel_notices WHERE id = ?",
        [notice_id],
    )

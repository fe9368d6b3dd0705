import collections
import datetime


def _list_mattine_closing_day(holidays, day):
    """The last working day before a court morning."""
    before = datetime.date.fromisoformat(day) - datetime.timedelta(days=1)
    while before.weekday() > 4 or before.isoformat() in holidays:
        before -= datetime.timedelta(days=1)
    return before.isoformat()


def list_mattine(
    env, *, first_day: str = None, last_day: str = None, status: str = None, socio_id: int = None
) -> dict:
    """Lists court mornings with their closing and one member's files."""
    member = env.user_id if socio_id is None else socio_id
    if env.files.get("data/soci.json", member) is None:
        raise env.Error(f"there is no member {member}")
    holidays = {one["id"]: one for one in env.files.records("data/festivi.tsv")}
    days_off = {one["day"] for one in holidays.values()}
    away = {one["day"] for one in env.files.records("data/assenze.csv", {"socio_id": member})}
    jobs = {one["id"]: one for one in env.files.records("data/incarichi.json", {"socio_id": member})}
    files = collections.Counter()
    urgent_files = collections.Counter()
    for one in env.files.records("data/giuramenti.jsonl"):
        if one["outcome"] != "cancelled" and one["incarico_id"] in jobs:
            files[one["mattina_id"]] += 1
            urgent_files[one["mattina_id"]] += jobs[one["incarico_id"]]["urgent"]
    mornings = []
    for one in sorted(env.files.records("data/mattine.json"), key=lambda one: (one["day"], one["id"])):
        if first_day is not None and one["day"] < first_day:
            continue
        if last_day is not None and one["day"] > last_day:
            continue
        if status is not None and one["status"] != status:
            continue
        closing = _list_mattine_closing_day(days_off, one["day"])
        mornings.append(
            {
                "id": one["id"],
                "day": one["day"],
                "status": one["status"],
                "festivo_name": None if one["festivo_id"] is None else holidays[one["festivo_id"]]["name"],
                "closes_at": closing + "T12:00:00",
                "closes_urgent_at": closing + "T17:00:00",
                "files": files[one["id"]],
                "urgent_files": urgent_files[one["id"]],
                "away": one["day"] in away,
            }
        )
    return {"mattine": mornings}

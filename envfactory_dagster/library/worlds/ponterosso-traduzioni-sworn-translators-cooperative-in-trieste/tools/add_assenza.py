import datetime


def _price_job_working_day(env, day):
    try:
        weekday = datetime.date.fromisoformat(day).weekday()
    except ValueError:
        return False
    return weekday < 5 and env.files.count("data/festivi.tsv", {"day": day}) == 0


def add_assenza(env, *, day: str) -> dict:
    """Enters a day on which the user is away."""
    if day < env.now[:10]:
        raise env.Error(f"{day} is past")
    if not _price_job_working_day(env, day):
        raise env.Error(f"{day} is no working day")
    if env.files.count("data/assenze.csv", {"socio_id": env.user_id, "day": day}):
        raise env.Error(f"you are entered as away on {day} already")
    key = env.files.append("data/assenze.csv", {"socio_id": env.user_id, "day": day})
    return {"id": key, "socio_id": env.user_id, "day": day}

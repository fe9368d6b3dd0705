import datetime


def _price_job_working_day(env, day):
    try:
        weekday = datetime.date.fromisoformat(day).weekday()
    except ValueError:
        return False
    return weekday < 5 and env.files.count("data/festivi.tsv", {"day": day}) == 0


def _price_job_open_mornings(env, ready_on, deadline):
    """Checks the two dates and counts the open mornings after the ready date, up to and including the deadline."""
    if not _price_job_working_day(env, ready_on):
        raise env.Error(f"the ready date {ready_on} is no working day")
    if not _price_job_working_day(env, deadline):
        raise env.Error(f"the deadline {deadline} is no working day")
    if deadline <= ready_on:
        raise env.Error("the deadline must lie after the ready date")
    mornings = env.files.records("data/mattine.json")
    last = max(one["day"] for one in mornings)
    if deadline[:7] > last[:7]:
        raise env.Error(f"court mornings are known until {last} only")
    found = [one for one in mornings if one["status"] == "open" and ready_on < one["day"] <= deadline]
    if not found:
        raise env.Error(f"there is no open court morning after {ready_on} up to {deadline}")
    return len(found)


PRICE_JOB_LINE_CENTS = 140
PRICE_JOB_MINIMUM_CENTS = 3500
PRICE_JOB_URGENT_PERCENT = 30
PRICE_JOB_SWEARING_CENTS = 4000
PRICE_JOB_VAT_PERCENT = 22
PRICE_JOB_STAMP_CENTS = 1600


def _price_job_total(lines, urgent, exempt):
    work = max(PRICE_JOB_MINIMUM_CENTS, lines * PRICE_JOB_LINE_CENTS)
    if urgent:
        work = work * (100 + PRICE_JOB_URGENT_PERCENT) // 100
    net = work + PRICE_JOB_SWEARING_CENTS
    gross = (net * (100 + PRICE_JOB_VAT_PERCENT) + 50) // 100
    stamps = 0 if exempt else PRICE_JOB_STAMP_CENTS * ((lines + 99) // 100)
    return gross + stamps


def price_job(env, *, lines: int, ready_on: str, deadline: str, exempt: bool = False) -> dict:
    """Reckons a price by the tariff."""
    mornings = _price_job_open_mornings(env, ready_on, deadline)
    urgent = mornings == 1
    return {
        "urgent": urgent,
        "open_mornings": mornings,
        "total_cents": _price_job_total(lines, urgent, exempt),
    }

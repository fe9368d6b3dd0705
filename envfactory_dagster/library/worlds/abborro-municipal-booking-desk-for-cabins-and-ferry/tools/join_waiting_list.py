import datetime

GET_NIGHT_QUOTA_HIGH_FIRST = "06-15"
GET_NIGHT_QUOTA_HIGH_LAST = "08-09"
BOOK_STAY_LEAST = 2
BOOK_STAY_LEAST_HIGH = 3

def _get_night_quota_days(first, last):
    """The nights from one day up to, but without, another, as days."""
    start = datetime.date.fromisoformat(first)
    count = (datetime.date.fromisoformat(last) - start).days
    return [(start + datetime.timedelta(days=n)).isoformat() for n in range(count)]


def _get_night_quota_is_high(night):
    """Whether a night lies between 15 June and 9 August."""
    return GET_NIGHT_QUOTA_HIGH_FIRST <= night[5:10] <= GET_NIGHT_QUOTA_HIGH_LAST


def _search_cabins_taken(env, cabin_id, arrives_on, leaves_on, except_stay):
    """Whether a stay other than one lies in a cabin on some nights."""
    return env.one(
        "SELECT id FROM stays WHERE cabin_id = ? AND status NOT IN ('lapsed', 'cancelled')"
        " AND arrives_on < ? AND leaves_on > ? AND id <> ? ORDER BY id LIMIT 1",
        [cabin_id, leaves_on, arrives_on, except_stay]) is not None


def _search_cabins_check_days(env, arrives_on, leaves_on):
    """Refuses days in the wrong order and an arrival in the past."""
    if leaves_on <= arrives_on:
        raise env.Error("The day of leaving must come after the day of arrival.")
    if arrives_on < env.now[:10]:
        raise env.Error(f"{arrives_on} is in the past.")


def _book_stay_check_least(env, nights):
    """Refuses fewer nights than a stay needs."""
    least = BOOK_STAY_LEAST
    if any(_get_night_quota_is_high(night) for night in nights):
        least = BOOK_STAY_LEAST_HIGH
    if len(nights) < least:
        raise env.Error(f"A stay on these days must be at least {least} nights long.")


def join_waiting_list(env, *, cabin_id: int, arrives_on: str, leaves_on: str, adults: int, children: int = 0,
                      infants: int = 0, dogs: int = 0) -> dict:
    """Puts the household on the waiting list for nights of a taken cabin."""
    cabin = env.one("SELECT id, name, beds, takes_dogs FROM cabins WHERE id = ?", [cabin_id])
    if cabin is None:
        raise env.Error(f"There is no cabin {cabin_id}.")
    _search_cabins_check_days(env, arrives_on, leaves_on)
    if adults < 1 or min(children, infants, dogs) < 0:
        raise env.Error("At least one adult must stay, and no number can be negative.")
    if adults + children + infants > cabin["beds"]:
        raise env.Error(f"{cabin['name']} has only {cabin['beds']} beds.")
    if dogs > 0 and cabin["takes_dogs"] == 0:
        raise env.Error(f"{cabin['name']} takes no dogs.")
    if not _search_cabins_taken(env, cabin_id, arrives_on, leaves_on, 0):
        raise env.Error(f"No other stay has taken {cabin['name']} on these nights, so there is no waiting list.")
    _book_stay_check_least(env, _get_night_quota_days(arrives_on, leaves_on))
    if env.one("SELECT id FROM waiting_list_entries WHERE household_id = ? AND cabin_id = ? AND arrives_on = ?"
               " AND status = 'waiting'", [env.user_id, cabin_id, arrives_on]) is not None:
        raise env.Error(f"Your household is on the waiting list for {cabin['name']} from {arrives_on} already.")
    entry_id = env.insert(
        "INSERT INTO waiting_list_entries (household_id, cabin_id, arrives_on, leaves_on, adults, children, infants,"
        " dogs, status, joined_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?)",
        [env.user_id, cabin_id, arrives_on, leaves_on, adults, children, infants, dogs, env.now])
    return {"waiting_list_entry": env.one(
        "SELECT id AS waiting_list_entry_id, cabin_id, arrives_on, leaves_on, adults, children, infants, dogs, status,"
        " joined_at FROM waiting_list_entries WHERE id = ?", [entry_id])}

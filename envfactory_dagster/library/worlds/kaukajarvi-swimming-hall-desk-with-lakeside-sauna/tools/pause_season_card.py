import datetime


def _desk_add_months(day, months):
    """The same day of the month some months later, or the last day of that month."""
    start = datetime.date.fromisoformat(day)
    index = start.year * 12 + start.month - 1 + months
    year, month = index // 12, index % 12 + 1
    nxt = datetime.date(year + month // 12, month % 12 + 1, 1)
    last = (nxt - datetime.timedelta(days=1)).day
    return datetime.date(year, month, min(start.day, last)).isoformat()


def _desk_add_days(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _desk_days_until(env, day):
    """Whole days from today to a day."""
    return (datetime.date.fromisoformat(day) - datetime.date.fromisoformat(env.now[:10])).days


def _desk_season_card(env, season_card_id):
    return env.one(
        "SELECT s.id, s.card_number, s.customer_id, c.name AS customer_name, s.card_type, s.rantasauna_addon, s.sold_at, s.valid_from, s.valid_to, s.summer_extension_days, s.status, s.times_misused, s.misused_at, s.misuse_reason, s.closed_until, s.replaced_at FROM season_cards s JOIN customers c ON c.id = s.customer_id WHERE s.id = ?",
        [season_card_id],
    )


def _desk_own_season_card(env, season_card_id):
    """A season card of the user or of their child."""
    row = env.one(
        "SELECT s.id FROM season_cards s JOIN customers c ON c.id = s.customer_id WHERE s.id = :s AND (c.id = :u OR (c.guardian_id = :u AND c.birth_date > date(:day, '-18 years')))",
        {"s": season_card_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"neither you nor a child of yours has a season card {season_card_id}")
    return _desk_season_card(env, season_card_id)


PAUSE_SEASON_CARD_LEAST_DAYS = 14


PAUSE_SEASON_CARD_MOST_MONTHS = 6


PAUSE_SEASON_CARD_LATEST_DAYS = 30


def pause_season_card(env, *, season_card_id: int, reason: str, certificate_on: str, starts_on: str, ends_on: str) -> dict:
    """Pauses a season card once and moves its last day by the days of the pause."""
    card = _desk_own_season_card(env, season_card_id)
    earlier = env.one("SELECT starts_on, ends_on FROM card_pauses WHERE season_card_id = ?", [season_card_id])
    if earlier is not None:
        raise env.Error(f"card {card['card_number']} has had its one pause, {earlier['starts_on']} to {earlier['ends_on']}")
    if certificate_on > env.now[:10]:
        raise env.Error("the doctor's certificate cannot bear a date that is still to come")
    if ends_on < starts_on:
        raise env.Error("the pause ends before it starts")
    days = (datetime.date.fromisoformat(ends_on) - datetime.date.fromisoformat(starts_on)).days + 1
    if days < PAUSE_SEASON_CARD_LEAST_DAYS:
        raise env.Error(f"a pause is at least 14 days, and this is {days}")
    if ends_on >= _desk_add_months(starts_on, PAUSE_SEASON_CARD_MOST_MONTHS):
        raise env.Error("a pause is at most 6 months")
    if _desk_days_until(env, ends_on) < -PAUSE_SEASON_CARD_LATEST_DAYS:
        raise env.Error("a pause can be asked for until 30 days after the end of the illness or injury")
    if starts_on < card["valid_from"] or ends_on > card["valid_to"]:
        raise env.Error(f"card {card['card_number']} is valid from {card['valid_from']} to {card['valid_to']}, and the pause must lie within")
    new = env.insert(
        "INSERT INTO card_pauses (season_card_id, requested_by_id, reason, certificate_on, starts_on, ends_on, requested_at) VALUES (:s, :u, :r, :c, :a, :b, :now)",
        {"s": season_card_id, "u": env.user_id, "r": reason, "c": certificate_on, "a": starts_on, "b": ends_on, "now": env.now},
    )
    env.execute(
        "UPDATE season_cards SET valid_to = :last WHERE id = :s",
        {"last": _desk_add_days(card["valid_to"], days), "s": season_card_id},
    )
    pause = env.one("SELECT id, season_card_id, requested_by_id, reason, certificate_on, starts_on, ends_on, requested_at FROM card_pauses WHERE id = ?", [new])
    return {"card_pause": pause, "season_card": _desk_season_card(env, season_card_id)}

import datetime


def _add_cover_day(env, text, what):
    """The day that a text gives, or a refusal."""
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise env.Error(f"{what} must be a day such as 2026-03-02")


def _add_cover_premium(kind, insured_value_cents):
    """The monthly premium in cents before the no-claim reduction."""
    if kind == "city_bicycle":
        rate = 80
    elif kind == "electric":
        rate = 60
    elif kind == "cargo":
        rate = 45
    else:
        rate = 100
    return insured_value_cents * rate // 10000


def add_cover(env, *, bicycle_id: int, kind: str, insured_value_cents: int, starts_on: str) -> dict:
    """Add a cover to a bicycle on the member's policy."""
    bicycle = env.one(
        "SELECT b.id, b.kind, b.price_cents, b.battery_wh FROM bicycles b JOIN policies p ON p.id = b.policy_id"
        " WHERE b.id = ? AND p.member_id = ?",
        [bicycle_id, env.user_id],
    )
    if bicycle is None:
        raise env.Error(f"there is no bicycle {bicycle_id} on your policy")
    if kind == "battery":
        if bicycle["battery_wh"] is None:
            raise env.Error(f"bicycle {bicycle_id} has no battery")
    elif kind != bicycle["kind"]:
        raise env.Error(f"bicycle {bicycle_id} can have a cover of kind {bicycle['kind']}, not {kind}")
    first = _add_cover_day(env, starts_on, "starts_on").isoformat()
    if first < env.now[:10]:
        raise env.Error("a cover cannot start in the past")
    if insured_value_cents > bicycle["price_cents"]:
        raise env.Error("the insured value is at most what was paid for the bicycle")
    premium = _add_cover_premium(kind, insured_value_cents)
    if premium < 1:
        raise env.Error("the insured value is too small to be covered")
    other = env.one(
        "SELECT id, ends_on FROM covers WHERE bicycle_id = ? AND kind = ? AND (ends_on IS NULL OR ends_on >= ?)"
        " ORDER BY (ends_on IS NULL) DESC, ends_on DESC, id LIMIT 1",
        [bicycle_id, kind, first],
    )
    if other is not None and other["ends_on"] is None:
        raise env.Error(f"bicycle {bicycle_id} has a cover of that kind already")
    if other is not None:
        raise env.Error(f"the old cover of that kind runs until {other['ends_on']}; the new one can start after it")
    cover_id = env.insert(
        "INSERT INTO covers (bicycle_id, kind, insured_value_cents, monthly_premium_cents, starts_on)"
        " VALUES (?, ?, ?, ?, ?)",
        [bicycle_id, kind, insured_value_cents, premium, first],
    )
    return env.one(
        "SELECT id, bicycle_id, kind, insured_value_cents, monthly_premium_cents, starts_on, ends_on, cancelled_at"
        " FROM covers WHERE id = ?",
        [cover_id],
    )

import datetime


def _add_bicycle_day(env, text, what):
    """The day that a text gives, or a refusal."""
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise env.Error(f"{what} must be a day such as 2026-03-02")


def add_bicycle(
    env,
    *,
    rider_name: str,
    kind: str,
    make: str,
    model: str = None,
    colour: str = None,
    frame_number: str,
    first_sold_on: str,
    acquired_on: str,
    price_cents: int,
    battery_wh: int = None,
) -> dict:
    """Put a bicycle on the member's policy."""
    policy = env.one(
        "SELECT id FROM policies WHERE member_id = ? AND (ends_on IS NULL OR ends_on >= ?)"
        " ORDER BY (ends_on IS NULL) DESC, id DESC LIMIT 1",
        [env.user_id, env.now[:10]],
    )
    if policy is None:
        raise env.Error("you have no running policy")
    first_sold = _add_bicycle_day(env, first_sold_on, "first_sold_on").isoformat()
    acquired = _add_bicycle_day(env, acquired_on, "acquired_on").isoformat()
    if acquired > env.now[:10]:
        raise env.Error("the day the bicycle was acquired lies in the future")
    if acquired < first_sold:
        raise env.Error("the bicycle cannot be acquired before it was first sold")
    if price_cents <= 0:
        raise env.Error("the price must be more than nothing")
    if battery_wh is not None and kind == "city_bicycle":
        raise env.Error("a city bicycle has no battery; choose electric or cargo")
    if battery_wh is not None and battery_wh <= 0:
        raise env.Error("the battery must have more than nothing")
    if env.one("SELECT id FROM bicycles WHERE frame_number = ?", [frame_number]) is not None:
        raise env.Error(f"frame number {frame_number} is known already")
    bicycle_id = env.insert(
        "INSERT INTO bicycles (policy_id, rider_name, kind, make, model, colour, frame_number, first_sold_on,"
        " acquired_on, price_cents, battery_wh, added_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            policy["id"],
            rider_name,
            kind,
            make,
            model,
            colour,
            frame_number,
            first_sold,
            acquired,
            price_cents,
            battery_wh,
            env.now,
        ],
    )
    return env.one(
        "SELECT id, rider_name, kind, make, model, colour, frame_number, first_sold_on, acquired_on, price_cents,"
        " battery_wh, added_at FROM bicycles WHERE id = ?",
        [bicycle_id],
    )

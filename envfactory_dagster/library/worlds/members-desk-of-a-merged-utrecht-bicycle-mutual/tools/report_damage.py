import datetime


def _report_theft_own_risk(env, bicycle_id, day):
    """The own risk in cents of a bicycle of the user for a loss on this day."""
    bicycle = env.one("SELECT first_sold_on FROM bicycles WHERE id = ?", [bicycle_id])
    sold = datetime.date.fromisoformat(bicycle["first_sold_on"])
    loss = datetime.date.fromisoformat(day)
    age = loss.year - sold.year - (1 if (loss.month, loss.day) < (sold.month, sold.day) else 0)
    if age < 3:
        return 3500
    if age < 5:
        return 6000
    member = env.one("SELECT old_fund FROM members WHERE id = ?", [env.user_id])
    homes = env.one(
        "SELECT count(*) AS n FROM addresses WHERE member_id = ? AND kind = 'home' AND starts_on <= ?",
        [env.user_id, day],
    )
    if member["old_fund"] == "lombok" and homes["n"] <= 1:
        return 5000
    return 8500


def _report_theft_moment(env, text, what):
    """The moment that a text gives, or a refusal."""
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S")
    except ValueError:
        raise env.Error(f"{what} must be a moment such as 2026-03-02T09:00:00")


def _report_damage_day(env, text, what):
    """Check that a text is a day."""
    try:
        datetime.datetime.strptime(text, "%Y-%m-%d")
    except ValueError:
        raise env.Error(f"{what} must be a day such as 2026-03-02")


def report_damage(
    env,
    *,
    cover_id: int,
    happened_at: str,
    place: str,
    description: str,
    repair_shop_id: int = None,
    repair_amount_cents: int = None,
    brought_in_on: str = None,
    repair_ready_on: str = None,
) -> dict:
    """Report damage under a cover of the member."""
    cover = env.one(
        "SELECT c.id, c.bicycle_id, c.starts_on, c.ends_on FROM covers c"
        " JOIN bicycles b ON b.id = c.bicycle_id JOIN policies p ON p.id = b.policy_id"
        " WHERE c.id = ? AND p.member_id = ?",
        [cover_id, env.user_id],
    )
    if cover is None:
        raise env.Error(f"you have no cover {cover_id}")
    happened = _report_theft_moment(env, happened_at, "happened_at")
    if happened > datetime.datetime.fromisoformat(env.now):
        raise env.Error("the damage cannot have happened in the future")
    day = happened_at[:10]
    today = env.now[:10]
    if cover["starts_on"] > day or (cover["ends_on"] is not None and cover["ends_on"] < day):
        raise env.Error(f"cover {cover_id} did not run on {day}")
    if repair_shop_id is not None:
        if env.one("SELECT id FROM repair_shops WHERE id = ?", [repair_shop_id]) is None:
            raise env.Error(f"there is no repair shop {repair_shop_id}")
    if repair_amount_cents is not None and repair_amount_cents <= 0:
        raise env.Error("the repair must cost more than nothing")
    if brought_in_on is not None:
        _report_damage_day(env, brought_in_on, "brought_in_on")
        if repair_shop_id is None:
            raise env.Error("say which repair shop the bicycle was brought to")
        if brought_in_on > today:
            raise env.Error("the day the bicycle was brought in lies in the future")
        if brought_in_on < day:
            raise env.Error("the bicycle cannot be brought in before the damage happened")
    if repair_ready_on is not None:
        _report_damage_day(env, repair_ready_on, "repair_ready_on")
        if brought_in_on is None:
            raise env.Error("say on which day the bicycle was brought in")
        if repair_ready_on > today:
            raise env.Error("the day the repair was ready lies in the future")
        if repair_ready_on < brought_in_on:
            raise env.Error("the repair cannot be ready before the bicycle was brought in")
    claim_id = env.insert(
        "INSERT INTO claims (claim_number, member_id, cover_id, kind, status, happened_at, place, description,"
        " repair_shop_id, repair_amount_cents, brought_in_on, repair_ready_on, own_risk_cents, reported_at)"
        " VALUES (?, ?, ?, 'damage', 'reported', ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            env.new_id("CLM"),
            env.user_id,
            cover_id,
            happened_at,
            place,
            description,
            repair_shop_id,
            repair_amount_cents,
            brought_in_on,
            repair_ready_on,
            _report_theft_own_risk(env, cover["bicycle_id"], day),
            env.now,
        ],
    )
    return env.one(
        "SELECT id, claim_number, cover_id, kind, status, happened_at, discovered_at, place, description,"
        " police_number, repair_shop_id, repair_amount_cents, brought_in_on, repair_expected_on, repair_ready_on,"
        " own_risk_cents, reported_at, submitted_at, decided_at, withdrawn_at FROM claims WHERE id = ?",
        [claim_id],
    )

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


def report_theft(
    env,
    *,
    cover_id: int,
    happened_at: str,
    discovered_at: str,
    place: str,
    description: str,
    police_number: str = None,
) -> dict:
    """Report a theft under a cover of the member."""
    cover = env.one(
        "SELECT c.id, c.kind, c.bicycle_id, c.starts_on, c.ends_on FROM covers c"
        " JOIN bicycles b ON b.id = c.bicycle_id JOIN policies p ON p.id = b.policy_id"
        " WHERE c.id = ? AND p.member_id = ?",
        [cover_id, env.user_id],
    )
    if cover is None:
        raise env.Error(f"you have no cover {cover_id}")
    happened = _report_theft_moment(env, happened_at, "happened_at")
    discovered = _report_theft_moment(env, discovered_at, "discovered_at")
    now = datetime.datetime.fromisoformat(env.now)
    if discovered < happened:
        raise env.Error("a theft cannot be discovered before it happened")
    if discovered > now:
        raise env.Error("the theft cannot be discovered in the future")
    day = happened_at[:10]
    if cover["starts_on"] > day or (cover["ends_on"] is not None and cover["ends_on"] < day):
        raise env.Error(f"cover {cover_id} did not run on {day}")
    if now - discovered > datetime.timedelta(hours=48):
        raise env.Error("a theft must be reported within 48 hours of the moment at which it was discovered")
    other = env.one(
        "SELECT claim_number FROM claims WHERE cover_id = ? AND kind = 'theft'"
        " AND status IN ('reported', 'submitted') ORDER BY id LIMIT 1",
        [cover_id],
    )
    if other is not None:
        raise env.Error(f"theft claim {other['claim_number']} under this cover is not decided yet")
    if cover["kind"] != "battery":
        gone = env.one(
            "SELECT claim_number FROM claims WHERE cover_id = ? AND kind = 'theft'"
            " AND status IN ('approved', 'paid') ORDER BY id LIMIT 1",
            [cover_id],
        )
        if gone is not None:
            raise env.Error(f"this bicycle was stolen before, under claim {gone['claim_number']}")
    claim_id = env.insert(
        "INSERT INTO claims (claim_number, member_id, cover_id, kind, status, happened_at, discovered_at, place,"
        " description, police_number, own_risk_cents, reported_at)"
        " VALUES (?, ?, ?, 'theft', 'reported', ?, ?, ?, ?, ?, ?, ?)",
        [
            env.new_id("CLM"),
            env.user_id,
            cover_id,
            happened_at,
            discovered_at,
            place,
            description,
            police_number,
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

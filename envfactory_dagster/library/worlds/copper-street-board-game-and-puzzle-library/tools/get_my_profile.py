from datetime import date, timedelta

GET_MY_PROFILE_BASE_LOANS = 3
GET_MY_PROFILE_HOSTING_DAYS = 60


def _get_my_profile_allowance(env):
    since = (date.fromisoformat(env.now[:10]) - timedelta(days=GET_MY_PROFILE_HOSTING_DAYS)).isoformat()
    turns = env.one(
        """
        SELECT COUNT(*) AS number
        FROM hosting_turns h
        JOIN club_evenings e ON e.id = h.club_evening_id
        WHERE h.member_id = :member_id AND h.status = 'carried_out'
          AND substr(e.starts_at, 1, 10) >= :since
        """,
        {"member_id": env.user_id, "since": since},
    )["number"]
    return GET_MY_PROFILE_BASE_LOANS + turns


def _get_my_profile_loans_out(env):
    return env.one(
        "SELECT COUNT(*) AS number FROM loans WHERE member_id = :member_id AND status = 'out'",
        {"member_id": env.user_id},
    )["number"]


def _get_my_profile_short_jigsaws(env):
    return env.one(
        """
        SELECT COUNT(*) AS number
        FROM loans l
        JOIN copies c ON c.id = l.copy_id
        JOIN titles t ON t.id = c.title_id
        WHERE l.member_id = :member_id AND l.returned_short = 1 AND t.kind = 'jigsaw'
        """,
        {"member_id": env.user_id},
    )["number"]


def _get_my_profile_unpaid_cents(env):
    return env.one(
        """
        SELECT COALESCE(SUM(amount_cents), 0) AS cents FROM replacement_charges
        WHERE member_id = :member_id AND status = 'unpaid'
        """,
        {"member_id": env.user_id},
    )["cents"]


def get_my_profile(env) -> dict:
    """Shows the user as a member, with loans, allowance, short jigsaws and unpaid charges."""
    member = env.one("SELECT id, name FROM members WHERE id = :member_id", {"member_id": env.user_id})
    if member is None:
        raise env.Error("you are not a member of the club")
    return {
        "id": member["id"],
        "name": member["name"],
        "loans_out": _get_my_profile_loans_out(env),
        "loan_allowance": _get_my_profile_allowance(env),
        "jigsaws_returned_short": _get_my_profile_short_jigsaws(env),
        "unpaid_charges_cents": _get_my_profile_unpaid_cents(env),
    }

PLACE_HOLD_MOST_SHORT_JIGSAWS = 1
PLACE_HOLD_MOST_UNPAID_CENTS = 1000


def place_hold(env, *, title_id: int) -> dict:
    """Place a hold on a title for the user."""
    title = env.one("SELECT id, name, kind FROM titles WHERE id = ?", [title_id])
    if title is None:
        raise env.Error(f"there is no title {title_id}")
    if title["kind"] == "jigsaw":
        short = env.one(
            """
            SELECT COUNT(*) AS n
            FROM loans l
            JOIN copies c ON c.id = l.copy_id
            JOIN titles t ON t.id = c.title_id
            WHERE l.member_id = ? AND l.returned_short = 1 AND t.kind = 'jigsaw'
            """,
            [env.user_id],
        )["n"]
        if short > PLACE_HOLD_MOST_SHORT_JIGSAWS:
            raise env.Error(
                f"{short} of your jigsaws came back with a piece missing, so you can place holds "
                "on board games only"
            )
    unpaid = env.one(
        """
        SELECT COALESCE(SUM(amount_cents), 0) AS cents FROM replacement_charges
        WHERE member_id = ? AND status = 'unpaid'
        """,
        [env.user_id],
    )["cents"]
    if unpaid > PLACE_HOLD_MOST_UNPAID_CENTS:
        raise env.Error(
            f"your unpaid replacement charges add up to {unpaid / 100:.2f} euros; a hold is "
            "possible only with 10.00 euros or less"
        )
    present = env.one(
        """
        SELECT id FROM holds
        WHERE member_id = ? AND title_id = ? AND status IN ('waiting', 'ready')
        """,
        [env.user_id, title_id],
    )
    if present is not None:
        raise env.Error(f"you already have a hold on {title['name']}")
    hold_id = env.insert(
        """
        INSERT INTO holds (member_id, title_id, copy_id, status, placed_at, ready_at, collected_at,
                           expired_at, cancelled_at)
        VALUES (?, ?, NULL, 'waiting', ?, NULL, NULL, NULL, NULL)
        """,
        [env.user_id, title_id, env.now],
    )
    return {
        "hold": {
            "id": hold_id,
            "title_id": title["id"],
            "title_name": title["name"],
            "copy_id": None,
            "status": "waiting",
            "placed_at": env.now,
            "ready_at": None,
            "collected_at": None,
            "expired_at": None,
            "cancelled_at": None,
        }
    }

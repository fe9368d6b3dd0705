from datetime import date, timedelta

BORROW_COPY_BASE_LOANS = 3
BORROW_COPY_HOSTING_DAYS = 60
BORROW_COPY_SHORT_JIGSAWS = 2
BORROW_COPY_MOST_UNPAID_CENTS = 1000
BORROW_COPY_LOAN_DAYS = 21


def _borrow_copy_allowance(env):
    since = (date.fromisoformat(env.now[:10]) - timedelta(days=BORROW_COPY_HOSTING_DAYS)).isoformat()
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
    return BORROW_COPY_BASE_LOANS + turns


def _borrow_copy_loans_out(env):
    return env.one(
        "SELECT COUNT(*) AS number FROM loans WHERE member_id = :member_id AND status = 'out'",
        {"member_id": env.user_id},
    )["number"]


def _borrow_copy_short_jigsaws(env):
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


def _borrow_copy_unpaid_cents(env):
    return env.one(
        """
        SELECT COALESCE(SUM(amount_cents), 0) AS cents FROM replacement_charges
        WHERE member_id = :member_id AND status = 'unpaid'
        """,
        {"member_id": env.user_id},
    )["cents"]


def _borrow_copy_shape(env, row):
    loan = dict(row)
    if loan["returned_short"] is not None:
        loan["returned_short"] = bool(loan["returned_short"])
    return loan


def _borrow_copy_loan(env, loan_id):
    row = env.one(
        """
        SELECT l.id, l.copy_id, c.label, c.title_id, t.name AS title_name, t.kind, l.status,
               l.borrowed_at, l.due_day, l.renewals, l.returned_at, l.returned_short
        FROM loans l
        JOIN copies c ON c.id = l.copy_id
        JOIN titles t ON t.id = c.title_id
        WHERE l.id = :loan_id AND l.member_id = :member_id
        """,
        {"loan_id": loan_id, "member_id": env.user_id},
    )
    return None if row is None else _borrow_copy_shape(env, row)


def borrow_copy(env, *, copy_id: int) -> dict:
    """Borrows a copy for the user for 21 days."""
    copy = env.one(
        """
        SELECT c.id, c.title_id, c.label, c.status, t.kind
        FROM copies c
        JOIN titles t ON t.id = c.title_id
        WHERE c.id = :copy_id
        """,
        {"copy_id": copy_id},
    )
    if copy is None:
        raise env.Error(f"there is no copy {copy_id}")
    if copy["status"] == "table_only":
        raise env.Error(f"copy {copy['label']} is for playing at the club only while a piece is missing")
    if copy["status"] != "lendable":
        raise env.Error(f"copy {copy['label']} has been withdrawn")
    out = env.one("SELECT id FROM loans WHERE copy_id = :copy_id AND status = 'out'", {"copy_id": copy_id})
    if out is not None:
        raise env.Error(f"copy {copy['label']} is out on loan")
    other_hold = env.one(
        """
        SELECT id FROM holds
        WHERE copy_id = :copy_id AND status = 'ready' AND member_id <> :member_id
        LIMIT 1
        """,
        {"copy_id": copy_id, "member_id": env.user_id},
    )
    if other_hold is not None:
        raise env.Error(f"copy {copy['label']} is kept for another member")
    unpaid = _borrow_copy_unpaid_cents(env)
    if unpaid > BORROW_COPY_MOST_UNPAID_CENTS:
        raise env.Error(
            f"your unpaid replacement charges add up to {unpaid / 100:.2f} euros; "
            "with more than 10.00 euros unpaid nothing can be borrowed"
        )
    if copy["kind"] == "jigsaw":
        short = _borrow_copy_short_jigsaws(env)
        if short >= BORROW_COPY_SHORT_JIGSAWS:
            raise env.Error(
                f"{short} of your jigsaws came back with a piece missing; from 2 on you can borrow board games only"
            )
    loans_out = _borrow_copy_loans_out(env)
    allowance = _borrow_copy_allowance(env)
    if loans_out >= allowance:
        raise env.Error(
            f"you have {loans_out} loans out and are allowed {allowance}: 3, and 1 more for each hosting turn "
            "carried out in the last 60 days"
        )
    due_day = (date.fromisoformat(env.now[:10]) + timedelta(days=BORROW_COPY_LOAN_DAYS)).isoformat()
    loan_id = env.insert(
        """
        INSERT INTO loans (member_id, copy_id, status, borrowed_at, due_day, renewals, returned_at, returned_short)
        VALUES (:member_id, :copy_id, 'out', :now, :due_day, 0, NULL, NULL)
        """,
        {"member_id": env.user_id, "copy_id": copy_id, "now": env.now, "due_day": due_day},
    )
    env.execute(
        """
        UPDATE holds SET status = 'collected', collected_at = :now
        WHERE copy_id = :copy_id AND member_id = :member_id AND status = 'ready'
        """,
        {"now": env.now, "copy_id": copy_id, "member_id": env.user_id},
    )
    return {"loan": _borrow_copy_loan(env, loan_id)}

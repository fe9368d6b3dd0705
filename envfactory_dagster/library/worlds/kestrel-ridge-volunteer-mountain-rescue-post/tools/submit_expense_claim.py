from datetime import datetime, timedelta

SUBMIT_EXPENSE_CLAIM_WINDOW_DAYS = 60
SUBMIT_EXPENSE_CLAIM_MOST_CENTS = 15000


def _submit_expense_claim_callout(env, callout_id):
    callout = env.one(
        "SELECT id, code, stood_down_at FROM callouts WHERE id = :callout_id", {"callout_id": callout_id}
    )
    if callout is None:
        raise env.Error(f"there is no callout {callout_id}")
    took_part = env.one(
        """
        SELECT id FROM callout_assignments
        WHERE callout_id = :callout_id AND member_id = :member_id AND status IN ('sent_out', 'back')
        """,
        {"callout_id": callout_id, "member_id": env.user_id},
    )
    if took_part is None:
        raise env.Error(f"you did not take part in callout {callout['code']}")
    if callout["stood_down_at"] is None:
        raise env.Error(f"callout {callout['code']} has not ended yet")
    return callout["stood_down_at"]


def _submit_expense_claim_exercise(env, exercise_id):
    exercise = env.one(
        "SELECT id, name, ends_at, status FROM exercises WHERE id = :exercise_id", {"exercise_id": exercise_id}
    )
    if exercise is None:
        raise env.Error(f"there is no exercise {exercise_id}")
    if exercise["ends_at"] > env.now:
        raise env.Error(f"the exercise {exercise['name']} has not ended yet")
    took_part = env.one(
        """
        SELECT id FROM exercise_places
        WHERE exercise_id = :exercise_id AND member_id = :member_id AND status IN ('passed', 'failed')
        """,
        {"exercise_id": exercise_id, "member_id": env.user_id},
    )
    if took_part is None:
        raise env.Error(f"you did not take part in the exercise {exercise['name']}")
    return exercise["ends_at"]


def submit_expense_claim(
    env, *, callout_id: int = None, exercise_id: int = None, amount_cents: int, description: str
) -> dict:
    """Submits a claim of the user for one callout or one exercise in which they took part."""
    if (callout_id is None) == (exercise_id is None):
        raise env.Error("say for which callout or for which exercise the claim is, one of the two")
    if callout_id is not None:
        ended_at = _submit_expense_claim_callout(env, callout_id)
    else:
        ended_at = _submit_expense_claim_exercise(env, exercise_id)
    latest = datetime.fromisoformat(ended_at) + timedelta(days=SUBMIT_EXPENSE_CLAIM_WINDOW_DAYS)
    if datetime.fromisoformat(env.now) > latest:
        raise env.Error(f"a claim can be submitted only within 60 days after the end, and that was {ended_at}")
    if amount_cents < 1:
        raise env.Error("the amount must be more than nothing")
    if amount_cents > SUBMIT_EXPENSE_CLAIM_MOST_CENTS:
        raise env.Error("a claim may be of at most 150.00 euros")
    if not description.strip():
        raise env.Error("say what the money was spent on")
    earlier = env.one(
        """
        SELECT id, status FROM expense_claims
        WHERE member_id = :member_id AND status <> 'withdrawn'
          AND ((:callout_id IS NOT NULL AND callout_id = :callout_id)
               OR (:exercise_id IS NOT NULL AND exercise_id = :exercise_id))
        ORDER BY id
        LIMIT 1
        """,
        {"member_id": env.user_id, "callout_id": callout_id, "exercise_id": exercise_id},
    )
    if earlier is not None:
        raise env.Error(f"you already have claim {earlier['id']} for it, which is {earlier['status']}")
    claim_id = env.insert(
        """
        INSERT INTO expense_claims (member_id, callout_id, exercise_id, amount_cents, description, status,
                                    submitted_at, decided_at, paid_at, withdrawn_at)
        VALUES (:member_id, :callout_id, :exercise_id, :amount_cents, :description, 'submitted',
                :now, NULL, NULL, NULL)
        """,
        {
            "member_id": env.user_id,
            "callout_id": callout_id,
            "exercise_id": exercise_id,
            "amount_cents": amount_cents,
            "description": description,
            "now": env.now,
        },
    )
    row = env.one(
        """
        SELECT id, callout_id, exercise_id, amount_cents, description, status, submitted_at, decided_at, paid_at,
               withdrawn_at
        FROM expense_claims
        WHERE id = :claim_id AND member_id = :member_id
        """,
        {"claim_id": claim_id, "member_id": env.user_id},
    )
    return {"expense_claim": dict(row)}

from datetime import date, timedelta

BORROW_KIT_ITEM_MOST_DAYS = 14
BORROW_KIT_ITEM_INSPECTION_DAYS = 180
BORROW_KIT_ITEM_MOST_LOANS = 4


def _borrow_kit_item_item(env, kit_item_id):
    return env.one(
        """
        SELECT k.id, k.kit_type_id, t.name AS kit_type_name, k.label, k.bought_on, k.status, k.retired_at,
               (SELECT i.happened_on FROM inspections i
                WHERE i.kit_item_id = k.id AND i.kind = 'inspection'
                ORDER BY i.happened_on DESC, i.reported_at DESC, i.id DESC LIMIT 1) AS last_inspected_on,
               (SELECT i.result FROM inspections i
                WHERE i.kit_item_id = k.id AND i.kind = 'inspection'
                ORDER BY i.happened_on DESC, i.reported_at DESC, i.id DESC LIMIT 1) AS last_inspection_result
        FROM kit_items k
        JOIN kit_types t ON t.id = k.kit_type_id
        WHERE k.id = :kit_item_id
        """,
        {"kit_item_id": kit_item_id},
    )


def _borrow_kit_item_loan(env, kit_loan_id):
    return env.one(
        """
        SELECT l.id, l.kit_item_id, k.label, t.name AS kit_type_name, l.status, l.borrowed_at, l.due_day, l.returned_at
        FROM kit_loans l
        JOIN kit_items k ON k.id = l.kit_item_id
        JOIN kit_types t ON t.id = k.kit_type_id
        WHERE l.id = :kit_loan_id AND l.member_id = :member_id
        """,
        {"kit_loan_id": kit_loan_id, "member_id": env.user_id},
    )


def _borrow_kit_item_day(env, text):
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise env.Error(f"{text} is not a day such as 2026-03-02")


def borrow_kit_item(env, *, kit_item_id: int, due_day: str) -> dict:
    """Borrows a ready kit item for the user until a day."""
    item = _borrow_kit_item_item(env, kit_item_id)
    if item is None:
        raise env.Error(f"there is no kit item {kit_item_id}")
    due_day = _borrow_kit_item_day(env, due_day)
    today = env.now[:10]
    if due_day < today:
        raise env.Error("the day it is due cannot lie in the past")
    latest = (date.fromisoformat(today) + timedelta(days=BORROW_KIT_ITEM_MOST_DAYS)).isoformat()
    if due_day > latest:
        raise env.Error(f"kit can be borrowed for at most 14 days, that is until {latest}")
    if item["status"] != "ready":
        raise env.Error(f"{item['label']} is not ready, it is {item['status'].replace('_', ' ')}")
    oldest = (date.fromisoformat(today) - timedelta(days=BORROW_KIT_ITEM_INSPECTION_DAYS)).isoformat()
    if item["last_inspection_result"] != "passed" or item["last_inspected_on"] < oldest:
        raise env.Error(f"the last inspection of {item['label']} was not passed within the past 180 days")
    loans = env.one(
        """
        SELECT COUNT(*) AS number, COALESCE(SUM(due_day < :today), 0) AS overdue FROM kit_loans
        WHERE member_id = :member_id AND status = 'out'
        """,
        {"member_id": env.user_id, "today": today},
    )
    if loans["overdue"] > 0:
        raise env.Error("you have a kit item on loan that is overdue; return it first")
    if loans["number"] >= BORROW_KIT_ITEM_MOST_LOANS:
        raise env.Error(f"you already have {loans['number']} kit items on loan, the most allowed is 4")
    loan_id = env.insert(
        """
        INSERT INTO kit_loans (member_id, kit_item_id, status, borrowed_at, due_day, returned_at)
        VALUES (:member_id, :kit_item_id, 'out', :now, :due_day, NULL)
        """,
        {"member_id": env.user_id, "kit_item_id": kit_item_id, "now": env.now, "due_day": due_day},
    )
    env.execute(
        "UPDATE kit_items SET status = 'on_loan' WHERE id = :kit_item_id", {"kit_item_id": kit_item_id}
    )
    return {"kit_loan": dict(_borrow_kit_item_loan(env, loan_id))}

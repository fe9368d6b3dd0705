import re
from datetime import date, timedelta

def _code(prefix, number):
    return None if number is None else f"{prefix}-{number:06d}"


def _add_days(day, days):
    return (date.fromisoformat(day[:10]) + timedelta(days=days)).isoformat()


def _page(env, rows, page_cursor, page_size):
    size = 20 if page_size is None else page_size
    if not 1 <= size <= 100:
        raise env.Error("A page has 1 to 100 records.")
    if page_cursor is not None and not re.fullmatch(r"[0-9]{1,9}", page_cursor):
        raise env.Error("That is not a cursor of a previous page.")
    start = int(page_cursor or 0)
    following = start + size
    return rows[start:following], str(following) if following < len(rows) else None


def _dependents(env, lift_id, day):
    return env.query(
        "SELECT d.* FROM dependents d JOIN dependent_lifts x ON x.dependent_id = d.id"
        " WHERE x.lift_id = :lift AND d.dependent_status IN ('provisional', 'active')"
        " AND (d.valid_until IS NULL OR d.valid_until >= :day)"
        " AND (d.effective_date IS NULL OR d.effective_date >= :day) ORDER BY d.id",
        {"lift": lift_id, "day": day[:10]},
    )


def _invoice_amounts(env, invoice):
    lines = env.one(
        "SELECT COALESCE(SUM(CASE WHEN line_kind = 'credit' THEN -net_cents ELSE net_cents END), 0) AS net"
        " FROM invoice_lines WHERE invoice_id = :id",
        {"id": invoice["id"]},
    )
    disputed = env.one(
        "SELECT COALESCE(SUM(l.net_cents), 0) AS net FROM invoice_lines l"
        " WHERE l.invoice_id = :id AND l.id IN (SELECT x.invoice_line_id FROM dispute_lines x"
        " JOIN invoice_disputes d ON d.id = x.dispute_id"
        " WHERE d.invoice_id = :id AND d.dispute_status = 'open')",
        {"id": invoice["id"]},
    )
    paid = env.one(
        "SELECT COALESCE(SUM(CASE WHEN payment_status = 'settled' THEN total_cents ELSE 0 END), 0) AS settled,"
        " COALESCE(SUM(CASE WHEN payment_status IN ('awaiting_customer', 'pending') THEN total_cents ELSE 0 END), 0)"
        " AS pending FROM payments WHERE invoice_id = :id",
        {"id": invoice["id"]},
    )
    total = (lines["net"] * (100 + invoice["vat_rate"]) + 50) // 100
    set_aside = (disputed["net"] * (100 + invoice["vat_rate"]) + 50) // 100
    outstanding = max(0, total - paid["settled"] - set_aside)
    if invoice["invoice_status"] in ("paid", "credited"):
        outstanding = 0
    return {"net_cents": lines["net"], "total_cents": total, "disputed_cents": set_aside,
            "outstanding_cents": outstanding, "pending_cents": paid["pending"]}


def _suspended(env, building_id, role):
    limit = _add_days(env.now, -60)
    late = env.query(
        "SELECT i.* FROM invoices i JOIN contracts c ON c.id = i.contract_id"
        " WHERE c.building_id = :building AND i.due_date < :limit"
        " AND i.invoice_status NOT IN ('paid', 'credited')"
        " AND ((:role = 'shop_owner' AND c.customer_id = :user) OR (:role <> 'shop_owner' AND c.customer_id IS NULL))"
        " ORDER BY i.id",
        {"building": building_id, "limit": limit, "role": role, "user": env.user_id},
    )
    return any(_invoice_amounts(env, row)["outstanding_cents"] > 0 for row in late)


def _contract_for(env, building):
    return env.one(
        "SELECT * FROM contracts WHERE building_id = :building"
        " AND ((:role = 'shop_owner' AND customer_id = :user) OR (:role <> 'shop_owner' AND customer_id IS NULL))"
        " ORDER BY contract_status = 'ended', term_end DESC, id DESC LIMIT 1",
        {"building": building["id"], "role": building["customer_role"], "user": env.user_id},
    )


def list_buildings(env, *, municipality: str | None = None, page_cursor: str | None = None, page_size: int | None = None) -> dict:
    """The user's buildings with their role in each."""
    rows = env.query(
        "SELECT b.*, m.municipality, r.customer_role FROM buildings b"
        " JOIN municipalities m ON m.id = b.municipality_id"
        " JOIN building_roles r ON r.building_id = b.id AND r.customer_id = :user"
        " WHERE (:municipality IS NULL OR m.municipality = :municipality) ORDER BY b.id",
        {"user": env.user_id, "municipality": municipality},
    )
    shown, following = _page(env, rows, page_cursor, page_size)
    buildings = []
    for row in shown:
        lifts = env.query(
            "SELECT l.id FROM lifts l JOIN contracts c ON c.id = l.contract_id WHERE l.building_id = :building"
            " AND (:role <> 'shop_owner' OR c.customer_id = :user) ORDER BY l.id",
            {"building": row["id"], "role": row["customer_role"], "user": env.user_id},
        )
        people = {person["id"] for lift in lifts for person in _dependents(env, lift["id"], env.now)}
        buildings.append({
            "building_id": _code("BLD", row["id"]), "address": row["address"], "postal_code": row["postal_code"],
            "municipality": row["municipality"], "building_use": row["building_use"],
            "customer_role": row["customer_role"], "lift_count": len(lifts), "dependents_count": len(people),
            "contract_id": _code("CTR", _contract_for(env, row)["id"]),
            "service_suspended": _suspended(env, row["id"], row["customer_role"]),
        })
    return {"buildings": buildings, "next_page_cursor": following}

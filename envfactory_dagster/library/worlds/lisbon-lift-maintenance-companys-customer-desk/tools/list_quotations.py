import re

def _code(prefix, number):
    return None if number is None else f"{prefix}-{number:06d}"


def _number(env, code, prefix, thing):
    match = re.fullmatch(prefix + r"-([0-9]{6})", code or "")
    if not match:
        raise env.Error(f"{code} is no number of {thing}; such numbers look like {prefix}-000012.")
    return int(match.group(1))


def _page(env, rows, page_cursor, page_size):
    size = 20 if page_size is None else page_size
    if not 1 <= size <= 100:
        raise env.Error("A page has 1 to 100 records.")
    if page_cursor is not None and not re.fullmatch(r"[0-9]{1,9}", page_cursor):
        raise env.Error("That is not a cursor of a previous page.")
    start = int(page_cursor or 0)
    following = start + size
    return rows[start:following], str(following) if following < len(rows) else None


def _building(env, building_id):
    number = _number(env, building_id, "BLD", "a building")
    row = env.one(
        "SELECT b.*, r.customer_role FROM buildings b"
        " JOIN building_roles r ON r.building_id = b.id AND r.customer_id = :user"
        " WHERE b.id = :id",
        {"id": number, "user": env.user_id},
    )
    if row is None:
        raise env.Error(f"You have no building {building_id}.")
    return row


def _lift(env, lift_id):
    number = _number(env, lift_id, "LFT", "a lift")
    row = env.one(
        "SELECT l.*, b.municipality_id, b.building_use, r.customer_role, c.contract_kind, c.night_cover,"
        " c.vat_rate, c.customer_id AS contract_customer_id FROM lifts l"
        " JOIN buildings b ON b.id = l.building_id"
        " JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = :user"
        " WHERE l.id = :id AND (r.customer_role <> 'shop_owner' OR c.customer_id = :user)",
        {"id": number, "user": env.user_id},
    )
    if row is None:
        raise env.Error(f"You have no lift {lift_id}.")
    return row


def _quotation(env, quotation_id):
    number = _number(env, quotation_id, "QUO", "a quotation")
    row = env.one(
        "SELECT q.*, l.building_id, b.municipality_id, r.customer_role,"
        " (SELECT COALESCE(SUM(x.net_cents), 0) FROM quotation_lines x WHERE x.quotation_id = q.id) AS net_cents"
        " FROM quotations q JOIN lifts l ON l.id = q.lift_id"
        " JOIN buildings b ON b.id = l.building_id JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = :user"
        " WHERE q.id = :id AND (r.customer_role <> 'shop_owner' OR c.customer_id = :user)",
        {"id": number, "user": env.user_id},
    )
    if row is None:
        raise env.Error(f"You have no quotation {quotation_id}.")
    row["total_cents"] = (row["net_cents"] * (100 + row["vat_rate"]) + 50) // 100
    return row


def _minutes_required(quotation):
    return (quotation["customer_role"] == "administrator" and quotation["total_cents"] > 150000
            and quotation["safety_level"] != "C1" and quotation["minutes_ref"] is None)


def list_quotations(env, *, building_id: str | None = None, lift_id: str | None = None, quotation_status: str | None = None, safety_level: str | None = None, page_cursor: str | None = None, page_size: int | None = None) -> dict:
    """Quotations for the user's lifts, newest first."""
    building = _building(env, building_id)["id"] if building_id is not None else None
    lift = _lift(env, lift_id)["id"] if lift_id is not None else None
    rows = env.query(
        "SELECT q.id FROM quotations q JOIN lifts l ON l.id = q.lift_id JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = :user"
        " WHERE (r.customer_role <> 'shop_owner' OR c.customer_id = :user)"
        " AND (:building IS NULL OR l.building_id = :building) AND (:lift IS NULL OR l.id = :lift)"
        " AND (:status IS NULL OR q.quotation_status = :status) AND (:level IS NULL OR q.safety_level = :level)"
        " ORDER BY q.requested_on DESC, q.id DESC",
        {"user": env.user_id, "building": building, "lift": lift, "status": quotation_status, "level": safety_level},
    )
    shown, following = _page(env, rows, page_cursor, page_size)
    quotations = []
    for one in shown:
        row = _quotation(env, _code("QUO", one["id"]))
        quotations.append({
            "quotation_id": _code("QUO", row["id"]), "lift_id": _code("LFT", row["lift_id"]),
            "building_id": _code("BLD", row["building_id"]), "title": row["title"],
            "quotation_status": row["quotation_status"], "safety_level": row["safety_level"],
            "total_cents": row["total_cents"], "valid_until": row["valid_until"],
            "minutes_required": _minutes_required(row),
        })
    return {"quotations": quotations, "next_page_cursor": following}

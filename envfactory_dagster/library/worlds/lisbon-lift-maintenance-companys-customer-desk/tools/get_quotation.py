import re

def _code(prefix, number):
    return None if number is None else f"{prefix}-{number:06d}"


def _number(env, code, prefix, thing):
    match = re.fullmatch(prefix + r"-([0-9]{6})", code or "")
    if not match:
        raise env.Error(f"{code} is no number of {thing}; such numbers look like {prefix}-000012.")
    return int(match.group(1))


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


def _deposit_net(quotation):
    if quotation["total_cents"] <= 250000 or quotation["safety_level"] == "C1":
        return 0
    rate = 100 + quotation["vat_rate"]
    return ((quotation["total_cents"] * 40 + 50) // 100 * 100 + rate // 2) // rate


def _deposit(quotation):
    return (_deposit_net(quotation) * (100 + quotation["vat_rate"]) + 50) // 100


def _minutes_required(quotation):
    return (quotation["customer_role"] == "administrator" and quotation["total_cents"] > 150000
            and quotation["safety_level"] != "C1" and quotation["minutes_ref"] is None)


def get_quotation(env, *, quotation_id: str) -> dict:
    """One issued quotation with its lines, its deposit and what approving it needs."""
    row = _quotation(env, quotation_id)
    if row["quotation_status"] == "requested":
        raise env.Error(f"{quotation_id} is not issued yet; we issue it by {row['issue_due_date']} at the latest.")
    lines = env.query(
        "SELECT line_number, line_kind, line_text, net_cents FROM quotation_lines WHERE quotation_id = :id"
        " ORDER BY line_number",
        {"id": row["id"]},
    )
    return {
        "quotation_id": _code("QUO", row["id"]), "lift_id": _code("LFT", row["lift_id"]),
        "building_id": _code("BLD", row["building_id"]), "title": row["title"],
        "quotation_status": row["quotation_status"], "safety_level": row["safety_level"],
        "total_cents": row["total_cents"], "valid_until": row["valid_until"],
        "minutes_required": _minutes_required(row), "issued_on": row["issued_on"],
        "duration_minutes": row["duration_minutes"], "deposit_cents": _deposit(row), "net_cents": row["net_cents"],
        "vat_rate": row["vat_rate"], "inspection_id": _code("INS", row["inspection_id"]), "lines": lines,
        "parts_lead_days": row["parts_lead_days"],
    }

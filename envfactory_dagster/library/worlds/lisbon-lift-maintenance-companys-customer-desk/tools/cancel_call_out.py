import re

def _code(prefix, number):
    return None if number is None else f"{prefix}-{number:06d}"


def _number(env, code, prefix, thing):
    match = re.fullmatch(prefix + r"-([0-9]{6})", code or "")
    if not match:
        raise env.Error(f"{code} is no number of {thing}; such numbers look like {prefix}-000012.")
    return int(match.group(1))


def _text(env, text, least, most):
    text = (text or "").strip()
    if not least <= len(text) <= most:
        raise env.Error(f"Please put it in {least} to {most} characters.")
    return text


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


def _quota_left(env, lift, year):
    if lift["contract_kind"] == "complete":
        return None
    used = env.one(
        "SELECT COUNT(*) AS n FROM call_outs WHERE lift_id = :lift AND uses_quota = 1"
        " AND substr(reported_at, 1, 4) = :year",
        {"lift": lift["id"], "year": year[:4]},
    )
    return max(0, 2 - used["n"])


def _call_out(env, call_out_id):
    number = _number(env, call_out_id, "COT", "a call-out")
    row = env.one(
        "SELECT k.*, l.building_id FROM call_outs k JOIN lifts l ON l.id = k.lift_id"
        " JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = :user"
        " WHERE k.id = :id AND (r.customer_role <> 'shop_owner' OR c.customer_id = :user)",
        {"id": number, "user": env.user_id},
    )
    if row is None:
        raise env.Error(f"You have no call-out {call_out_id}.")
    return row


def cancel_call_out(env, *, call_out_id: str, reason: str) -> dict:
    """Cancel a call-out that is not needed any more."""
    row = _call_out(env, call_out_id)
    why = _text(env, reason, 5, 1000)
    lift = _lift(env, _code("LFT", row["lift_id"]))
    if row["call_out_status"] in ("closed", "cancelled"):
        raise env.Error(f"{call_out_id} is {row['call_out_status']} already.")
    if row["priority"] == "p1":
        raise env.Error("A call-out for a trapped person cannot be cancelled; the technician must see the car empty.")
    if row["call_out_status"] == "on_site":
        raise env.Error("The technician is on site already, so the call-out can no longer be cancelled.")
    net, quota = 0, 0
    if row["call_out_status"] == "dispatched":
        quota = row["uses_quota"]
        net = 0 if row["covered"] else row["net_cents"]
    env.execute(
        "UPDATE call_outs SET call_out_status = 'cancelled', cancelled_at = :now, cancel_reason = :why,"
        " uses_quota = :quota, net_cents = :net WHERE id = :id",
        {"now": env.now, "why": why, "quota": quota, "net": net, "id": row["id"]},
    )
    if row["lift_stopped"] and lift["lift_status"] == "fault":
        env.execute("UPDATE lifts SET lift_status = 'in_service' WHERE id = :id", {"id": lift["id"]})
    return {
        "call_out_id": _code("COT", row["id"]), "call_out_status": "cancelled",
        "fee_cents": (net * (100 + row["vat_rate"]) + 50) // 100,
        "quota_left": _quota_left(env, lift, row["reported_at"]),
    }

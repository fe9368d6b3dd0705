import re
from datetime import date, datetime, timedelta

def _code(prefix, number):
    return None if number is None else f"{prefix}-{number:06d}"


def _number(env, code, prefix, thing):
    match = re.fullmatch(prefix + r"-([0-9]{6})", code or "")
    if not match:
        raise env.Error(f"{code} is no number of {thing}; such numbers look like {prefix}-000012.")
    return int(match.group(1))


def _last_sunday(year, month):
    last = date(year, month, 31)
    return last - timedelta(days=(last.weekday() + 1) % 7)


def _summer_time(moment):
    start = datetime.combine(_last_sunday(moment.year, 3), datetime.min.time()) + timedelta(hours=1)
    end = datetime.combine(_last_sunday(moment.year, 10), datetime.min.time()) + timedelta(hours=2)
    return start <= moment < end


def _stamp(text):
    if text is None:
        return None
    moment = datetime.fromisoformat(text)
    return moment.isoformat() + ("+01:00" if _summer_time(moment) else "+00:00")


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


def _surcharge(band, night_cover):
    if night_cover and band in ("evening", "night"):
        return 0
    if band == "evening":
        return 25
    if band in ("night", "holiday_day"):
        return 50
    return 100 if band == "holiday_night" else 0


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


def get_call_out(env, *, call_out_id: str) -> dict:
    """One call-out with its cause, report and cost."""
    row = _call_out(env, call_out_id)
    lift = _lift(env, _code("LFT", row["lift_id"]))
    billed = env.one(
        "SELECT MAX(invoice_id) AS invoice_id FROM invoice_lines WHERE call_out_id = :id", {"id": row["id"]}
    )
    return {
        "call_out_id": _code("COT", row["id"]), "lift_id": _code("LFT", row["lift_id"]),
        "building_id": _code("BLD", row["building_id"]), "fault_kind": row["fault_kind"],
        "priority": row["priority"], "call_out_status": row["call_out_status"],
        "reported_at": _stamp(row["reported_at"]), "tariff_band": row["tariff_band"],
        "arrive_by": _stamp(row["arrive_by"]), "fault_details": row["fault_details"],
        "arrived_at": _stamp(row["arrived_at"]), "closed_at": _stamp(row["closed_at"]),
        "cause_kind": row["cause_kind"], "work_done": row["work_done"], "covered": bool(row["covered"]),
        "surcharge_percent": _surcharge(row["tariff_band"], lift["night_cover"]), "net_cents": row["net_cents"],
        "vat_rate": row["vat_rate"], "total_cents": (row["net_cents"] * (100 + row["vat_rate"]) + 50) // 100,
        "invoice_id": _code("INV", billed["invoice_id"]),
    }

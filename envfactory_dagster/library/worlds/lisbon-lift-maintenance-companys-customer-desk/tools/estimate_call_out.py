import re
from datetime import date, datetime, timedelta

CALL_OUT_BASE_CENTS = 9500

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


def _local(env, text):
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except (AttributeError, ValueError):
        raise env.Error(f"{text} is not a moment such as 2026-03-02T09:00:00+00:00.")
    if moment.tzinfo is not None:
        moment = (moment - moment.utcoffset()).replace(tzinfo=None)
        shifted = moment + timedelta(hours=1)
        moment = shifted if _summer_time(shifted) else moment
    return moment.replace(microsecond=0).isoformat()


def _add_days(day, days):
    return (date.fromisoformat(day[:10]) + timedelta(days=days)).isoformat()


def _working_day(env, day, municipality_id):
    if date.fromisoformat(day).weekday() >= 5:
        return False
    return env.one(
        "SELECT id FROM holidays WHERE holiday_date = :day"
        " AND (municipality_id IS NULL OR municipality_id = :municipality)",
        {"day": day, "municipality": municipality_id},
    ) is None


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


def _only_lift(env, lift):
    return env.one(
        "SELECT id FROM lifts WHERE building_id = :building AND entrance = :entrance AND id <> :id LIMIT 1",
        {"building": lift["building_id"], "entrance": lift["entrance"], "id": lift["id"]},
    ) is None


def _dependents(env, lift_id, day):
    return env.query(
        "SELECT d.* FROM dependents d JOIN dependent_lifts x ON x.dependent_id = d.id"
        " WHERE x.lift_id = :lift AND d.dependent_status IN ('provisional', 'active')"
        " AND (d.valid_until IS NULL OR d.valid_until >= :day)"
        " AND (d.effective_date IS NULL OR d.effective_date >= :day) ORDER BY d.id",
        {"lift": lift_id, "day": day[:10]},
    )


def _band(env, moment, municipality_id):
    hour, day = int(moment[11:13]), moment[:10]
    if hour < 8:
        return "night" if _working_day(env, _add_days(day, -1), municipality_id) else "holiday_night"
    working = _working_day(env, day, municipality_id)
    if hour >= 22:
        return "night" if working else "holiday_night"
    if not working:
        return "holiday_day"
    return "day" if hour < 18 else "evening"


def _surcharge(band, night_cover):
    if night_cover and band in ("evening", "night"):
        return 0
    if band == "evening":
        return 25
    if band in ("night", "holiday_day"):
        return 50
    return 100 if band == "holiday_night" else 0


def _arrive_by(env, moment, priority, municipality_id):
    at = datetime.fromisoformat(moment)
    if priority != "p3":
        return (at + (timedelta(minutes=45) if priority == "p1" else timedelta(hours=2))).isoformat()
    left = timedelta(hours=8)
    while True:
        opening = at.replace(hour=8, minute=0, second=0)
        closing = at.replace(hour=18, minute=0, second=0)
        if at < closing and _working_day(env, at.date().isoformat(), municipality_id):
            at = max(at, opening)
            if closing - at >= left:
                return (at + left).isoformat()
            left -= closing - at
        at = opening + timedelta(days=1)
        at = at.replace(hour=0)


def _quota_left(env, lift, year):
    if lift["contract_kind"] == "complete":
        return None
    used = env.one(
        "SELECT COUNT(*) AS n FROM call_outs WHERE lift_id = :lift AND uses_quota = 1"
        " AND substr(reported_at, 1, 4) = :year",
        {"lift": lift["id"], "year": year[:4]},
    )
    return max(0, 2 - used["n"])


def _price_call_out(env, lift, fault_kind, moment):
    band = _band(env, moment, lift["municipality_id"])
    percent = _surcharge(band, lift["night_cover"])
    full = CALL_OUT_BASE_CENTS + CALL_OUT_BASE_CENTS * percent // 100
    price = {"tariff_band": band, "surcharge_percent": percent, "covered": 1, "uses_quota": 0, "net_cents": 0}
    if fault_kind == "trapped_person":
        return price
    if fault_kind in ("vandalism", "water_or_fire"):
        price.update(covered=0, net_cents=full)
        return price
    at = datetime.fromisoformat(moment)
    repeated = env.one(
        "SELECT id FROM call_outs WHERE lift_id = :lift AND fault_kind = :fault AND call_out_status = 'closed'"
        " AND closed_at BETWEEN :since AND :at LIMIT 1",
        {"lift": lift["id"], "fault": fault_kind, "since": (at - timedelta(days=30)).isoformat(), "at": moment},
    )
    own_work = env.one(
        "SELECT id FROM planned_stops WHERE lift_id = :lift AND stop_status = 'done'"
        " AND work_kind <> 'inspection' AND ends_at BETWEEN :since AND :at LIMIT 1",
        {"lift": lift["id"], "since": (at - timedelta(days=7)).isoformat(), "at": moment},
    )
    if repeated or own_work or lift["contract_kind"] == "complete":
        return price
    if _quota_left(env, lift, moment) > 0:
        price.update(uses_quota=1, net_cents=CALL_OUT_BASE_CENTS * percent // 100)
        return price
    price.update(covered=0, net_cents=full)
    return price


def _priority(env, lift, fault_kind, lift_stopped, moment):
    if fault_kind == "trapped_person":
        return "p1"
    if lift_stopped and (_only_lift(env, lift) or _dependents(env, lift["id"], moment)):
        return "p2"
    return "p3"


def estimate_call_out(env, *, lift_id: str, fault_kind: str, reported_at: str | None = None) -> dict:
    """What a call-out would cost if it were reported at a given moment."""
    lift = _lift(env, lift_id)
    moment = _local(env, reported_at) if reported_at is not None else env.now
    if moment < env.now:
        raise env.Error("A call-out can only be priced for now or a later moment.")
    price = _price_call_out(env, lift, fault_kind, moment)
    stopped = fault_kind in ("trapped_person", "stopped")
    priority = _priority(env, lift, fault_kind, stopped, moment)
    return {
        "lift_id": _code("LFT", lift["id"]), "fault_kind": fault_kind, "priority": priority,
        "reported_at": _stamp(moment),
        "arrive_by": _stamp(_arrive_by(env, moment, priority, lift["municipality_id"])),
        "tariff_band": price["tariff_band"], "surcharge_percent": price["surcharge_percent"],
        "covered": bool(price["covered"]), "quota_left": _quota_left(env, lift, moment),
        "net_cents": price["net_cents"], "vat_rate": lift["vat_rate"],
        "total_cents": (price["net_cents"] * (100 + lift["vat_rate"]) + 50) // 100,
    }

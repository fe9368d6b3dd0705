import json
import re
from datetime import date, datetime, timedelta

BLOCKING_STATUSES = ("awaiting_alternative", "confirmed", "in_progress", "done")
LONG_STOP_MINUTES = 240
NOTICE_HOURS = 48

def _code(prefix, number):
    return None if number is None else f"{prefix}-{number:06d}"


def _number(env, code, prefix, thing):
    match = re.fullmatch(prefix + r"-([0-9]{6})", code or "")
    if not match:
        raise env.Error(f"{code} is no number of {thing}; such numbers look like {prefix}-000012.")
    return int(match.group(1))


def _day(env, text):
    try:
        return date.fromisoformat(text).isoformat()
    except (TypeError, ValueError):
        raise env.Error(f"{text} is not a day such as 2026-03-02.")


def _phone(env, phone):
    if not re.fullmatch(r"\+351[29][0-9]{8}", phone or ""):
        raise env.Error(f"{phone} is not a Portuguese phone number such as +351912345678.")
    return phone


def _text(env, text, least, most):
    text = (text or "").strip()
    if not least <= len(text) <= most:
        raise env.Error(f"Please put it in {least} to {most} characters.")
    return text


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


def _add_working_days(env, day, count, municipality_id):
    day, step = day[:10], 1 if count > 0 else -1
    while count:
        day = _add_days(day, step)
        if _working_day(env, day, municipality_id):
            count -= step
    return day


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


def _dependents(env, lift_id, day):
    return env.query(
        "SELECT d.* FROM dependents d JOIN dependent_lifts x ON x.dependent_id = d.id"
        " WHERE x.lift_id = :lift AND d.dependent_status IN ('provisional', 'active')"
        " AND (d.valid_until IS NULL OR d.valid_until >= :day)"
        " AND (d.effective_date IS NULL OR d.effective_date >= :day) ORDER BY d.id",
        {"lift": lift_id, "day": day[:10]},
    )


def _minutes_by_day(env, stop, municipality_id):
    first, last = stop["starts_at"][:10], stop["ends_at"][:10]
    if first == last:
        return {first: stop["duration_minutes"]}
    minutes, left, day = {}, stop["duration_minutes"], first
    while day <= last:
        if _working_day(env, day, municipality_id):
            minutes[day] = min(600, left)
            left -= minutes[day]
        day = _add_days(day, 1)
    return minutes


def _longest_day(env, lift, stop, own_id):
    minutes = _minutes_by_day(env, stop, lift["municipality_id"])
    others = env.query(
        "SELECT * FROM planned_stops WHERE lift_id = :lift AND id <> :own"
        " AND stop_status NOT IN ('cancelled', 'lapsed')"
        " AND substr(starts_at, 1, 10) <= :last AND substr(ends_at, 1, 10) >= :first ORDER BY id",
        {"lift": lift["id"], "own": own_id, "first": stop["starts_at"][:10], "last": stop["ends_at"][:10]},
    )
    for other in others:
        for day, more in _minutes_by_day(env, other, lift["municipality_id"]).items():
            if day in minutes:
                minutes[day] += more
    return max(minutes.values(), default=0)


def _needs_alternative(env, lift, stop, own_id):
    if not _dependents(env, lift["id"], stop["starts_at"]):
        return False
    return _longest_day(env, lift, stop, own_id) > LONG_STOP_MINUTES


def _alternative_due(starts_at):
    return (datetime.fromisoformat(starts_at) - timedelta(hours=NOTICE_HOURS)).isoformat()


def _other_lifts_stopped(env, lift, first_day, last_day):
    return env.query(
        "SELECT s.id, s.lift_id, s.starts_at, s.ends_at FROM planned_stops s JOIN lifts l ON l.id = s.lift_id"
        " WHERE l.building_id = :building AND s.lift_id <> :lift"
        " AND s.stop_status IN (SELECT value FROM json_each(:statuses))"
        " AND substr(s.starts_at, 1, 10) <= :last AND substr(s.ends_at, 1, 10) >= :first"
        " ORDER BY s.starts_at, s.id",
        {"building": lift["building_id"], "lift": lift["id"], "first": first_day[:10], "last": last_day[:10],
         "statuses": json.dumps(BLOCKING_STATUSES)},
    )


def _overlapping_own_stop(env, lift_id, starts_at, ends_at, own_id):
    return env.one(
        "SELECT id FROM planned_stops WHERE lift_id = :lift AND id <> :own"
        " AND stop_status NOT IN ('cancelled', 'lapsed') AND starts_at < :ends AND ends_at > :starts LIMIT 1",
        {"lift": lift_id, "own": own_id, "starts": starts_at, "ends": ends_at},
    )


def _slot_taken(env, slot_id, own_id):
    return env.one(
        "SELECT id FROM planned_stops WHERE slot_id = :slot AND id <> :own"
        " AND stop_status NOT IN ('cancelled', 'lapsed') LIMIT 1",
        {"slot": slot_id, "own": own_id},
    ) is not None


def _void_arrangements(env, stop_id):
    env.execute(
        "UPDATE alternative_arrangements SET voided_at = :now WHERE stop_id = :stop"
        " AND alternative_status <> 'refused' AND voided_at IS NULL",
        {"now": env.now, "stop": stop_id},
    )


def _register_dependent_move(env, lift, stop):
    slots = env.query(
        "SELECT * FROM stop_slots WHERE lift_id = :lift AND work_kind = :kind AND duration_minutes = :minutes"
        " AND starts_at >= :earliest ORDER BY starts_at, id",
        {"lift": lift["id"], "kind": stop["work_kind"], "minutes": stop["duration_minutes"],
         "earliest": (datetime.fromisoformat(env.now) + timedelta(hours=NOTICE_HOURS)).isoformat()},
    )
    _void_arrangements(env, stop["id"])
    for slot in slots:
        late = stop["work_kind"] == "inspection" and slot["ends_at"][:10] > lift["inspection_due_date"]
        if late or _slot_taken(env, slot["id"], stop["id"]):
            continue
        if _other_lifts_stopped(env, lift, slot["starts_at"], slot["ends_at"]):
            continue
        if _overlapping_own_stop(env, lift["id"], slot["starts_at"], slot["ends_at"], stop["id"]):
            continue
        env.execute(
            "UPDATE planned_stops SET slot_id = :slot, starts_at = :starts, ends_at = :ends,"
            " stop_status = 'awaiting_alternative', notice_sent_at = :now, move_reason = 'New dependent' WHERE id = :id",
            {"slot": slot["id"], "starts": slot["starts_at"], "ends": slot["ends_at"], "now": env.now,
             "id": stop["id"]},
        )
        if stop["inspection_id"] is not None:
            env.execute(
                "UPDATE inspections SET inspection_at = :starts WHERE id = :id",
                {"starts": slot["starts_at"], "id": stop["inspection_id"]},
            )
        return
    env.execute(
        "UPDATE planned_stops SET stop_status = 'cancelled', cancelled_at = :now, cancel_ground = 'new_dependent',"
        " cancel_reason = 'New dependent, no later slot free yet', refund_cents = deposit_cents WHERE id = :id",
        {"now": env.now, "id": stop["id"]},
    )
    if stop["inspection_id"] is not None:
        env.execute(
            "UPDATE inspections SET inspection_status = 'requested', inspection_at = NULL WHERE id = :id",
            {"id": stop["inspection_id"]},
        )


def register_dependent(env, *, building_id: str, lift_ids: list, dependent_name: str, unit: str, phone: str, need_kind: str, valid_until: str | None = None, document_ref: str | None = None, consent_given: bool) -> dict:
    """Register a person who depends on the lift; protection begins at once."""
    building = _building(env, building_id)
    registrant = env.one("SELECT id FROM customers WHERE id = :user", {"user": env.user_id})
    if registrant is None:
        raise env.Error("Only a customer of ours may register somebody.")
    if not lift_ids or len(set(lift_ids)) != len(lift_ids):
        raise env.Error("Name at least one lift, each of them once.")
    lifts = [_lift(env, one) for one in lift_ids]
    if any(lift["building_id"] != building["id"] for lift in lifts):
        raise env.Error("All lifts must be of this building.")
    name, flat, number = _text(env, dependent_name, 3, 120), _text(env, unit, 1, 20), _phone(env, phone)
    if consent_given is not True:
        raise env.Error("The person, or their legal representative, must agree to the record.")
    if document_ref is not None:
        _number(env, document_ref, "DOC", "a document")
    today = env.now[:10]
    until = _day(env, valid_until) if valid_until is not None else None
    if until is not None and until < today:
        raise env.Error("The last day of the registration lies in the past.")
    if need_kind == "temporary_injury":
        if until is None:
            raise env.Error("For a temporary injury say until when the person depends on the lift.")
        if until > _add_days(today, 180):
            raise env.Error("A temporary injury is registered for at most 180 days.")
    if env.one(
        "SELECT id FROM dependents WHERE building_id = :building AND lower(dependent_name) = lower(:name)"
        " AND unit = :unit AND dependent_status <> 'ended' LIMIT 1",
        {"building": building["id"], "name": name, "unit": flat},
    ):
        raise env.Error(f"{name} is registered in this building already.")
    short = need_kind == "temporary_injury" and until <= _add_days(today, 30)
    settled = document_ref is not None or short
    proof_due = None if settled else _add_working_days(env, today, 10, building["municipality_id"])
    status = "active" if settled else "provisional"
    dependent_id = env.insert(
        "INSERT INTO dependents (building_id, customer_id, dependent_name, unit, phone, need_kind, dependent_status,"
        " registered_on, valid_until, proof_due_date, document_ref, consent_given) VALUES (:building, :user, :name,"
        " :unit, :phone, :need, :status, :today, :until, :proof, :document, 1)",
        {"building": building["id"], "user": registrant["id"], "name": name, "unit": flat, "phone": number,
         "need": need_kind, "status": status, "today": today, "until": until, "proof": proof_due,
         "document": document_ref},
    )
    affected = []
    for lift in lifts:
        env.execute(
            "INSERT INTO dependent_lifts (dependent_id, lift_id) VALUES (:dependent, :lift)",
            {"dependent": dependent_id, "lift": lift["id"]},
        )
        stops = env.query(
            "SELECT * FROM planned_stops WHERE lift_id = :lift AND starts_at > :now"
            " AND stop_status IN ('awaiting_alternative', 'confirmed') ORDER BY starts_at, id",
            {"lift": lift["id"], "now": env.now},
        )
        for stop in stops:
            if until is not None and stop["starts_at"][:10] > until:
                continue
            if not _needs_alternative(env, lift, stop, stop["id"]):
                continue
            affected.append(_code("STP", stop["id"]))
            if _alternative_due(stop["starts_at"]) >= env.now:
                env.execute(
                    "UPDATE planned_stops SET stop_status = 'awaiting_alternative', notice_sent_at = :now"
                    " WHERE id = :id",
                    {"now": env.now, "id": stop["id"]},
                )
            else:
                _register_dependent_move(env, lift, stop)
    return {
        "dependent_id": _code("DEP", dependent_id), "building_id": _code("BLD", building["id"]),
        "dependent_status": status, "valid_until": until, "proof_due_date": proof_due, "affected_stop_ids": affected,
    }

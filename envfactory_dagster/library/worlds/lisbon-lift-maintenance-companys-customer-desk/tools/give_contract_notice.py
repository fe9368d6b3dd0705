import re
from datetime import date, datetime, timedelta

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


def _text(env, text, least, most):
    text = (text or "").strip()
    if not least <= len(text) <= most:
        raise env.Error(f"Please put it in {least} to {most} characters.")
    return text


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


def _on_working_day(env, day, municipality_id):
    while not _working_day(env, day, municipality_id):
        day = _add_days(day, 1)
    return day


def _void_arrangements(env, stop_id):
    env.execute(
        "UPDATE alternative_arrangements SET voided_at = :now WHERE stop_id = :stop"
        " AND alternative_status <> 'refused' AND voided_at IS NULL",
        {"now": env.now, "stop": stop_id},
    )


def _minutes_ref(env, minutes_ref):
    match = re.fullmatch(r"[0-9]{1,4}/([0-9]{4}-[0-9]{2}-[0-9]{2})", minutes_ref or "")
    if not match:
        raise env.Error("Give number and date of the assembly minutes, such as 27/2025-03-14.")
    if _day(env, match.group(1)) > env.now[:10]:
        raise env.Error("The assembly of those minutes has not been held yet.")


def _missed_arrivals(env, contract_id):
    since = str(int(env.now[:4]) - 1) + env.now[4:]
    late = env.one(
        "SELECT COUNT(*) AS n FROM call_outs k JOIN lifts l ON l.id = k.lift_id WHERE l.contract_id = :contract"
        " AND k.priority IN ('p1', 'p2') AND k.call_out_status <> 'cancelled' AND k.reported_at >= :since"
        " AND COALESCE(k.arrived_at, :now) > k.arrive_by",
        {"contract": contract_id, "since": since, "now": env.now},
    )
    return late["n"]


def give_contract_notice(env, *, contract_id: str, notice_kind: str, effective_date: str, minutes_ref: str | None = None, successor_name: str | None = None, successor_emie: str | None = None, contract_kind: str | None = None, reason: str | None = None) -> dict:
    """Give notice on a contract, to end it or to change its kind."""
    number = _number(env, contract_id, "CTR", "a contract")
    contract = env.one(
        "SELECT c.*, b.municipality_id, r.customer_role FROM contracts c JOIN buildings b ON b.id = c.building_id"
        " JOIN building_roles r ON r.building_id = c.building_id AND r.customer_id = :user"
        " WHERE c.id = :id AND ((r.customer_role = 'shop_owner' AND c.customer_id = :user)"
        " OR (r.customer_role <> 'shop_owner' AND c.customer_id IS NULL))",
        {"id": number, "user": env.user_id},
    )
    if contract is None:
        raise env.Error(f"You have no contract {contract_id}.")
    if contract["customer_role"] == "committee_member":
        raise env.Error("A committee member may not give notice; the administrator does.")
    if contract["contract_status"] != "active":
        raise env.Error("That contract has ended, or notice is given on it already.")
    if contract["customer_role"] == "administrator" and minutes_ref is None:
        raise env.Error("The administrator needs the minutes of the assembly to give notice.")
    if minutes_ref is not None:
        _minutes_ref(env, minutes_ref)
    why = _text(env, reason, 5, 1000) if reason is not None else None
    day, area, today = _day(env, effective_date), contract["municipality_id"], env.now[:10]
    reached = today if env.now[11:] < "18:00:00" else _add_days(today, 1)
    reached = _on_working_day(env, reached, area)
    notice_due = _on_working_day(env, _add_days(contract["term_end"], -90), area)
    term_end, fee, ending = contract["term_end"], 0, notice_kind != "change_kind"
    if ending:
        if not successor_name or not re.fullmatch(r"EMIE-[0-9]{3,5}", successor_emie or ""):
            raise env.Error("A lift may not be without a maintenance company; name the successor and its EMIE number.")
        if contract_kind is not None:
            raise env.Error("A kind of contract is named only to change to it.")
    elif contract_kind is None or contract_kind == contract["contract_kind"]:
        raise env.Error("Say which other kind of contract you want.")
    if notice_kind == "end_at_term" or (not ending and contract_kind == "simple"):
        if reached > notice_due:
            term_end = str(int(term_end[:4]) + 1) + term_end[4:]
            if term_end.endswith("02-29"):
                term_end = term_end[:8] + "28"
        if day != term_end:
            raise env.Error(f"With 90 days' notice it can take effect only at the end of the term, on {term_end}.")
    elif notice_kind == "end_early":
        if day < _add_days(today, 30):
            raise env.Error("Ending early needs 30 days' notice.")
        if day >= term_end:
            raise env.Error("That day is not before the end of the term; give notice for the end of the term instead.")
        months = (int(term_end[:4]) - int(day[:4])) * 12 + int(term_end[5:7]) - int(day[5:7])
        if _missed_arrivals(env, number) < 3:
            fee = (months * contract["monthly_cents"] + 1) // 2
    else:
        month = int(today[5:7]) % 12 + 1
        first = f"{int(today[:4]) + (month == 1)}-{month:02d}-01"
        if day != first:
            raise env.Error(f"A complete contract begins on the first of the next month, {first}.")
    if not ending and env.one(
        "SELECT id FROM contract_notices WHERE contract_id = :id AND notice_kind = 'change_kind'"
        " AND effective_date > :today LIMIT 1",
        {"id": number, "today": today},
    ):
        raise env.Error("A change of that contract is asked for already.")
    until = _add_days(env.now, 14) + "T18:00:00"
    notice_id = env.insert(
        "INSERT INTO contract_notices (contract_id, customer_id, notice_kind, effective_date, minutes_ref,"
        " successor_name, successor_emie, contract_kind, reason, fee_cents, given_at, withdraw_until)"
        " VALUES (:contract, :user, :kind, :day, :minutes, :successor, :emie, :wanted, :why, :fee, :now, :until)",
        {"contract": number, "user": env.user_id, "kind": notice_kind, "day": day, "minutes": minutes_ref,
         "successor": successor_name, "emie": successor_emie, "wanted": contract_kind, "why": why, "fee": fee,
         "now": env.now, "until": until},
    )
    cancelled = []
    if ending:
        env.execute("UPDATE contracts SET contract_status = 'notice_given' WHERE id = :id", {"id": number})
        stops = env.query(
            "SELECT s.* FROM planned_stops s JOIN lifts l ON l.id = s.lift_id WHERE l.contract_id = :contract"
            " AND s.stop_status IN ('awaiting_alternative', 'confirmed') AND s.starts_at > :now"
            " AND substr(s.starts_at, 1, 10) > :day ORDER BY s.starts_at, s.id",
            {"contract": number, "now": env.now, "day": day},
        )
        for stop in stops:
            _void_arrangements(env, stop["id"])
            env.execute(
                "UPDATE planned_stops SET stop_status = 'cancelled', cancelled_at = :now,"
                " cancel_ground = 'own_choice', cancel_reason = 'The contract ends before this stop',"
                " refund_cents = deposit_cents WHERE id = :id",
                {"now": env.now, "id": stop["id"]},
            )
            cancelled.append(_code("STP", stop["id"]))
    return {
        "notice_id": _code("NTC", notice_id), "contract_id": _code("CTR", number), "notice_kind": notice_kind,
        "contract_status": "notice_given" if ending else "active", "effective_date": day, "fee_cents": fee,
        "withdraw_until": _stamp(until), "cancelled_stop_ids": cancelled,
    }

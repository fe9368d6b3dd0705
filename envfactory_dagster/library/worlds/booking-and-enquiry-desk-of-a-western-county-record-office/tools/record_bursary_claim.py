import datetime


def _code(prefix: str, shown: str) -> str:
    """The code as it is kept: SB-002110 becomes S-02110."""
    return prefix + "-" + f"{int(shown.split('-')[1]):05d}"


def _plus(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def record_bursary_claim(env, *, award_id: str, nights: list, receipts_seen: bool, car_km: int = 0, fares_cents: int = 0, ferry_cents: int = 0, delay_night: dict = None, dry_run: bool = False) -> dict:
    """Enter the claim on an award."""
    today = env.now[:10]
    award = env.one("SELECT * FROM bursary_applications WHERE application_no = ?", [_code("B", award_id)])
    if award is None:
        raise env.Error(f"There is no bursary award {award_id}.")
    if award["status"] != "awarded":
        raise env.Error(f"{award_id} is no award: it is {'not decided yet' if award['status'] == 'submitted' else 'refused'}.")
    if env.one("SELECT id FROM bursary_claims WHERE bursary_application_id = ?", [award["id"]]):
        raise env.Error(f"A claim on {award_id} has been entered already.")
    if not receipts_seen:
        raise env.Error("The clerk must have seen the receipts.")
    days = [r["day"] for r in env.query("SELECT DISTINCT day FROM attendances WHERE reader_id = ? AND day BETWEEN ? AND ? ORDER BY day", [award["reader_id"], award["visit_from"], award["visit_to"]])]
    if len(days) < 2:
        raise env.Error(f"The reader was signed in on {len(days)} day{'' if len(days) == 1 else 's'} of the visit; at least 2 are needed.")
    if _plus(days[-1], 28) < today:
        raise env.Error(f"The last signed-in day was {days[-1]}; a claim must be made within 28 days of it.")
    dates = [n["date"] for n in nights]
    if len(set(dates)) < len(dates):
        raise env.Error("Each night can be claimed once.")
    if any(not _plus(award["visit_from"], -1) <= d <= award["visit_to"] for d in dates):
        raise env.Error("A night lies outside the visit.")
    cut, kept, sum_nights = [], [], 0
    for night in sorted(nights, key=lambda n: n["date"]):
        allowed = min(night["cost_cents"], 6500) if len(kept) <= len(days) else 0
        if allowed < night["cost_cents"]:
            cut.append({"item": "night", "cents": night["cost_cents"] - allowed, "reason": "more than 6500 cents a night" if allowed else "more nights than one over the signed-in days"})
        if allowed:
            kept.append((night["date"], allowed))
            sum_nights += allowed
    travel = car_km * 40 + fares_cents + ferry_cents
    total = sum_nights + travel
    if total > award["awarded_cents"]:
        cut.append({"item": "over_award", "cents": total - award["awarded_cents"], "reason": "above the sum of the award"})
        total = award["awarded_cents"]
    if delay_night:
        late = env.one("SELECT q.*, v.list_closes_at FROM piece_requests q LEFT JOIN van_runs v ON v.id = q.van_run_id WHERE q.request_no = ? AND q.reader_id = ?", [_code("P", delay_night["request_id"]), award["reader_id"]])
        if late is None:
            raise env.Error(f"The reader has no request {delay_night['request_id']}.")
        if delay_night["date"] in dates:
            raise env.Error("Each night can be claimed once.")
        if late["status"] == "missing" and late["list_closes_at"] is not None and late["requested_at"] < late["list_closes_at"]:
            extra = min(delay_night["cost_cents"], 6500)
            kept.append((delay_night["date"], extra))
            total += extra
        else:
            cut.append({"item": "delay_night", "cents": delay_night["cost_cents"], "reason": "the piece was not asked for in time, or came on its run"})
    if not dry_run:
        key = env.insert("INSERT INTO bursary_claims (bursary_application_id, claimed_on, receipts_seen, signed_in_days, last_signed_in_day, travel_cents, paid_cents) VALUES (?, ?, 1, ?, ?, ?, ?)", [award["id"], today, len(days), days[-1], travel, total])
        for date, cents in kept:
            env.insert("INSERT INTO bursary_claim_nights (bursary_claim_id, night, cost_cents) VALUES (?, ?, ?)", [key, date, cents])
    return {"accepted": not dry_run, "signed_in_days": days, "allowed_cents": total, "cut": cut, "status": "dry_run" if dry_run else "awaiting_archivist"}

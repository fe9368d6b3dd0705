import datetime


def _plus(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _shut_parts(env, day: str) -> list:
    return [r["part"] for r in env.query("SELECT part FROM closures WHERE day = ? ORDER BY id", [day])]


def _sittings(env, day: str) -> list:
    """The sittings of a day that no closure takes away, the earliest first."""
    weekday = datetime.date.fromisoformat(day).isoweekday()
    rows = env.query("SELECT * FROM opening_sittings WHERE weekday = ? ORDER BY starts_at, ends_at, id", [weekday])
    parts = _shut_parts(env, day)
    if "all_day" in parts:
        return []
    kept = []
    for row in rows:
        if row["sitting"] in parts or (row["sitting"] == "full_day" and ("morning" in parts or "afternoon" in parts)):
            continue
        kept.append(row)
    return kept


def _bursary_round_kept(shown: str) -> str:
    """2026-1 is kept as 2026-spring, 2026-2 as 2026-autumn."""
    return shown[:4] + ("-spring" if shown.endswith("-1") else "-autumn")


def _bursary_closing(env, day: str) -> str:
    """The closing day, or the next desk day where the desk is shut on it."""
    while not _sittings(env, day):
        day = _plus(day, 1)
    return day


def get_bursary_round(env, *, round: str = None) -> dict:
    """Read a bursary round."""
    today = env.now[:10]
    if round:
        row = env.one("SELECT * FROM bursary_rounds WHERE round = ?", [_bursary_round_kept(round)])
        if row is None:
            raise env.Error(f"There is no bursary round {round}.")
    else:
        row = next((r for r in env.query("SELECT * FROM bursary_rounds ORDER BY opens_on", []) if _bursary_closing(env, r["closes_on"]) >= today), None)
        if row is None:
            raise env.Error("No bursary round is open and none is planned yet.")
    sums = env.one("SELECT count(*) AS n, coalesce(sum(awarded_cents), 0) AS cents FROM bursary_applications WHERE bursary_round_id = ?", [row["id"]])
    closes = _bursary_closing(env, row["closes_on"])
    decided = _plus(closes, 30)
    state = "coming" if today < row["opens_on"] else "open" if today <= closes else "under_decision" if today <= decided else "decided" if today <= row["visits_to"] else "closed"
    return {"round": row["round"].replace("spring", "1").replace("autumn", "2"), "state": state, "opens_on": row["opens_on"], "closes_on": closes, "visits_from": row["visits_from"], "visits_to": row["visits_to"], "decisions_by": decided, "fund_cents": row["budget_cents"], "committed_cents": sums["cents"], "applications": sums["n"]}

import datetime


ACCENTED = "áéíóúàèöüżł"
PLAIN = "aeiouaeouzl"


def _fold(text: str) -> str:
    """Small letters without accents."""
    return text.lower().translate(str.maketrans(ACCENTED, PLAIN))


def _code(prefix: str, shown: str) -> str:
    """The code as it is kept: SB-002110 becomes S-02110."""
    return prefix + "-" + f"{int(shown.split('-')[1]):05d}"


def _plus(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _months(day: str, months: int) -> str:
    """The same day so many months on, or the last of that month."""
    date = datetime.date.fromisoformat(day)
    total = date.year * 12 + date.month - 1 + months
    year, month = total // 12, total % 12 + 1
    first_after = datetime.date(year + month // 12, month % 12 + 1, 1)
    return datetime.date(year, month, min(date.day, (first_after - datetime.timedelta(days=1)).day)).isoformat()


def _desk_clerk(env) -> None:
    """Refuse what only a clerk of the desk may enter."""
    clerk = env.one("SELECT id, role FROM readers WHERE id = ?", [env.user_id])
    if clerk is None or clerk["role"] != "desk_clerk":
        raise env.Error("Only a clerk of the desk can enter this.")


def _working_day_after(env, day: str, count: int) -> str:
    """The day that is so many working days, Monday to Friday without holidays, after this one."""
    current, left, guard = day, count, 0
    while left > 0 and guard < 400:
        current, guard = _plus(current, 1), guard + 1
        planned = env.one("SELECT id FROM closures WHERE day = ? AND part = 'all_day' AND kind = 'planned'", [current])
        if datetime.date.fromisoformat(current).isoweekday() < 6 and planned is None:
            left -= 1
    return current


def record_access_decision(env, *, case_id: str, outcome: str, decided_by_role: str, decided_by_name: str, decided_on: str, evidence: str = None, evidence_ref: str = None, conditions: list = None, condition_note: str = None, valid_until: str = None) -> dict:
    """Enter a decision that the one entitled to it has made."""
    _desk_clerk(env)
    today = env.now[:10]
    case = env.one("SELECT * FROM access_cases WHERE case_no = ?", [_code("A", case_id)])
    if case is None:
        raise env.Error(f"There is no access case {case_id}.")
    granted = case["status"] in ("granted", "granted_with_conditions")
    if outcome == "revoked" and not granted:
        raise env.Error("Only a granted case can be revoked.")
    if outcome != "revoked" and case["status"] != "open":
        raise env.Error(f"Case {case_id} has been decided already: {case['status'].replace('_', ' ')}.")
    if decided_on > today:
        raise env.Error("The decision cannot lie in the future.")
    if decided_on < (case["decided_on"] if outcome == "revoked" else case["opened_on"]):
        raise env.Error("The decision cannot be older than what it decides on.")
    collection = env.one("SELECT c.* FROM access_case_pieces a JOIN pieces p ON p.id = a.piece_id JOIN collections c ON c.id = p.collection_id WHERE a.access_case_id = ? ORDER BY a.piece_id LIMIT 1", [case["id"]])
    entitled = {"depositor_consent": ["depositor", "depositor_agent"], "conservator_word": ["conservator"], "closure_exception": ["county_archivist", "assistant_archivist"]}[case["kind"]]
    if decided_by_role not in entitled:
        raise env.Error("This case is for the " + " or the ".join(r.replace("_", " ") for r in entitled) + " to decide.")
    if case["kind"] == "depositor_consent" and outcome != "no_answer":
        on_file = collection["depositor_name"] if decided_by_role == "depositor" else collection["depositor_agent_name"]
        if on_file is None or _fold(on_file) != _fold(decided_by_name.strip()):
            raise env.Error(f"The {decided_by_role.replace('_', ' ')} on file is {on_file or 'nobody'}, not {decided_by_name}.")
    if outcome == "no_answer":
        if case["kind"] != "depositor_consent" or _working_day_after(env, case["opened_on"], 20) >= today:
            raise env.Error("Silence counts only for a depositor, and only after the 20 working days are out.")
    elif not evidence:
        raise env.Error("A telephone word alone is not enough; say what paper the decision stands on.")
    if outcome == "granted_with_conditions" and not (conditions or condition_note):
        raise env.Error("Say on what conditions it is granted.")
    if valid_until and not decided_on <= valid_until <= _months(decided_on, 12):
        raise env.Error("A grant lasts at most 12 months from the day of the decision.")
    words = [", ".join(conditions)] if conditions else []
    words += [condition_note] if condition_note else []
    text = "; ".join(words) or (case["conditions"] if outcome == "revoked" else None)
    env.execute("UPDATE access_cases SET status = ?, conditions = ?, decided_by_role = ?, decided_by_name = ?, decided_on = ?, recorded_at = ? WHERE id = ?", [outcome, text, decided_by_role, decided_by_name, decided_on, env.now, case["id"]])
    lasts = (valid_until or _months(decided_on, 12)) if outcome in ("granted", "granted_with_conditions") else None
    return {"case_id": case_id, "status": outcome, "decided_by_role": decided_by_role, "decided_by_name": decided_by_name, "decided_on": decided_on, "conditions": text, "valid_until": lasts}

import datetime

SEND_ABSENCE_EXCUSE_CERTIFICATE_DAYS = 15
SEND_ABSENCE_EXCUSE_MOST_BREAKDOWNS = 2

def _send_absence_excuse_day(text):
    try:
        return datetime.date.fromisoformat(text[:10])
    except ValueError:
        return None

def send_absence_excuse(env, *, presence_id: int, reason: str, proof: str, proof_issued_by: str, proof_dated_on: str) -> dict:
    """Sends in an excuse with its proof for one unexcused absence of the user."""
    absence = env.one(
        "SELECT p.id, p.status, p.concession_id, m.held_on FROM presences p JOIN market_days m ON m.id = p.market_day_id "
        "JOIN concessions c ON c.id = p.concession_id WHERE p.id = ? AND c.trader_id = ?", [presence_id, env.user_id])
    if absence is None:
        raise env.Error(f"You have no presence or absence {presence_id} on record.")
    today = _send_absence_excuse_day(env.now)
    held = _send_absence_excuse_day(absence["held_on"])
    dated = _send_absence_excuse_day(proof_dated_on)
    if dated is None:
        raise env.Error(f"{proof_dated_on} is not a day.")
    if absence["status"] != "absent":
        raise env.Error(f"The market day of {absence['held_on']} is not marked as an unexcused absence.")
    if dated > today:
        raise env.Error("The proof cannot be dated after today.")
    issuer = proof_issued_by.strip()
    if not issuer:
        raise env.Error("Say who issued the proof.")
    if reason in ("illness", "accident"):
        if proof != "medical_certificate":
            raise env.Error("Illness and accident are excused only with a medical certificate.")
        if (today - held).days > SEND_ABSENCE_EXCUSE_CERTIFICATE_DAYS:
            raise env.Error(f"The certificate for {absence['held_on']} comes more than {SEND_ABSENCE_EXCUSE_CERTIFICATE_DAYS} days after the market day.")
    if reason == "van_breakdown":
        if proof != "garage_receipt":
            raise env.Error("A van breakdown is excused only with the garage's receipt.")
        used = env.one(
            "SELECT count(DISTINCT p.id) AS n FROM absence_excuses e JOIN presences p ON p.id = e.presence_id JOIN market_days m ON m.id = p.market_day_id "
            "WHERE p.concession_id = ? AND e.reason = 'van_breakdown' AND e.status <> 'rejected' AND substr(m.held_on, 1, 4) = ? AND p.id <> ?",
            [absence["concession_id"], absence["held_on"][:4], presence_id])
        if used["n"] >= SEND_ABSENCE_EXCUSE_MOST_BREAKDOWNS:
            raise env.Error(f"Breakdown excuses for {SEND_ABSENCE_EXCUSE_MOST_BREAKDOWNS} market days of this concession have been used in {absence['held_on'][:4]}.")
    if env.one("SELECT id FROM absence_excuses WHERE presence_id = ? AND status <> 'rejected'", [presence_id]) is not None:
        raise env.Error(f"An excuse for {absence['held_on']} has already been sent.")
    new = env.insert(
        "INSERT INTO absence_excuses (presence_id, reason, proof, proof_issued_by, proof_dated_on, sent_on, status) VALUES (?, ?, ?, ?, ?, ?, 'sent')",
        [presence_id, reason, proof, issuer, proof_dated_on, env.now[:10]])
    row = env.one(
        "SELECT e.id, e.presence_id, e.reason, e.proof, e.proof_issued_by, e.proof_dated_on, e.sent_on, e.status, e.decided_on, p.concession_id, m.held_on "
        "FROM absence_excuses e JOIN presences p ON p.id = e.presence_id JOIN market_days m ON m.id = p.market_day_id WHERE e.id = ?", [new])
    return {"absence_excuse": row}

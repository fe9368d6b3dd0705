import datetime

SEND_WRITTEN_DEFENCE_DAYS = 30

def send_written_defence(env, *, breach_report_id: int, statement: str, asks_hearing: int) -> dict:
    """Sends a written defence to the Comune against a report served on the user."""
    report = env.one("SELECT id, code, status, served_on, paid_on FROM breach_reports WHERE id = ? AND trader_id = ?", [breach_report_id, env.user_id])
    if report is None:
        raise env.Error(f"No report {breach_report_id} has been served on you.")
    if report["paid_on"] is not None:
        raise env.Error(f"The reduced sum of {report['code']} has been paid, so no defence can be sent any more.")
    if report["status"] != "served":
        raise env.Error(f"No defence can be sent against {report['code']}: the report is {report['status']}.")
    days = (datetime.date.fromisoformat(env.now[:10]) - datetime.date.fromisoformat(report["served_on"])).days
    if days > SEND_WRITTEN_DEFENCE_DAYS:
        raise env.Error(f"The {SEND_WRITTEN_DEFENCE_DAYS} days for a defence against {report['code']} are over.")
    text = statement.strip()
    if not text:
        raise env.Error("The defence is empty.")
    if env.one("SELECT id FROM written_defences WHERE breach_report_id = ?", [breach_report_id]) is not None:
        raise env.Error(f"A defence against {report['code']} has already been sent.")
    new = env.insert(
        "INSERT INTO written_defences (breach_report_id, statement, asks_hearing, sent_on, status) VALUES (?, ?, ?, ?, 'received')",
        [breach_report_id, text, asks_hearing, env.now[:10]])
    env.execute("UPDATE breach_reports SET status = 'defended' WHERE id = ?", [breach_report_id])
    row = env.one("SELECT r.id, r.code, r.breach_kind_id, r.market_day_id, r.pitch_id, r.facts, r.units, r.reduced_cents, r.suspension_days, r.served_on, r.status, r.paid_on, r.paid_cents, r.closed_on, "
        "k.name AS breach_name, k.early_discount, m.held_on, p.code AS pitch_code FROM breach_reports r JOIN breach_kinds k ON k.id = r.breach_kind_id "
        "JOIN market_days m ON m.id = r.market_day_id JOIN pitches p ON p.id = r.pitch_id WHERE r.id = ?", [breach_report_id])
    return {"breach_report": row, "written_defence": env.one("SELECT id, breach_report_id, statement, asks_hearing, sent_on, status, decided_on FROM written_defences WHERE id = ?", [new])}

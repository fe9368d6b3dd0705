import datetime

PAY_BREACH_REPORT_EARLY_DAYS = 5
PAY_BREACH_REPORT_EARLY_PER_CENT = 70
PAY_BREACH_REPORT_DAYS = 60

def pay_breach_report(env, *, breach_report_id: int) -> dict:
    """Pays the reduced sum of a report served on the user."""
    report = env.one(
        "SELECT r.id, r.code, r.status, r.served_on, r.reduced_cents, k.early_discount FROM breach_reports r JOIN breach_kinds k ON k.id = r.breach_kind_id "
        "WHERE r.id = ? AND r.trader_id = ?", [breach_report_id, env.user_id])
    if report is None:
        raise env.Error(f"No report {breach_report_id} has been served on you.")
    if report["status"] != "served":
        raise env.Error(f"The reduced sum of {report['code']} cannot be paid: the report is {report['status']}.")
    days = (datetime.date.fromisoformat(env.now[:10]) - datetime.date.fromisoformat(report["served_on"])).days
    if days > PAY_BREACH_REPORT_DAYS:
        raise env.Error(f"The {PAY_BREACH_REPORT_DAYS} days for the reduced sum of {report['code']} are over.")
    cents = report["reduced_cents"]
    if days <= PAY_BREACH_REPORT_EARLY_DAYS and report["early_discount"] == 1:
        cents = (cents * PAY_BREACH_REPORT_EARLY_PER_CENT + 50) // 100
    env.execute("UPDATE breach_reports SET status = 'paid', paid_on = ?, paid_cents = ? WHERE id = ?", [env.now[:10], cents, breach_report_id])
    row = env.one("SELECT r.id, r.code, r.breach_kind_id, r.market_day_id, r.pitch_id, r.facts, r.units, r.reduced_cents, r.suspension_days, r.served_on, r.status, r.paid_on, r.paid_cents, r.closed_on, "
        "k.name AS breach_name, k.early_discount, m.held_on, p.code AS pitch_code FROM breach_reports r JOIN breach_kinds k ON k.id = r.breach_kind_id "
        "JOIN market_days m ON m.id = r.market_day_id JOIN pitches p ON p.id = r.pitch_id WHERE r.id = ?", [breach_report_id])
    return {"breach_report": row}

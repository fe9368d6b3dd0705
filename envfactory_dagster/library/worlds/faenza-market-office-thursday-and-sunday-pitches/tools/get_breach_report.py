def get_breach_report(env, *, breach_report_id: int) -> dict:
    """Shows one report served on the user, with its written defence."""
    report = env.one("SELECT r.id, r.code, r.breach_kind_id, r.market_day_id, r.pitch_id, r.facts, r.units, r.reduced_cents, r.suspension_days, r.served_on, r.status, r.paid_on, r.paid_cents, r.closed_on, "
        "k.name AS breach_name, k.early_discount, m.held_on, p.code AS pitch_code FROM breach_reports r JOIN breach_kinds k ON k.id = r.breach_kind_id "
        "JOIN market_days m ON m.id = r.market_day_id JOIN pitches p ON p.id = r.pitch_id WHERE r.id = ? AND r.trader_id = ?", [breach_report_id, env.user_id])
    if report is None:
        raise env.Error(f"No report {breach_report_id} has been served on you.")
    defences = env.query("SELECT id, breach_report_id, statement, asks_hearing, sent_on, status, decided_on FROM written_defences WHERE breach_report_id = ? ORDER BY id", [breach_report_id])
    return {"breach_report": report, "written_defences": defences}

def verify_certificate(env, *, folio: str, run_last4: str) -> dict:
    """Say whether a certificate is ours."""
    row = env.one(
        "SELECT c.folio, c.type, c.date, c.half FROM certificates c JOIN appointments a ON a.id = c.appointment_id "
        "JOIN donors d ON d.id = a.donor_id WHERE c.folio = ? AND substr(replace(d.run, '-', ''), -4) = ?",
        [folio, run_last4],
    )
    if row is None:
        raise env.Error("there is no certificate of ours with this folio and these last four of the RUN")
    return {"folio": row["folio"], "type": row["type"], "date": row["date"], "half": row["half"]}

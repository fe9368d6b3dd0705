def _desk_donor(env, donor_id):
    """The row of a donor, or a refusal."""
    row = env.one("SELECT * FROM donors WHERE id = ?", [donor_id])
    if row is None:
        raise env.Error("there is no donor with card number " + str(donor_id))
    return row


def _desk_certificate(env, certificate_id):
    """A certificate as the tools show it."""
    c = env.one("SELECT * FROM certificates WHERE id = ?", [certificate_id])
    return {
        "folio": c["folio"],
        "appointment_id": c["appointment_id"],
        "copy_number": c["copy_number"],
        "type": c["type"],
        "date": c["date"],
        "half": c["half"],
        "employer": c["employer"],
        "format": c["format"],
        "duplicate_fee_clp": c["duplicate_fee_clp"],
    }


def list_certificates(env, *, donor_id: int) -> dict:
    """List the certificates made out for a donor, the latest first."""
    _desk_donor(env, donor_id)
    rows = env.query(
        "SELECT c.id FROM certificates c JOIN appointments a ON a.id = c.appointment_id WHERE a.donor_id = ? "
        "ORDER BY c.issued_at DESC, c.id DESC",
        [donor_id],
    )
    return {"certificates": [_desk_certificate(env, row["id"]) for row in rows]}

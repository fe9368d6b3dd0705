def _search_patients_own(env, patient_id):
    patient = env.one("SELECT id, name, kind, species, head_count FROM patients WHERE id = ? AND client_id = ?", [patient_id, env.user_id])
    if patient is None:
        raise env.Error(f"You have no patient {patient_id} on record.")
    return patient


def list_plan_memberships(env, *, patient_id: int = None, on_day: str = None) -> dict:
    """List wellness plan memberships with what is used of them."""
    if patient_id is not None:
        _search_patients_own(env, patient_id)
    return {"wellness_plan_memberships": env.query("""
        SELECT m.id, m.patient_id, p.name AS patient_name, m.starts_on, m.ends_on, m.dental_allowance_cents,
            (SELECT COALESCE(SUM(k.amount_cents), 0) FROM plan_claims k
             WHERE k.membership_id = m.id AND k.kind = 'dental' AND k.status IN ('submitted', 'paid')) AS dental_used_cents,
            m.after_hours_consults,
            (SELECT COUNT(*) FROM plan_claims k
             WHERE k.membership_id = m.id AND k.kind = 'after_hours' AND k.status IN ('submitted', 'paid')) AS after_hours_used,
            m.status
        FROM wellness_plan_memberships m JOIN patients p ON p.id = m.patient_id
        WHERE m.client_id = :user AND (:patient IS NULL OR m.patient_id = :patient)
          AND (:day IS NULL OR (m.starts_on <= :day AND m.ends_on >= :day))
        ORDER BY m.starts_on DESC, m.id DESC""", {"user": env.user_id, "patient": patient_id, "day": on_day})}

def _search_patients_own(env, patient_id):
    patient = env.one("SELECT id, name, kind, species, head_count FROM patients WHERE id = ? AND client_id = ?", [patient_id, env.user_id])
    if patient is None:
        raise env.Error(f"You have no patient {patient_id} on record.")
    return patient


def _list_vets_one(env, vet_id):
    vet = env.one("SELECT id, name, practice FROM vets WHERE id = ?", [vet_id])
    if vet is None:
        raise env.Error(f"There is no vet {vet_id}.")
    return vet


def _list_roster_shifts_span(env, first_day, last_day):
    if first_day is not None and last_day is not None and first_day > last_day:
        raise env.Error("The first day lies after the last day.")


def search_appointments(env, *, status: str = None, patient_id: int = None, vet_id: int = None, first_day: str = None, last_day: str = None) -> dict:
    """List the client's own appointments."""
    _list_roster_shifts_span(env, first_day, last_day)
    if patient_id is not None:
        _search_patients_own(env, patient_id)
    if vet_id is not None:
        _list_vets_one(env, vet_id)
    return {"appointments": env.query("""
        SELECT a.id, a.code, a.patient_id, p.name AS patient_name, a.vet_id, v.name AS vet_name, a.service_id, s.name AS service_name,
               a.estimate_id, a.follows_appointment_id, a.head_count, a.starts_at, a.ends_at, a.price_cents, a.travel_cents,
               a.shares_travel, a.deposit_cents, a.deposit_status, a.status, a.booked_at, a.cancelled_at
        FROM appointments a
        JOIN patients p ON p.id = a.patient_id
        JOIN vets v ON v.id = a.vet_id
        JOIN services s ON s.id = a.service_id
        WHERE a.client_id = :user AND (:status IS NULL OR a.status = :status) AND (:patient IS NULL OR a.patient_id = :patient)
          AND (:vet IS NULL OR a.vet_id = :vet)
          AND (:first IS NULL OR substr(a.starts_at, 1, 10) >= :first) AND (:last IS NULL OR substr(a.starts_at, 1, 10) <= :last)
        ORDER BY a.starts_at, a.id""",
        {"user": env.user_id, "status": status, "patient": patient_id, "vet": vet_id, "first": first_day, "last": last_day})}

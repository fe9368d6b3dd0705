def _search_patients_own(env, patient_id):
    patient = env.one("SELECT id, name, kind, species, head_count FROM patients WHERE id = ? AND client_id = ?", [patient_id, env.user_id])
    if patient is None:
        raise env.Error(f"You have no patient {patient_id} on record.")
    return patient


def _list_roster_shifts_span(env, first_day, last_day):
    if first_day is not None and last_day is not None and first_day > last_day:
        raise env.Error("The first day lies after the last day.")


def search_medicine_orders(env, *, status: str = None, product_id: int = None, patient_id: int = None, first_day: str = None, last_day: str = None) -> dict:
    """List the client's own orders of medicines and goods."""
    _list_roster_shifts_span(env, first_day, last_day)
    if product_id is not None and env.one("SELECT id FROM products WHERE id = ?", [product_id]) is None:
        raise env.Error(f"There is no product {product_id}.")
    if patient_id is not None:
        _search_patients_own(env, patient_id)
    return {"medicine_orders": env.query("""
        SELECT o.id, o.code, o.product_id, d.name AS product_name, o.patient_id, o.authority_id, o.quantity, o.total_cents,
               o.pay_by, o.collect_from, o.status, o.ordered_at, o.returned_at
        FROM medicine_orders o JOIN products d ON d.id = o.product_id
        WHERE o.client_id = :user AND (:status IS NULL OR o.status = :status) AND (:product IS NULL OR o.product_id = :product)
          AND (:patient IS NULL OR o.patient_id = :patient)
          AND (:first IS NULL OR substr(o.ordered_at, 1, 10) >= :first) AND (:last IS NULL OR substr(o.ordered_at, 1, 10) <= :last)
        ORDER BY o.ordered_at DESC, o.id DESC""",
        {"user": env.user_id, "status": status, "product": product_id, "patient": patient_id, "first": first_day, "last": last_day})}

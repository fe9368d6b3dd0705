from datetime import date


def _get_account_overdue(env) -> int:
    row = env.one("""
        SELECT COALESCE(SUM(
            (SELECT COALESCE(SUM(l.amount_cents), 0) FROM invoice_lines l WHERE l.invoice_id = i.id)
          - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'deposit_refund')
          - (SELECT COALESCE(SUM(k.amount_cents), 0) FROM plan_claims k WHERE k.invoice_id = i.id AND k.status = 'paid')
        ), 0) AS cents
        FROM invoices i
        WHERE i.client_id = :client AND i.practice = 'own' AND i.due_on < :today""",
        {"client": env.user_id, "today": env.now[:10]})
    return row["cents"]


def _search_patients_own(env, patient_id):
    patient = env.one("SELECT id, name, kind, species, head_count FROM patients WHERE id = ? AND client_id = ?", [patient_id, env.user_id])
    if patient is None:
        raise env.Error(f"You have no patient {patient_id} on record.")
    return patient


def _search_medicine_orders_row(env, medicine_order_id):
    return env.one("""
        SELECT o.id, o.code, o.product_id, d.name AS product_name, o.patient_id, o.authority_id, o.quantity, o.total_cents,
               o.pay_by, o.collect_from, o.status, o.ordered_at, o.returned_at
        FROM medicine_orders o JOIN products d ON d.id = o.product_id
        WHERE o.id = ? AND o.client_id = ?""", [medicine_order_id, env.user_id])


def place_medicine_order(env, *, product_id: int, quantity: int, pay_by: str, collect_from: str, patient_id: int = None, medicine_authority_id: int = None) -> dict:
    """Order a product for the client."""
    product = env.one("SELECT id, name, price_cents, is_prescription FROM products WHERE id = ?", [product_id])
    if product is None:
        raise env.Error(f"There is no product {product_id}.")
    if patient_id is not None:
        _search_patients_own(env, patient_id)
    authority = None
    if medicine_authority_id is not None:
        authority = env.one("""
            SELECT id, code, patient_id, product_id, consulted_on, status FROM medicine_authorities
            WHERE id = ? AND client_id = ?""", [medicine_authority_id, env.user_id])
        if authority is None:
            raise env.Error(f"You have no medicine authority {medicine_authority_id} in your own name.")
    if product["is_prescription"]:
        if patient_id is None or authority is None:
            raise env.Error(f"{product['name']} is a prescription medicine: it needs a patient and a medicine authority in your own name.")
        if authority["status"] != "active":
            raise env.Error(f"Medicine authority {authority['code']} is withdrawn.")
        if authority["patient_id"] != patient_id:
            raise env.Error(f"Medicine authority {authority['code']} is for another patient.")
        if authority["product_id"] != product_id:
            raise env.Error(f"Medicine authority {authority['code']} is for another product.")
        days = (date.fromisoformat(env.now[:10]) - date.fromisoformat(authority["consulted_on"])).days
        if days > 365:
            raise env.Error(f"The consult behind authority {authority['code']} was on {authority['consulted_on']}, more than 365 days ago; a vet must see the patient first.")
    elif authority is not None:
        raise env.Error(f"{product['name']} is no prescription medicine and is ordered without an authority.")
    if pay_by == "account" and _get_account_overdue(env) > 50000:
        raise env.Error("More than $500 is overdue on the account: no order can be put on it.")
    new = env.insert("""
        INSERT INTO medicine_orders (code, client_id, product_id, patient_id, authority_id, quantity, total_cents, pay_by, collect_from, status, ordered_at, returned_at)
        VALUES (:code, :client, :product, :patient, :authority, :quantity, :total, :pay_by, :collect_from, 'placed', :now, NULL)""",
        {"code": env.new_id("ORD"), "client": env.user_id, "product": product_id, "patient": patient_id, "authority": medicine_authority_id,
         "quantity": quantity, "total": quantity * product["price_cents"], "pay_by": pay_by, "collect_from": collect_from, "now": env.now})
    return {"medicine_order": _search_medicine_orders_row(env, new)}

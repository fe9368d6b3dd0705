def _confirm_hire_signs(env, customer_id: int, kind: str, person_id: int) -> bool:
    """Whether a person is a signatory of a customer today, in a society by an unexpired committee letter."""
    if kind == "society":
        found = env.one(
            "SELECT r.id FROM person_roles r JOIN committee_letters c ON c.id = r.committee_letter_id "
            "WHERE r.customer_id = :customer_id AND r.person_id = :person_id AND r.role = 'signatory' "
            "AND c.customer_id = :customer_id AND c.received_on <= :today AND c.expires_on >= :today ORDER BY r.id LIMIT 1",
            {"customer_id": customer_id, "person_id": person_id, "today": env.now[:10]},
        )
    else:
        found = env.one(
            "SELECT id FROM person_roles WHERE customer_id = ? AND person_id = ? AND role = 'signatory' ORDER BY id LIMIT 1",
            [customer_id, person_id],
        )
    return found is not None


def agree_damage_charge(env, *, deposit_charge_id: int) -> dict:
    """The person agrees to one damage charge as a signatory."""
    charge = env.one(
        "SELECT g.id, g.deposit_id, g.amount_cents, g.agreed_at, d.status, h.customer_id, c.kind, c.name FROM deposit_charges g "
        "JOIN deposits d ON d.id = g.deposit_id JOIN hires h ON h.id = d.hire_id JOIN customers c ON c.id = h.customer_id "
        "WHERE g.id = ? AND EXISTS (SELECT 1 FROM person_roles r WHERE r.customer_id = h.customer_id AND r.person_id = ?)",
        [deposit_charge_id, env.user_id],
    )
    if charge is None:
        raise env.Error(f"you have no damage charge {deposit_charge_id}")
    if not _confirm_hire_signs(env, charge["customer_id"], charge["kind"], env.user_id):
        raise env.Error(f"only a signatory of {charge['name']} may agree to a damage charge")
    if charge["agreed_at"] is not None:
        raise env.Error("that charge has been agreed already")
    if charge["status"] != "held":
        raise env.Error(f"the deposit is {charge['status']}, so nothing can be taken off it")
    env.execute("UPDATE deposit_charges SET agreed_at = ?, agreed_by_person_id = ? WHERE id = ?", [env.now, env.user_id, deposit_charge_id])
    return {
        "id": deposit_charge_id,
        "deposit_id": charge["deposit_id"],
        "amount_cents": charge["amount_cents"],
        "agreed_at": env.now,
        "agreed_by_person_id": env.user_id,
    }

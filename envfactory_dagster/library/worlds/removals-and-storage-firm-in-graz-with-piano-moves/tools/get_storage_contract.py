def get_storage_contract(env, *, storage_contract_id: int) -> dict:
    """Shows a storage contract of the user's, as holder or as the person authorised, with its visits."""
    contract = env.one(
        """SELECT s.id AS storage_contract_id, s.code, s.container_id, c.number AS container_number,
                  h.name AS holder, a.name AS authorised_person, s.volume_m3, s.starts_on, s.ends_on,
                  s.monthly_price_cents, s.deposit_cents, s.handling_fee_cents, s.status, s.cleared_at
           FROM storage_contracts s
           JOIN containers c ON c.id = s.container_id
           JOIN customers h ON h.id = s.customer_id
           LEFT JOIN customers a ON a.id = s.authorised_customer_id
           WHERE s.id = :contract AND (s.customer_id = :user OR s.authorised_customer_id = :user)""",
        {"contract": storage_contract_id, "user": env.user_id},
    )
    if contract is None:
        raise env.Error(f"You have no storage contract {storage_contract_id} and are not authorised in it.")
    first = contract["starts_on"]
    last = env.now[:10]
    if contract["ends_on"] is not None and contract["ends_on"] < last:
        last = contract["ends_on"]
    months = (int(last[:4]) - int(first[:4])) * 12 + int(last[5:7]) - int(first[5:7]) + 1
    contract["months_begun"] = months if last >= first else 0
    contract["visits"] = env.query(
        """SELECT v.id AS container_visit_id, p.name AS visitor, v.visit_at, v.things, v.fee_cents, v.status
           FROM container_visits v JOIN customers p ON p.id = v.visitor_id
           WHERE v.storage_contract_id = ? ORDER BY v.visit_at, v.id""",
        [storage_contract_id],
    )
    return contract

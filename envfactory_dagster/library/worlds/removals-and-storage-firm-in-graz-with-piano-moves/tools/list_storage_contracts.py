def list_storage_contracts(env, *, status: str = None) -> dict:
    """Lists the storage contracts that the user holds or is named in as authorised, oldest first."""
    return {
        "storage_contracts": env.query(
            """SELECT s.id AS storage_contract_id, s.code, s.container_id, c.number AS container_number,
                      h.name AS holder, a.name AS authorised_person, s.starts_on, s.ends_on, s.status
               FROM storage_contracts s
               JOIN containers c ON c.id = s.container_id
               JOIN customers h ON h.id = s.customer_id
               LEFT JOIN customers a ON a.id = s.authorised_customer_id
               WHERE (s.customer_id = :user OR s.authorised_customer_id = :user)
                 AND (:status IS NULL OR s.status = :status)
               ORDER BY s.starts_on, s.id""",
            {"user": env.user_id, "status": status},
        )
    }

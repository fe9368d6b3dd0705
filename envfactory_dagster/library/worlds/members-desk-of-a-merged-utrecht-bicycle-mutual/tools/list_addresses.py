def list_addresses(env, *, kind: str = None) -> dict:
    """List the member's addresses, oldest first."""
    rows = env.query(
        "SELECT id, kind, street, house_number, postcode, city, starts_on, ends_on, filed_at FROM addresses"
        " WHERE member_id = :member AND (:kind IS NULL OR kind = :kind) ORDER BY starts_on, id",
        {"member": env.user_id, "kind": kind},
    )
    return {"addresses": rows}

def list_my_tree_reservations(env, *, status: str = None, lot_id: int = None) -> dict:
    """Lists the member's tree reservations, oldest first."""
    if lot_id is not None:
        lot = env.one("SELECT id FROM lots WHERE id = :lot_id", {"lot_id": lot_id})
        if lot is None:
            raise env.Error("There is no lot with the id " + str(lot_id) + ".")
    rows = env.query(
        "SELECT r.id AS tree_reservation_id, r.code, r.lot_id, l.lot, l.name, l.is_r, r.trees, "
        "r.tree_collection_day_id, p.code AS place_code, d.held_on, r.status, r.reserved_on, r.deposit_due_on, "
        "r.deposit_paid_on "
        "FROM tree_reservations r JOIN lots l ON l.id = r.lot_id "
        "JOIN tree_collection_days d ON d.id = r.tree_collection_day_id "
        "JOIN collection_places p ON p.id = d.place_id "
        "WHERE r.member_id = :member_id AND (:status IS NULL OR r.status = :status) "
        "AND (:lot_id IS NULL OR r.lot_id = :lot_id) "
        "ORDER BY r.reserved_on, r.id",
        {"member_id": env.user_id, "status": status, "lot_id": lot_id},
    )
    return {"tree_reservations": rows}

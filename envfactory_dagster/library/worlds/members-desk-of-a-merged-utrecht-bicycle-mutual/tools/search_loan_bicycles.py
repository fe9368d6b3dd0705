def search_loan_bicycles(
    env, *, kind: str = None, repair_shop_id: int = None, free_only: bool = False
) -> dict:
    """List the loan bicycles and whether they are free."""
    if repair_shop_id is not None:
        if env.one("SELECT id FROM repair_shops WHERE id = ?", [repair_shop_id]) is None:
            raise env.Error(f"there is no repair shop {repair_shop_id}")
    rows = env.query(
        "SELECT b.id, b.code, b.repair_shop_id, b.kind, b.description, s.name AS shop_name,"
        " NOT EXISTS (SELECT 1 FROM loans l WHERE l.loan_bicycle_id = b.id AND l.returned_on IS NULL) AS free"
        " FROM loan_bicycles b JOIN repair_shops s ON s.id = b.repair_shop_id"
        " WHERE (:kind IS NULL OR b.kind = :kind) AND (:shop IS NULL OR b.repair_shop_id = :shop)"
        " ORDER BY b.code, b.id",
        {"kind": kind, "shop": repair_shop_id},
    )
    loan_bicycles = []
    for row in rows:
        row["free"] = bool(row["free"])
        if row["free"] or not free_only:
            loan_bicycles.append(row)
    return {"loan_bicycles": loan_bicycles}

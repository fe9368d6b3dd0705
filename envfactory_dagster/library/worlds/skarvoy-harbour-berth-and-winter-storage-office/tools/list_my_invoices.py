def _list_my_invoices_shape(env, row):
    return {
        "id": row["id"],
        "invoice_number": row["invoice_number"],
        "berth_lease_id": row["berth_lease_id"],
        "guest_stay_id": row["guest_stay_id"],
        "crane_lift_id": row["crane_lift_id"],
        "shed_place_id": row["shed_place_id"],
        "amount_cents": row["amount_cents"],
        "paid_cents": row["paid_cents"],
        "left_cents": row["amount_cents"] - row["paid_cents"],
        "issued_on": row["issued_on"],
        "due_on": row["due_on"],
    }


def list_my_invoices(
    env, *, state: str = None, berth_lease_id: int = None, first_due_day: str = None, last_due_day: str = None
) -> dict:
    """Lists the user's own invoices in the order they are due, each with what was paid and what is left."""
    if berth_lease_id is not None:
        lease = env.one(
            """
            SELECT l.id FROM berth_leases l
            JOIN boats o ON o.id = l.boat_id
            WHERE l.id = :berth_lease_id AND o.boat_owner_id = :boat_owner_id
            """,
            {"berth_lease_id": berth_lease_id, "boat_owner_id": env.user_id},
        )
        if lease is None:
            raise env.Error(f"you have no berth lease {berth_lease_id}")
    rows = env.query(
        """
        SELECT i.id, i.invoice_number, i.berth_lease_id, i.guest_stay_id, i.crane_lift_id, i.shed_place_id,
               i.amount_cents,
               (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.invoice_id = i.id) AS paid_cents,
               i.issued_on, i.due_on
        FROM invoices i
        WHERE i.boat_owner_id = :boat_owner_id
          AND (:berth_lease_id IS NULL OR i.berth_lease_id = :berth_lease_id)
          AND (:first_due_day IS NULL OR i.due_on >= :first_due_day)
          AND (:last_due_day IS NULL OR i.due_on <= :last_due_day)
        ORDER BY i.due_on, i.id
        """,
        {
            "boat_owner_id": env.user_id,
            "berth_lease_id": berth_lease_id,
            "first_due_day": first_due_day,
            "last_due_day": last_due_day,
        },
    )
    invoices = [_list_my_invoices_shape(env, row) for row in rows]
    if state == "unpaid":
        invoices = [invoice for invoice in invoices if invoice["left_cents"] > 0]
    elif state == "paid":
        invoices = [invoice for invoice in invoices if invoice["left_cents"] <= 0]
    return {"invoices": invoices}

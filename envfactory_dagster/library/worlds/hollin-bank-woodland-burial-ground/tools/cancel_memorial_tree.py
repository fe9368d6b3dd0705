from datetime import date, timedelta

NOTICE_DAYS = 21


def _cancel_memorial_tree_tree(env, memorial_tree_id):
    return env.one(
        """
        SELECT t.id, t.plot_id, p.bearing_degrees, t.tree_species_id, s.name AS tree_species_name,
               t.price_cents, t.planting_date, t.status, t.ordered_at, t.cancelled_at, t.died_on
        FROM memorial_trees t
        JOIN plots p ON p.id = t.plot_id
        JOIN tree_species s ON s.id = t.tree_species_id
        WHERE t.id = :tree_id AND t.family_contact_id = :family_contact_id
        """,
        {"tree_id": memorial_tree_id, "family_contact_id": env.user_id},
    )


def cancel_memorial_tree(env, *, memorial_tree_id: int) -> dict:
    """Cancels the order of the user's own memorial tree, until 21 days before its planting date."""
    tree = _cancel_memorial_tree_tree(env, memorial_tree_id)
    if tree is None:
        raise env.Error(f"you have no memorial tree {memorial_tree_id}")
    if tree["status"] != "ordered":
        raise env.Error(f"only an ordered tree can be cancelled, and tree {memorial_tree_id} is {tree['status']}")
    latest = (date.fromisoformat(tree["planting_date"]) - timedelta(days=NOTICE_DAYS)).isoformat()
    if env.now[:10] > latest:
        raise env.Error(
            f"an order can be cancelled only until 21 days before its planting date, {tree['planting_date']}, "
            f"that is until {latest}"
        )
    env.execute(
        """
        UPDATE memorial_trees SET status = 'cancelled', cancelled_at = :now
        WHERE id = :tree_id AND family_contact_id = :family_contact_id
        """,
        {"now": env.now, "tree_id": memorial_tree_id, "family_contact_id": env.user_id},
    )
    return {"memorial_tree": dict(_cancel_memorial_tree_tree(env, memorial_tree_id))}

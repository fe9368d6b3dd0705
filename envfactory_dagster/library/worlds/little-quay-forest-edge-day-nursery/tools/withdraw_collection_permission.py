def _withdraw_collection_permission_permission(env, collection_permission_id):
    return env.one(
        """
        SELECT p.id, p.child_id, c.name AS child_name, p.collector_name, p.collector_birth_date,
               p.first_day, p.last_day, p.status, p.given_at, p.withdrawn_at
        FROM collection_permissions p
        JOIN children c ON c.id = p.child_id
        WHERE p.id = :permission_id AND c.guardian_id = :guardian_id
        """,
        {"permission_id": collection_permission_id, "guardian_id": env.user_id},
    )


def withdraw_collection_permission(env, *, collection_permission_id: int) -> dict:
    """Withdraws a permission for one of the user's own children for good."""
    permission = _withdraw_collection_permission_permission(env, collection_permission_id)
    if permission is None:
        raise env.Error(f"you have given no collection permission {collection_permission_id}")
    if permission["status"] != "given":
        raise env.Error(f"collection permission {collection_permission_id} has already been withdrawn")
    if permission["last_day"] < env.now[:10]:
        raise env.Error(
            f"collection permission {collection_permission_id} is over, its last day was {permission['last_day']}"
        )
    env.execute(
        "UPDATE collection_permissions SET status = 'withdrawn', withdrawn_at = :now WHERE id = :permission_id",
        {"now": env.now, "permission_id": collection_permission_id},
    )
    return {"collection_permission": dict(_withdraw_collection_permission_permission(env, collection_permission_id))}

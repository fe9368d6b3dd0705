MAX_OTHERS = 3


def _extend_collection_permission_permission(env, collection_permission_id):
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


def extend_collection_permission(env, *, collection_permission_id: int, last_day: str) -> dict:
    """Moves the last day of a permission for one of the user's own children to a later day."""
    permission = _extend_collection_permission_permission(env, collection_permission_id)
    if permission is None:
        raise env.Error(f"you have given no collection permission {collection_permission_id}")
    if permission["status"] != "given":
        raise env.Error(f"collection permission {collection_permission_id} has already been withdrawn")
    if permission["last_day"] < env.now[:10]:
        raise env.Error(
            f"collection permission {collection_permission_id} is over, its last day was {permission['last_day']}"
        )
    if last_day <= permission["last_day"]:
        raise env.Error(f"the new last day must be later than the present one, {permission['last_day']}")
    others = env.one(
        """
        SELECT COUNT(*) AS number FROM collection_permissions
        WHERE child_id = :child_id AND id <> :permission_id AND status = 'given'
          AND first_day <= :last_day AND last_day >= :first_day
        """,
        {
            "child_id": permission["child_id"],
            "permission_id": collection_permission_id,
            "first_day": permission["first_day"],
            "last_day": last_day,
        },
    )["number"]
    if others > MAX_OTHERS:
        raise env.Error(
            f"{permission['child_name']} may have at most 3 other permissions that overlap with this one, "
            f"and up to {last_day} there would be {others}"
        )
    env.execute(
        "UPDATE collection_permissions SET last_day = :last_day WHERE id = :permission_id",
        {"last_day": last_day, "permission_id": collection_permission_id},
    )
    return {"collection_permission": dict(_extend_collection_permission_permission(env, collection_permission_id))}

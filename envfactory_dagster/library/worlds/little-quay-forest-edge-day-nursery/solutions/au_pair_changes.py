def solve(tools):
    children = [c for c in tools.list_my_children()["children"] if c["name"] in ("Mira", "Jonas")]
    for name in ("Peter Lund", "Camille Roussel"):
        for child in children:
            permissions = tools.list_my_collection_permissions(
                child_id=child["id"], status="given", collector_name=name
            )["collection_permissions"]
            for permission in permissions:
                if permission["collector_name"] != name:
                    continue
                if name == "Peter Lund":
                    tools.withdraw_collection_permission(collection_permission_id=permission["id"])
                elif permission["last_day"] == "2026-05-31":
                    tools.extend_collection_permission(
                        collection_permission_id=permission["id"], last_day="2026-07-31"
                    )
    message = (
        "Camille Roussel may now collect Mira and Jonas until 31 July 2026. "
        "Peter Lund's permissions are withdrawn, so he may no longer collect either of them."
    )
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": message,
    }

def list_editions(env, *, work_id: int) -> dict:
    """Lists the editions of a work."""
    work = env.files.get("data/works.yaml", work_id)
    if work is None:
        raise env.Error(f"there is no work {work_id}")
    found = env.files.records("data/editions.csv", {"work_id": work_id})
    return {
        "editions": [
            {
                "id": one["id"],
                "work_id": work_id,
                "composer": work["composer"],
                "title": work["title"],
                "publisher": one["publisher"],
                "copies_owned": one["copies_owned"],
            }
            for one in sorted(found, key=lambda one: one["id"])
        ]
    }

def list_volunteers(env, *, name: str = None, studio_course: int = None) -> dict:
    """Lists the volunteers with their studio course."""
    found = [
        {"id": one["id"], "name": one["name"], "studio_course": one["studio_course"]}
        for one in env.files.records("data/volunteers.json")
        if (name is None or name.casefold() in one["name"].casefold())
        and (studio_course is None or one["studio_course"] == studio_course)
    ]
    return {"volunteers": sorted(found, key=lambda one: (one["name"], one["id"]))}

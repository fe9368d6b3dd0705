def _desk_project_view(env, one):
    leader = env.files.get("data/people.json", one["leader_id"])
    return {
        "id": one["id"],
        "code": one["code"],
        "title": one["title"],
        "leader_id": one["leader_id"],
        "leader_name": leader["name"],
        "starts_on": one["starts_on"],
        "ends_on": one["ends_on"],
        "rack_signed_on": one["rack_signed_on"],
    }


def search_projects(env, *, query: str = None, person_id: int = None) -> dict:
    """Finds projects by words of their code or title or by a member."""
    theirs = None
    if person_id is not None:
        if env.files.get("data/people.json", person_id) is None:
            raise env.Error(f"there is no person {person_id}")
        theirs = {one["project_id"] for one in env.files.records("data/project_members.csv", {"person_id": person_id})}
    found = []
    for one in env.files.records("data/projects.yaml"):
        text = (one["code"] + " " + one["title"]).lower()
        if query is not None and not all(word in text for word in query.lower().split()):
            continue
        if theirs is not None and one["id"] not in theirs:
            continue
        found.append(one)
    return {"projects": [_desk_project_view(env, one) for one in sorted(found, key=lambda one: (one["code"], one["id"]))]}

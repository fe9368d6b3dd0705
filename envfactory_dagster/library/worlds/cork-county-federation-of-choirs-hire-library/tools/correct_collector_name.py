def _name_collector_fold(text):
    plain = str.maketrans(
        "\u00e0\u00e1\u00e2\u00e3\u00e4\u00e5\u00e7\u0107\u010d\u010f\u00e8\u00e9\u00ea\u00eb\u011b\u0119\u00ec\u00ed\u00ee\u00ef\u0142\u00f1\u0144\u0148\u00f2\u00f3\u00f4\u00f5\u00f6\u00f8\u0151\u0159\u015b\u0161\u0165\u00f9\u00fa\u00fb\u00fc\u016f\u0171\u00fd\u00ff\u017e\u017a\u017c\u0105",
        "aaaaaacccdeeeeeeiiiilnnnooooooorsstuuuuuuyyzzza",
    )
    return " ".join(text.casefold().translate(plain).split())


def correct_collector_name(env, *, collector_id: int, name: str) -> dict:
    """Puts right the name of a collector of the choir."""
    collector = env.files.get("data/collectors.csv", collector_id)
    if collector is None or collector["choir_id"] != env.user_id:
        raise env.Error(f"your choir has named no collector {collector_id}")
    wanted = " ".join(name.split())
    if not wanted:
        raise env.Error("the name of the collector is empty")
    for one in env.files.records("data/collectors.csv", {"choir_id": env.user_id}):
        if one["id"] != collector_id and _name_collector_fold(one["name"]) == _name_collector_fold(wanted):
            raise env.Error(f"your choir has another collector called {one['name']}")
    env.files.update("data/collectors.csv", collector_id, {"name": wanted})
    return {"collector": {"id": collector_id, "name": wanted}}

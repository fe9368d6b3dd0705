def _name_collector_fold(text):
    plain = str.maketrans(
        "\u00e0\u00e1\u00e2\u00e3\u00e4\u00e5\u00e7\u0107\u010d\u010f\u00e8\u00e9\u00ea\u00eb\u011b\u0119\u00ec\u00ed\u00ee\u00ef\u0142\u00f1\u0144\u0148\u00f2\u00f3\u00f4\u00f5\u00f6\u00f8\u0151\u0159\u015b\u0161\u0165\u00f9\u00fa\u00fb\u00fc\u016f\u0171\u00fd\u00ff\u017e\u017a\u017c\u0105",
        "aaaaaacccdeeeeeeiiiilnnnooooooorsstuuuuuuyyzzza",
    )
    return " ".join(text.casefold().translate(plain).split())


def search_works(env, *, words: str | None = None, season: str | None = None) -> dict:
    """Finds works by words and season."""
    wanted = [] if words is None else _name_collector_fold(words).split()
    found = []
    for one in env.files.records("data/works.yaml"):
        text = _name_collector_fold(one["composer"] + " " + one["title"] + " " + one["note"])
        if (season is None or one["season"] == season) and all(word in text for word in wanted):
            found.append(one)
    return {
        "works": [
            {"id": one["id"], "composer": one["composer"], "title": one["title"], "season": one["season"], "note": one["note"]}
            for one in sorted(found, key=lambda one: (one["composer"], one["title"], one["id"]))
        ]
    }

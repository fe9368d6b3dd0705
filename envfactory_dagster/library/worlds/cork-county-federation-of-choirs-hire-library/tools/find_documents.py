def _name_collector_fold(text):
    plain = str.maketrans(
        "\u00e0\u00e1\u00e2\u00e3\u00e4\u00e5\u00e7\u0107\u010d\u010f\u00e8\u00e9\u00ea\u00eb\u011b\u0119\u00ec\u00ed\u00ee\u00ef\u0142\u00f1\u0144\u0148\u00f2\u00f3\u00f4\u00f5\u00f6\u00f8\u0151\u0159\u015b\u0161\u0165\u00f9\u00fa\u00fb\u00fc\u016f\u0171\u00fd\u00ff\u017e\u017a\u017c\u0105",
        "aaaaaacccdeeeeeeiiiilnnnooooooorsstuuuuuuyyzzza",
    )
    return " ".join(text.casefold().translate(plain).split())


def find_documents(env, *, words: str | None = None) -> dict:
    """Finds documents by words in path or text, or lists them all."""
    wanted = [] if words is None else _name_collector_fold(words).split()
    found = []
    for path in sorted(env.files.paths("docs/*")):
        text = env.files.read_text(path)
        folded = _name_collector_fold(path + " " + text)
        if all(word in folded for word in wanted):
            lines = text.splitlines()
            found.append({"path": path, "first_line": lines[0] if lines else ""})
    return {"documents": found}

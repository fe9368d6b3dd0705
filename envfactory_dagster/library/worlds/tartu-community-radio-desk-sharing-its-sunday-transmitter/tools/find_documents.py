def find_documents(env, *, words: str = None) -> dict:
    """Finds the station's texts that hold all the given words, or lists them all."""
    wanted = words.casefold().split() if words is not None else []
    found = []
    for path in sorted(env.files.paths("docs/*")):
        text = env.files.read_text(path)
        low = text.casefold()
        if not all(word in low for word in wanted):
            continue
        if wanted:
            excerpt = next((line.strip() for line in text.splitlines() if wanted[0] in line.casefold()), " ".join(text.split())[:200])
        else:
            excerpt = " ".join(text.split())[:200]
        found.append({"path": path, "excerpt": excerpt})
    return {"documents": found}

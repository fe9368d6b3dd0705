def find_documents(env, *, query: str = None) -> dict:
    """Finds the desk's documents by words, or lists them."""
    found = []
    for path in sorted(env.files.paths("docs/*")):
        text = env.files.read_text(path)
        whole = (path + " " + text).lower()
        if query is not None and not all(word in whole for word in query.lower().split()):
            continue
        title = path
        for line in text.splitlines():
            if line.strip(" #") != "":
                title = line.strip(" #")
                break
        found.append({"path": path, "title": title})
    return {"documents": found}

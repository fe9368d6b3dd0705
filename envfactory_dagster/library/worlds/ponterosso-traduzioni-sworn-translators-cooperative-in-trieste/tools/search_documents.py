def search_documents(env, *, query: str = None) -> dict:
    """Finds the texts that contain all of the words, or lists them all."""
    words = [] if query is None else query.lower().split()
    documents = []
    for path in sorted(env.files.paths("docs/*")):
        text = env.files.read_text(path)
        low = text.lower()
        if not all(word in low for word in words):
            continue
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if words:
            near = [line for line in lines if any(word in line.lower() for word in words)]
            lines = near or lines
        documents.append({"path": path, "excerpt": "\n".join(lines[:5])})
    return {"documents": documents}

def read_document(env, *, path: str) -> dict:
    """Reads one document of the library."""
    if path not in env.files.paths("docs/*"):
        raise env.Error(f"there is no document {path}")
    return {"path": path, "text": env.files.read_text(path)}

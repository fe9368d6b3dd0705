"""Papers kept as text: an index that costs little, and cards that cost more."""


def list_papers(env) -> dict:
    """List the papers: the path and the title of each. Without an index there are none."""
    if not env.files.exists("manifest.json"):
        return {"papers": []}
    index = env.files.read_data("manifest.json")
    return {"papers": [{"path": path, "title": index[path]} for path in index]}


def get_paper(env, *, path: str) -> dict:
    """Read the card of a paper. What the paper does not say is null."""
    if not path.startswith("papers/"):
        raise env.Error(f"{path} is no paper.")
    text = env.files.read_text(path)
    authors = _line(text, "Authors")
    return {
        "title": _title(text),
        "authors": authors.split(", ") if authors else [],
        "subjects": _line(text, "Subjects"),
        "abstract": _line(text, "Abstract"),
        "comments": _line(text, "Comments"),
        "doi": _line(text, "DOI"),
        "url": _line(text, "URL"),
        "project_page": _line(text, "Project page"),
    }


def search_papers(env, *, text: str) -> dict:
    """Find the papers that say something, and the lines in which they say it."""
    found = env.files.search(text, "papers/*")
    return {"lines": [{"path": line["path"], "text": line["text"][:200]} for line in found]}


def _title(text: str):
    for line in text.splitlines():
        if line.startswith("# "):
            return line[2:].strip()
    return None


def _line(text: str, name: str):
    for line in text.splitlines():
        if line.startswith(f"{name}: "):
            return line[len(name) + 2 :].strip()
    return None

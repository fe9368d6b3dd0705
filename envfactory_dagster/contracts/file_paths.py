"""What the path of a file in an environment may be. Python's standard library only: the text is part of `server.py`.

Belongs here: one path by itself. Does not: several together (`file_layout`).
"""

import unicodedata

MOST_PATH_BYTES = 255
MOST_PATH_PARTS = 8
FILE_FORMATS = ("json", "jsonl", "csv", "tsv", "yaml", "yml", "md", "txt", "html", "xml", "tex", "sql")


def path_problem(path: str) -> str | None:
    """Why no file may be called this; None where it may."""
    shown = ascii(path[:100])
    if not path or len(path.encode("utf-8", "replace")) > MOST_PATH_BYTES:
        return f"the path {shown} is empty or longer than {MOST_PATH_BYTES} bytes"
    if any(unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for letter in path) or "\\" in path:
        return f"the path {shown} has a character that no path may have"
    if unicodedata.normalize("NFC", path) != path:
        return f"the path {shown} is not in Unicode's composed form (NFC)"
    parts = path.split("/")
    if path.startswith(("/", "~")) or ":" in parts[0]:
        return f"the path {shown} is not relative"
    if len(parts) > MOST_PATH_PARTS:
        return f"the path {shown} is more than {MOST_PATH_PARTS} folders deep"
    if any(part in ("", ".", "..") or part.startswith(".") or part != part.strip(" .") for part in parts):
        return f"the path {shown} has a part that is empty, begins or ends with a dot or a space, or leads upwards"
    if format_of(path) not in FILE_FORMATS:
        return f"the path {shown} has no known ending; known are {', '.join(FILE_FORMATS)}"
    return None


def format_of(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[2]

"""One and many of English nouns, by their endings.

Belongs here: that. Does not: which words are nouns. The tokenizer cuts words where these endings begin (`tokenizers`).
"""

_HISSING = ("shes", "ches", "sses", "xes")


def singular(word: str) -> str:
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(_HISSING) else word[:-1]


def plural(word: str) -> str:
    if word.endswith("us"):
        return word
    if len(word) > 2 and word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if f"{word}es".endswith(_HISSING) else f"{word}s"

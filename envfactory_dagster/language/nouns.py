"""English nouns: one and many.

Belongs here: that, for nouns of one or more words. Does not: which words are nouns, or what a theme calls its things.
"""

import re

_IRREGULAR = {
    "person": "people",
    "child": "children",
    "staff": "staff",
    "man": "men",
    "woman": "women",
    "shelf": "shelves",
    "leaf": "leaves",
    "knife": "knives",
    "half": "halves",
    "calf": "calves",
    "wolf": "wolves",
    "life": "lives",
    "foot": "feet",
    "tooth": "teeth",
    "mouse": "mice",
    "quiz": "quizzes",
    "analysis": "analyses",
    "criterion": "criteria",
    "series": "series",
    "species": "species",
    "equipment": "pieces of equipment",
    "medium": "media",
}
_ONE_OF = {many: one for one, many in _IRREGULAR.items() if one != "leaf"} | {
    "movies": "movie",
    "cookies": "cookie",
    "calories": "calorie",
    "caches": "cache",
    "headaches": "headache",
    "niches": "niche",
    "avalanches": "avalanche",
    "axes": "axe",
    "uses": "use",
    "fuses": "fuse",
    "excuses": "excuse",
    "gases": "gas",
    "lenses": "lens",
    "atlases": "atlas",
    "canvases": "canvas",
    "menus": "menu",
    "news": "news",
}
"""Where endings mislead. Leaves are days off much more often than of a tree, so their ending decides."""
_JOINING = re.compile(r" (?=(?:of|for|to|up)\b)")
"""What stands before is one or many: “calls for proposals”."""


def plural(noun: str) -> str:
    """The plural of a noun of one or more words: `wall session` becomes `wall sessions`."""
    *front, last = noun.split(" ")
    if last in _IRREGULAR:
        form = _IRREGULAR[last]
    elif re.search(r"(s|x|z|ch|sh)$", last):
        form = last + "es"
    elif re.search(r"[^aeiou]y$", last):
        form = last[:-1] + "ies"
    else:
        form = last + "s"
    return " ".join([*front, form])


def singular(noun: str) -> str:
    """The singular of a noun of one or more words; one that is no plural stays as it is."""
    if noun in _ONE_OF:
        return _ONE_OF[noun]
    head, *rest = _JOINING.split(noun, maxsplit=1)
    *front, last = head.split(" ")
    return " ".join([*front, _ONE_OF.get(last) or _without_ending(last), *rest])


def _without_ending(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if re.search(r"(ss|x|zz|ch|sh)es$|[^aeo]uses$", word):
        return word[:-2]
    plain = len(word) <= 2 or not word.endswith("s") or word.endswith(("ss", "us", "is"))
    return word if plain else word[:-1]

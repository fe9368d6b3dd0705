"""Small questions about words that several gates ask.

Belongs here: pure functions over text. Does not: anything about one artifact.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import combinations

from envfactory_dagster.contracts.domain import Theme

FEWEST_WORDS, MOST_WORDS = 8, 160
"""Of a request that is made of an environment."""
_ACCOUNT = r"\b(account|app|site|website|web site|portal|profile|service|system)s?\b"
SIGN_IN = re.compile(
    rf"\b((log|sign)(s|ged|ned|ed|ging|ning|ing)?[- ]?(in|out|on|off)( again)? ?(to|of|into|from|on) (\w+ )?{_ACCOUNT}|"
    r"log[- ]?(in|out|on|off)\b(?! (the|a|an|my|our|this|\w+ly)\b)|"
    r"sign[- ]?in\b(?! (the|a|an|my|our|this|at|on|before|after|\w+ly)\b)|"
    r"passwords?|two-factor|authenticat\w*|captcha|credentials?)\b",
    re.IGNORECASE,
)
"""Words of signing in to an account. Worlds have none, since the person is known. Signing in at a desk is allowed."""

SECRET = re.compile(
    r"(^|_)(password|passwd|passcode|passphrase|pin|secret|otp|mfa|two_factor|credential|api_key|auth|login|salt|"
    r"(access|refresh|session|auth)_token)s?(_|$)"
)
"""The same in names of tables, columns and parameters."""

SCREEN = re.compile(
    r"\b(click(s|ed|ing)?|tap(s|ped|ping)? (on|the)|(press|push)\w* the button|on (the|my|your) screen|"
    r"scroll(s|ed|ing)? (up|down|to|through)|drop-?downs?|web ?pages?|pop-?ups?|screenshots?)\b",
    re.IGNORECASE,
)
"""Everything happens through tools: there is nothing to look at."""

_AT_A_DESK = re.compile(r"\b(sign|log)(s|ged|ed|ging|ing)?([- ]((?!up)\w+ )?)?(in|out|on|off)s?\b", re.IGNORECASE)
_EVERYWHERE = frozenset(["the", "my", "your", "on", "to"])


def out_of_place(text: str, trade: str) -> Iterator[str]:
    """Complaints about words of a request that speak of signing in or of a computer's screen. `trade`: the texts and
    names of the world. Words that it uses itself are allowed: a cinema has screens, readers sign in at a desk."""
    for pattern, why in ((SIGN_IN, "the person is already known"), (SCREEN, "there is no screen")):
        for found in pattern.finditer(unquoted(text)):
            if not _is_of_the_trade(found[0], trade):
                yield f"Leave out {found[0]!r}: {why}."
                break


def _is_of_the_trade(said: str, trade: str) -> bool:
    if re.search(_ACCOUNT, said, re.IGNORECASE):
        return False
    if at_a_desk := _AT_A_DESK.search(said):
        return at_a_desk[1].lower() in {found[1].lower() for found in _AT_A_DESK.finditer(trade)}
    return words(said) - _EVERYWHERE <= words(trade)


def trade_of(theme: Theme, schema_sql: str = "") -> str:
    """The words of a world: what its theme says, and how its tables and columns are called."""
    said = [theme.name, theme.description, *theme.entities, *(rule.text for rule in theme.rules)]
    return " ".join([*said, schema_sql.replace("_", " ")])


_ASKS = re.compile(
    r"\?|\b(how (much|many|long|old)|tell me|let me know|say (which|what|when|how|who|why))\b", re.IGNORECASE
)


def asks_to_be_told(text: str) -> bool:
    """Whether a request wants to know something, and not only to have something done."""
    return _ASKS.search(text) is not None


def unquoted(text: str) -> str:
    """Without what stands in quotation marks: titles and names, which may be anything."""
    return re.sub(r'"[^"]*"|“[^”]*”', "", text)


def words(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"[a-z0-9]+", text.lower())}


def stem(word: str) -> str:
    """Crude, and enough to know 'categories' for 'category', 'buses' for 'bus', 'leases' for 'lease' and 'sign-ups'
    for 'sign-up'."""
    if word == "ups":
        return "up"
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        one = word[:-2]
    else:
        one = word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
    return one[:-1] if one.endswith("e") and len(one) > 3 else one


def alike(one: str, other: str) -> float:
    """Share of words that two texts have in common."""
    return _share(words(one), words(other))


def _share(first: set[str], second: set[str]) -> float:
    return len(first & second) / len(first | second) if first | second else 1.0


def near_duplicates(texts: dict[str, str], threshold: float) -> Iterator[tuple[str, str]]:
    said = {name: words(text) for name, text in texts.items()}
    for one, other in combinations(said, 2):
        if _share(said[one], said[other]) >= threshold:
            yield one, other


def mentioned(term: str, texts: Iterable[str]) -> bool:
    """Whether every word of the term occurs in one of the texts."""
    wanted = words(term)
    return any(wanted <= words(text) for text in texts)


def stands_in(quote: str, text: str) -> bool:
    """Whether these words stand in the text; without words nothing does."""
    return bool(plain(quote)) and plain(quote) in plain(text)


def plain(text: str) -> str:
    """Without what changes when JSON or a line is copied: escapes, quotation marks, spaces, and how an accent is
    encoded; in small letters."""
    return re.sub(r"[\s\\\"'“”„‘’«»]+", " ", unicodedata.normalize("NFC", text)).strip().casefold()

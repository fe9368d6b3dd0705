"""Keeping secrets out of everything that is written down: error messages, ledger, cache.

Belongs here: which strings are secret and how they are blotted out. Does not: who writes (`wire`, `exchange`).
"""

import base64
import html
from collections.abc import Iterable
from urllib.parse import quote

BLOT = "[secret]"
SHORTEST_IN_MESSAGES = 4
SHORTEST_IN_ANSWERS = 16
"""Local servers are given keys like `EMPTY`. Blotting so common a word out of answers would damage them, so in answers
only strings too long to occur by accident are secret; error messages lose nothing, so there nearly all are."""
SHORTEST_PART = 12
"""A part of a long secret with this many characters is secret too: some endpoints echo a key without its ends."""


class Secrets:
    """The strings that must not leave the process other than in an Authorization header."""

    def __init__(self, api_key: str | None, login: str | None) -> None:
        found = set[str]()
        if api_key:
            found |= _forms(api_key)
        if login:
            password = login.partition(":")[2]
            found |= _forms(login) | _forms(password)
        # Longest first: a secret that contains another one must be blotted out whole.
        ordered = sorted(found, key=len, reverse=True)
        self._in_messages = [s for s in ordered if len(s) >= SHORTEST_IN_MESSAGES]
        self._in_answers = [s for s in ordered if len(s) >= SHORTEST_IN_ANSWERS]

    def __repr__(self) -> str:
        return "Secrets()"

    def blot(self, text: str) -> str:
        """For error messages and everything else that is only read by people."""
        return _replace(text, self._in_messages)

    def blot_answer(self, body: bytes) -> bytes:
        """For the bodies of good answers, which are cached and parsed."""
        text = body.decode("latin-1")  # every byte is a character, so that nothing else changes
        blotted = _replace(text, self._in_answers)
        return body if blotted == text else blotted.encode("latin-1")


def _forms(secret: str) -> set[str]:
    """A secret as it may be written in JSON, HTML, a URL or base64, wherever in a longer text it was encoded."""
    if not secret:
        return set()
    quoted = quote(secret, safe="")
    forms = {secret, quoted, quoted.lower(), html.escape(secret), secret.replace("/", "\\/")}
    forms.add("".join(f"\\u{ord(character):04x}" for character in secret))
    for before, first in ((0, 0), (1, 2), (2, 3)):
        encoded = base64.b64encode(bytes(before) + secret.encode()).decode()
        forms.add(encoded.rstrip("=")[first:-1] if before or encoded.endswith("=") else encoded)
    return {form for form in forms if form}


def _replace(text: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        text = _without_parts(text.replace(secret, BLOT), secret)
    return text


def _without_parts(text: str, secret: str) -> str:
    """Without any long part of the secret."""
    if len(secret) < SHORTEST_IN_ANSWERS:
        return text
    parts = [secret[at : at + SHORTEST_PART] for at in range(len(secret) - SHORTEST_PART + 1)]
    while (part := next((part for part in parts if part in text), None)) is not None:
        begin = text.index(part)
        end = begin + SHORTEST_PART
        while end < len(text) and text[begin : end + 1] in secret:
            end += 1
        text = text[:begin] + BLOT + text[end:]
    return text

"""Keeping secrets out of everything that is written down: error messages, ledger, cache.

Belongs here: which strings are secret and how they are blotted out. Does not: who writes (`wire`, `exchange`).
"""

import base64
from collections.abc import Iterable
from urllib.parse import quote

BLOT = "[secret]"
SHORTEST_IN_MESSAGES = 4
SHORTEST_IN_ANSWERS = 16
"""Local servers are given keys like `EMPTY`. Blotting so common a word out of answers would damage them, so in answers
only strings too long to occur by accident are secret; error messages lose nothing, so there nearly all are."""


class Secrets:
    """The strings that must not leave the process other than in an Authorization header."""

    def __init__(self, api_key: str | None, login: str | None) -> None:
        found = set[str]()
        if api_key:
            found |= {api_key, quote(api_key, safe="")}
        if login:
            password = login.partition(":")[2]
            found |= {login, password, quote(password, safe=""), base64.b64encode(login.encode()).decode()}
        # Longest first: a secret that contains another one must be blotted out whole.
        ordered = sorted(found, key=len, reverse=True)
        self._in_messages = [s for s in ordered if len(s) >= SHORTEST_IN_MESSAGES]
        self._in_answers = [s.encode() for s in ordered if len(s) >= SHORTEST_IN_ANSWERS]

    def __repr__(self) -> str:
        return "Secrets()"

    def blot(self, text: str) -> str:
        """For error messages and everything else that is only read by people."""
        return _replace(text, self._in_messages)

    def blot_answer(self, body: bytes) -> bytes:
        """For the bodies of good answers, which are cached and parsed."""
        for secret in self._in_answers:
            if secret in body:
                body = body.replace(secret, BLOT.encode())
        return body


def _replace(text: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, BLOT)
    return text

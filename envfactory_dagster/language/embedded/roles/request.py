"""Reading a person's request: its parts in order, and the values each of them names.

Belongs here: splitting text, and finding days, times, numbers, quotes, codes and names in it. Does not: what tools
there are (`catalogue`).
"""

import re
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from envfactory_dagster.language.embedded.roles.words import stems

_MONTH_NAMES = "january february march april may june july august september october november december"
_MONTHS = _MONTH_NAMES.split()
_DAY = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)? ({'|'.join(_MONTHS)}),? (\d{{4}})|({'|'.join(_MONTHS)}) (\d{{1,2}}),? (\d{{4}})"
    r"|(\d{4})-(\d{2})-(\d{2}))(?:(?:,? at |,? |T)(\d{1,2}:\d{2})(?::\d{2})?)?",
    re.IGNORECASE,
)
_QUOTE = re.compile(r"[\"“”]([^\"“”]+)[\"“”]")
_CODE = re.compile(r"(?<![\w-])[A-Za-z]{1,5}-\d+[\w-]*")
_PHONE = re.compile(r"\+\d[\d-]{6,}")
_NUMBER = re.compile(r"(?<![\w.+:-])-?\d+(?:\.\d+)?(?![\w:-]|\.\d)")
_NAME = re.compile(r"\b[A-Z][\w'’]*(?:[ -](?:of |the |and |on )?[A-Z0-9][\w'’]*)*")
_RANGE = re.compile(r"\b(?:between|from|since) ")
_OPENING = re.compile(r"^[^.:;?!]{0,60}:\s+")
_LEADING = re.compile(
    r"^(?:\W|(?:please|then|and|also|after that|once that is done|lastly|finally|first|next|besides|as well|"
    r"beside that|for my records|i want to tidy up|before anything changes|"
    r"could you|can you|would you|i(?:'d| would) like you to|i need you to|when done|afterwards|in addition)\b[,:]?)+",
    re.IGNORECASE,
)
_ASKING = (
    r"(?:tell(?! (?:them|him|her|it)\b)|let me know|show me|find out|work out|give me|i(?:'d| would) like to know|"
    r"i want to know|i (?:also )?need to know|add(?= (?:what|how)\b)|"
    r"(?:say|report)(?: also)?(?= (?:what|which|who|when|where|how|on|at|in)\b))"
)
_QUESTION = re.compile(
    rf"^(?:{_ASKING}\b|what|which|who|whom|whose|when|where|how|(?:on|at|in|by|until|from|for) (?:which|what|when)\b)",
    re.IGNORECASE,
)
_BARE_ASKING = re.compile(rf"^{_ASKING}(?: (?:also|too))?$", re.IGNORECASE)
_DOING = (
    r"(?:accept|acknowledge|add|adopt|apply|approve|archive|ask|assign|block|book|buy|call|cancel|change|check|clear|close|"
    r"confirm|copy|create|decline|delete|dismiss|draw|enrol|enter|file|find|follow|get|give|hand|have|hold|invite|join|"
    r"leave|lend|let|lift|make|mark|merge|move|mute|name|note|open|order|pass|pause|pay|pin|place|plan|pledge|post|put|"
    r"raise|rate|record|redirect|register|release|remove|rename|reopen|report|request|reserve|resume|return|save|schedule|"
    r"send|set|share|sign|start|stop|submit|swap|switch|take|transfer|turn|unblock|update|withdraw|write)"
)
"""Verbs that people ask for things with."""
_BREAK = re.compile(
    rf";\s+|(?<=[.?!])\s+(?=[A-Z“\"])|,\s+(?:and\s+)?(?:then|finally|lastly|also|after that)\b[,:]?\s*"
    rf"|,\s+(?:and\s+)?(?={_DOING}\s+(?:[A-Z\d“\"+]|(?:me|my|the|an?|any|off|from|down|up|to|it|all|one|in)\b))"
    rf"|,?\s+and (?:then|finally|also)\b\s*|,\s+(?:and\s+)?(?={_ASKING}\b)|\s+and (?={_ASKING}\b)|;\s*also\b",
    re.IGNORECASE,
)
_SAYINGS = (
    (re.compile(r"^take (?:me )(?:off|out of)\b", re.I), "leave release quit give up"),
    (re.compile(r"^take (.*) (?:off|out of)\b", re.I), r"remove \1 from"),
    (re.compile(r"^(?:put|sign) me (?:down|up)\b", re.I), "take join sign up"),
    (re.compile(r"\bput me (?:down|up) for\b", re.I), "take join sign up"),
    (re.compile(r"^take back\b", re.I), "withdraw"),
    (re.compile(r"^call off\b", re.I), "cancel"),
    (re.compile(r"^(?:ask to )?give back\b", re.I), "request return"),
    (re.compile(r"^get rid of\b", re.I), "remove"),
    (re.compile(r"\b(?:cannot|can't|can no longer)\b.*\bany ?more\b", re.I), "block"),
    (re.compile(r"\bmoney back\b", re.I), "refund reimbursement"),
    (re.compile(r"^let (.*) again\b", re.I), r"lift block \1"),
)
"""Verbs of several words, as the verbs of one word that tools are named by."""
_DENIED = re.compile(r"\b(?:not|never|n't)\s+((?:been |be |yet |already )*[a-z]+)")
_AFTER = re.compile(r"\b(?:after|later than) today\b", re.IGNORECASE)
_NEW = re.compile(
    r"\bnew to me\b|\bI (?:have|had) (?:no|not|never)\b|\bI (?:do not|don't|have not|haven't)\b"
    r"|\bnot (?:one )?of mine\b",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"\b(?:what|which) ((?!is\b|are\b|was\b|were\b)[a-z]+(?: [a-z]+)?) ((?:most of )?(?:my|the|this) .+)", re.IGNORECASE
)
_TITLE = re.compile(r"\b(?:my|the|our|this) (?:[a-z]+ ){1,3}[\"“]([^\"“”]+)[\"”]")
_LIMIT = re.compile(r"\b(?:at most|no more than|up to|less than|under) (\d+(?:\.\d+)?)")
_ADDRESS = re.compile(r"\d+ [A-Z]\w+ \w+(?:, [A-Z]\w+)?")
_IT = re.compile(
    r",?\s+and (?!I\b|that\b|which\b)([a-z]+) "
    r"((?!me\b|my\b)(?:[^,;.]{0,60}? (?:into|in|to|for|on|onto|from) )?(?:it|them)\b)"
)
_IDLE = re.compile(
    r"^(?:that(?: is|'s| will be| would be)? (?:all|it|everything)|(?:there is |that's |i need )?nothing (?:else|more)|"
    r"thank|thanks|many thanks|no hurry|hello|hi\b|good (?:morning|day|evening))",
    re.IGNORECASE,
)
"""What is said for politeness alone."""


@dataclass(frozen=True)
class Part:
    """One thing that is asked for, in its own words."""

    text: str
    now: str
    """The day and time it is said at."""
    about_before: bool = False
    """Whether it goes on about what the part before it was about."""

    @property
    def is_question(self) -> bool:
        return _QUESTION.match(self.text) is not None

    @cached_property
    def quotes(self) -> list[str]:
        return _QUOTE.findall(self.text)

    @cached_property
    def titles(self) -> list[str]:
        """Quotes that say what a thing is called: my ticket "Broken lamp"."""
        return [match[1] for match in _TITLE.finditer(self.text)]

    @cached_property
    def days(self) -> list[str]:
        found = [day for day, _ in self._moments]
        today = re.search(r"\btoday", self.text) is not None and not self.after_today
        return [*found, self.now[:10]] if today and self.now else found

    @cached_property
    def times(self) -> list[str]:
        """Moments in full, where day and time are said together."""
        return [f"{day}T{clock.zfill(5)}:00" for day, clock in self._moments if clock]

    @cached_property
    def is_range(self) -> bool:
        return len(self._moments) > 1 and _RANGE.search(self.text) is not None and "move" not in self.text.lower()

    @cached_property
    def codes(self) -> list[str]:
        return [*_CODE.findall(self._bare), *_PHONE.findall(self.text)]

    @cached_property
    def numbers(self) -> list[tuple[float, str]]:
        """Each with the words just around it."""
        bare = re.sub(r"\bof us\b", "people party", _PHONE.sub(" ", _CODE.sub(" ", self._bare)))
        return [(float(m[0]), bare[max(0, m.start() - 25) : m.end() + 25]) for m in _NUMBER.finditer(bare)]

    @cached_property
    def names(self) -> list[str]:
        """Words with capitals, the first word of the sentence aside."""
        bare = _CODE.sub(" ", self._bare)
        found = [m[0] for m in _NAME.finditer(bare) if m.start() > 0]
        return [name for name in dict.fromkeys(found) if name not in ("I", "YYYY-MM-DD") and "YYYY" not in name]

    @cached_property
    def stems(self) -> list[str]:
        """What it is about, without the values it names."""
        return stems(self._plain)

    @cached_property
    def verb(self) -> str:
        """What it begins with, where that is a verb that tools may be named by."""
        first = stems(self._plain.split()[0]) if self._plain.split() else []
        return first[0] if first else ""

    @property
    def particle(self) -> str:
        """The verb it begins with, where that has two words: take over, call off."""
        match = re.match(r"[a-z]+ (?:over|off|down|up|out|back|away|in)\b", self.text.lower())
        return match[0] if match is not None else ""

    @cached_property
    def _plain(self) -> str:
        """Without values, and with plain verbs."""
        bare = _CODE.sub(" ", self._bare)
        for name in self.names:
            bare = bare.replace(name, " ")
        for saying, plainly in _SAYINGS:
            bare = saying.sub(plainly, bare)
        return bare

    @cached_property
    def is_mine(self) -> bool:
        return re.search(r"\b(?:my|mine|i|me)\b", self.text, re.IGNORECASE) is not None

    @property
    def is_mine_at_all(self) -> bool:
        return re.search(r"\b(?:my|mine|I)\b", self.text) is not None

    @cached_property
    def spoken(self) -> set[str]:
        """Every word outside quotes just as it was said, in small letters."""
        return set(re.findall(r"[a-z]+", _DENIED.sub(" ", self._bare.lower())))

    @cached_property
    def denied(self) -> set[str]:
        """The words that it says do not hold: "that has not been shipped yet"."""
        return {word for match in _DENIED.finditer(self._bare.lower()) for word in re.findall(r"[a-z]+", match[1])}

    @property
    def counts(self) -> bool:
        before, how_many, _ = self.text.lower().partition("how many")
        return bool(how_many) and re.search(r"\b(?:which|what|who)\b", before) is None

    @cached_property
    def wants_new(self) -> bool:
        """Whether what the person has already is ruled out."""
        return _NEW.search(self.text) is not None

    @cached_property
    def is_free(self) -> bool:
        """Whether the person leaves a choice."""
        said = re.sub(r"\b(?:without|not|nor) any\b", " ", self._bare.lower())
        return re.search(r"\b(?:any|either|whichever|whatever|some)\b", said) is not None

    @cached_property
    def address(self) -> str | None:
        match = _ADDRESS.search(self.text)
        return match[0] if match is not None else None

    @cached_property
    def target(self) -> "Part | None":
        """Of two days the second one's part, where something goes from the one to the other."""
        if len(self._moments) != 2 or self.is_range:
            return None
        before, to, after = self.text.rpartition(" to ")
        return replace(self, text=after) if to and _DAY.search(before) and _DAY.search(after) else None

    @cached_property
    def limit(self) -> float | None:
        """What it may cost at most."""
        match = _LIMIT.search(self.text)
        return float(match[1]) if match is not None else None

    @cached_property
    def called(self) -> list[str]:
        """Everything it names: words in quotes, codes, names."""
        street = self.address or ""
        return [one for one in dict.fromkeys([*self.quotes, *self.codes, *self.names]) if one not in street]

    @cached_property
    def attribute(self) -> tuple[str, "Part"] | None:
        """ "What duty my next watch is for" asks for the duty of a watch: what is asked, and a part about it."""
        match = _ATTRIBUTE.search(self.text)
        if match is None:
            return None
        return match[1], replace(self, text=f"{self.text[: match.start()]} {match[2]}".strip())

    @cached_property
    def after_today(self) -> bool:
        return _AFTER.search(self.text) is not None

    @cached_property
    def all_stems(self) -> set[str]:
        return set(stems(self.text))

    @cached_property
    def _bare(self) -> str:
        """Without days and quotes."""
        return _QUOTE.sub(" ", _DAY.sub(" ", self.text))

    @cached_property
    def _moments(self) -> list[tuple[str, str]]:
        found = []
        for match in _DAY.finditer(self.text):
            d, m, y, month, day, year, iso_y, iso_m, iso_d, clock = match.groups()
            if iso_y:
                numbers = int(iso_y), int(iso_m), int(iso_d)
            else:
                numbers = int(y or year), _MONTHS.index((m or month).lower()) + 1, int(d or day)
            try:
                found.append((date(*numbers).isoformat(), clock or ""))
            except ValueError:
                continue  # no day of any calendar
        return found


def parts(text: str, now: str) -> list[Part]:
    """What is asked for, one thing after the other."""
    hidden, quotes = _without_quotes(text)
    hidden = _OPENING.sub("", hidden.strip())
    found: list[Part] = []
    for piece in _BREAK.split(hidden):
        said = _LEADING.sub("", piece.strip()).strip(" .;,")
        if len(said.split()) < 2 or _IDLE.match(said) or _BARE_ASKING.match(said):
            continue
        before, *after = _split_at_it(said)
        for number, words in enumerate([before, *after]):
            part = Part(_with_quotes(words, quotes), now, about_before=number > 0)
            found.append(_of_the_same(part, found[-1]) if found else part)
    return found


def _of_the_same(part: Part, before: Part) -> Part:
    """A question that names nothing, right after something was to be done, is about that."""
    if not part.is_question or before.is_question or part.called or part.days or part.is_mine_at_all:
        return part
    return replace(part, text=f"{part.text} ({', '.join(before.names)})", about_before=True) if before.names else part


def _split_at_it(text: str) -> list[str]:
    match = _IT.search(text)
    if match is None or _QUESTION.match(text):
        return [text]
    return [text[: match.start()], f"{match[1]} {match[2]}{text[match.end() :]}"]


def _without_quotes(text: str) -> tuple[str, list[str]]:
    """Quotes may hold anything: they are kept aside while the text is split."""
    quotes: list[str] = []

    def hide(match: re.Match[str]) -> str:
        quotes.append(match[0])
        return f"\x00{len(quotes) - 1}\x00"

    return _QUOTE.sub(hide, text), quotes


def _with_quotes(text: str, quotes: list[str]) -> str:
    return re.sub("\x00(\\d+)\x00", lambda match: quotes[int(match[1])], text)

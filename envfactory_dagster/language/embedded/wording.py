"""Saying wishes as a person would: sentences made of what the service says it can do, and of the things it is about.

Belongs here: the answer to `graph_task_wording`. Does not: anything of the plan; a wish is worded from what it shows.
"""

import re
from collections.abc import Sequence

from envfactory_dagster.contracts.graph_tasks import (
    GraphTaskWordingAnswer,
    GraphTaskWordingContext,
    SaidSign,
    SaidValue,
    Telling,
    Thing,
    Wish,
)
from envfactory_dagster.contracts.trajectory import Criterion
from envfactory_dagster.language.nouns import plural

_LISTED = re.compile(r",? (?:optionally|if wanted|with (?:its|his|her|their|what|the number)\b).*$")
_FOR_ME = re.compile(r"\bfor the signed-in [\w-]+(?=$|[,.; ])")
_MY_OWN = re.compile(r"\bthe (\w+) of the signed-in [\w-]+(?=$|[,.; ])")
_OF_MINE = re.compile(r" of the signed-in [\w-]+(?=$|[,.; ])")
_MINE = re.compile(r"the signed-in [\w-]+(?: [\w-]+)?'s")
_ME = re.compile(r"the signed-in [\w-]+")
_NAMES = frozenset(("name", "title"))
_QUANTITIES = frozenset(("quantity", "amount", "count", "pieces", "units"))
_DONE = frozenset(("bought", "built", "found", "held", "kept", "lent", "made", "met", "paid", "read", "sent", "sold"))
"""What was done, where the word does not end as most do."""
_PREPOSITIONS = ("on ", "from ", "until ", "since ")


def word(context: GraphTaskWordingContext, seed: int) -> GraphTaskWordingAnswer:
    said = [_wish(wish) for wish in context.wishes]
    criteria = [_criterion(number, each) for number, each in enumerate(said, 1)]
    return GraphTaskWordingAnswer(text=_together(said), rubric=[*criteria, _NOTHING_ELSE])


_NOTHING_ELSE = Criterion(id="nothing_else", text="Nothing else was changed.")


def _criterion(number: int, said: str) -> Criterion:
    if said.startswith("tell me "):
        return Criterion(id=f"wish_{number}", text=f"The answer tells {said.removeprefix('tell me ')}.")
    return Criterion(id=f"wish_{number}", text=f"This was done: {said}.")


def _together(said: Sequence[str]) -> str:
    first, *others = said
    if not others:
        return f"Please {first}."
    *middle, last = others
    return " ".join([f"Please {first}.", *(f"Then {each}." for each in middle), f"Finally, {last}."])


# -- wishes ------------------------------------------------------------------------------------------------------------


def _wish(wish: Wish) -> str:
    return _deed(wish) if wish.telling is None else _question(wish, wish.telling)


def _deed(wish: Wish) -> str:
    """The purpose as a command, with things and values put where it speaks of them."""
    phrase = _command(wish.purpose)
    rest: list[SaidValue] = []
    for value in wish.values:
        phrase, found = _put_value(phrase, value)
        rest += [] if found else [value]
    for thing in wish.things:
        alone = thing.model_copy(update={"of": [other for other in thing.of if other not in wish.things]})
        phrase, found = _put(phrase, alone)
        if not found:
            phrase = f"{phrase}, namely {_thing(alone)}"
    return _with(phrase, rest)


def _command(purpose: str) -> str:
    first = re.split(r"[;:] |\.$", purpose.strip())[0]
    first = _OF_MINE.sub("", _MY_OWN.sub(r"my \1", _FOR_ME.sub("for me", _LISTED.sub("", first))))
    first = _spoken(first)
    return first[:1].lower() + first[1:]


def _spoken(text: str) -> str:
    """What is said of the person, said by the person."""
    text = _MINE.sub("my", text)
    text = re.sub(rf"(?:{_ME.pattern}|\bone) (is|has)\b", lambda m: "I am" if m[1] == "is" else "I have", text)
    text = re.sub(rf"(?:{_ME.pattern}|\bone) (will|can|\w+ed)\b", r"I \1", text)
    return re.sub(r"\bone's(?: own)?\b", "my", _ME.sub("me", text))


def _put_value(phrase: str, value: SaidValue) -> tuple[str, bool]:
    """The value in the place of "an amount", "some hours", "some of one" or "another time"."""
    if (chosen := _one_of_two(phrase, value)) is not None:
        return chosen, True
    what = re.escape(value.what)
    places = [
        (rf"\b(?:an?|any) {what}\b", _quoted(value)),
        (rf"\bsome {what}\b", f"{value.forms[0]} {value.what}"),
        *([(r"\bsome of (?:one|an?|the)\b", f"{value.forms[0]} of the")] if value.what in _QUANTITIES else []),
        *([(r"\banother time\b", value.forms[0])] if value.kind == "moment" else []),
    ]
    for pattern, said in places:
        if re.search(pattern, phrase):
            return re.sub(pattern, lambda _, said=said: said, phrase, count=1), True  # type: ignore[misc]
    return phrase, False


def _one_of_two(phrase: str, value: SaidValue) -> str | None:
    """ "Pause it, or resume it" and "enable or disable it" with what is to be done of the two."""
    said = value.forms[0]
    if match := re.match(r"(\w+) (.+), or (\w+) it$", phrase):
        return f"{said} {match[2]}" if said in (match[1], match[3]) else None
    match = re.match(r"(\w+) or (\w+) (.+)$", phrase)
    if match is None or value.kind != "flag" or not value.what.startswith(match[1]):
        return None
    return f"{match[1 if said == 'yes' else 2]} {match[3]}"


def _put(phrase: str, thing: Thing) -> tuple[str, bool]:
    """The thing in the place of "a …", "one of my …s" or "from one …"."""
    way, _, rest = thing.kind.partition(" ")
    if way in ("from", "to") and rest:
        place = re.search(rf"\b{way} (?:an?|one|another)(?: {re.escape(rest)})?\b", phrase)
        said = f"{way} {_thing(thing.model_copy(update={'kind': rest}))}"
    else:
        many, one = re.escape(plural(thing.kind)), re.escape(thing.kind)
        patterns = (
            rf"\bone of (?:my|the) (?:[\w-]+ )?{many}\b",
            rf"\b(?:an?|one|another) (?:[\w-]+ )?{one}\b",
            rf"\b(?:the|my) (?:own )?(?:[\w-]+ )?{one}\b",
        )
        place = next((found for pattern in patterns if (found := re.search(pattern, phrase))), None)
        said = _thing(thing)
        if place is not None and "my" in place[0].split():
            said = re.sub(r"^the\b", "my", said)
    return (phrase, False) if place is None else (phrase[: place.start()] + said + phrase[place.end() :], True)


def _question(wish: Wish, telling: Telling) -> str:
    thing = telling.thing
    if thing is not None and telling.how == "count":
        things = _things(thing)
        return f"tell me how many {things}" + ("" if " I " in things else " there are")
    if thing is not None and telling.how == "total":
        unit = ", in cents" if telling.kind == "money" else ""
        return f"tell me what the {plural(telling.what)} of all {_things(thing)} add up to{unit}"
    of_me = thing is not None and f"signed-in {thing.kind}" in thing.listed_by
    about = None if thing is None or of_me else _thing(thing)
    if about is None:
        mine = _MINE.search(wish.purpose) or _ME.search(wish.purpose)
        verb = telling.what.partition(" ")[0]
        asked = f"tell me my {telling.what}" if mine else f"tell me the {telling.what}"
        if mine and _doing(telling.what).startswith("was "):
            asked = f"tell me on which day I {verb}"
    elif telling.kind in ("day", "moment") and (doing := _doing(telling.what)):
        asked = f"tell me {'when' if telling.kind == 'moment' else 'on which day'} {about} {doing}"
    else:
        asked = f"tell me the {telling.what} of {about}"
    return _with(f"{asked} in cents" if telling.kind == "money" else asked, wish.values)


def _with(phrase: str, values: Sequence[SaidValue]) -> str:
    said = [_value(value) for value in values]
    direct = "".join(f" {each}" for each in said if each.startswith(_PREPOSITIONS))
    others = [each for each in said if not each.startswith(_PREPOSITIONS)]
    mark = " to " if phrase.startswith(("change ", "set ")) else ", with "
    return phrase + direct + (f"{mark}{_listed(others)}" if others else "")


# -- things and values -------------------------------------------------------------------------------------------------


def _things(thing: Thing) -> str:
    """All of a list, as the service describes it."""
    many = plural(thing.kind)
    described = re.search(rf"\b{re.escape(many)}( (?:that|I|who|which) [^,.;:]+)?", _spoken(thing.listed_by))
    which = (described[1] or "") if described else ""
    return many + (" of mine" if _is_mine(thing) else "") + which + _known_by(thing)


def _thing(thing: Thing) -> str:
    if thing.made_by_wish is not None:
        return f"the new {thing.kind}"
    if thing.every:
        return f"all {_things(thing)}"
    whose = "my" if _is_mine(thing) else "the"
    if len(thing.signs) == 1 and thing.signs[0].relation == "is" and thing.signs[0].what in _NAMES:
        return f"{whose} {thing.kind} “{thing.signs[0].forms[0]}”" + _known_by(thing.model_copy(update={"signs": []}))
    return f"{whose} {thing.kind}{_known_by(thing)}"


def _is_mine(thing: Thing) -> bool:
    many, one = re.escape(plural(thing.kind)), re.escape(thing.kind)
    of_me = rf"{_MINE.pattern} (?:[\w-]+ )?(?:{many}|{one})\b|\b(?:{many}|{one}) of {_ME.pattern}"
    return re.search(of_me, thing.listed_by) is not None


def _known_by(thing: Thing) -> str:
    parts = [_sign(sign) for sign in thing.signs]
    if thing.among:
        said = [_value(value) for value in thing.among]
        direct = [each for each in said if each.startswith(_PREPOSITIONS)]
        others = [each for each in said if not each.startswith(_PREPOSITIONS)]
        among = " ".join([*direct, *([f"with {_listed(others)}"] if others else [])])
        parts.append(f"among those {among}" if thing.signs else among)
    parts += [f"of {_thing(other)}" for other in thing.of]
    return "".join(f" {part}" for part in parts)


def _sign(sign: SaidSign) -> str:
    doing = _doing(sign.what)
    if sign.relation != "is":
        if sign.kind in ("day", "moment"):
            end = "first" if sign.relation == "least" else "last"
            return (
                f"that {doing} {end}" if doing else f"with the {'earliest' if end == 'first' else 'latest'} {sign.what}"
            )
        if sign.what.endswith("s"):
            return f"with the {'fewest' if sign.relation == 'least' else 'most'} {sign.what}"
        return f"with the {'lowest' if sign.relation == 'least' else 'highest'} {sign.what}"
    said = sign.forms[0]
    if sign.kind in ("day", "moment"):
        return f"that {doing} on {said}" if doing else f"with {sign.what} {said}"
    if sign.what in _NAMES:
        return f"called “{said}”"
    if sign.what.endswith(" name"):
        return f"of the {sign.what.removesuffix(' name')} “{said}”"
    return f"with {sign.what} “{said}”" if sign.kind == "text" and said != said.lower() else f"with {sign.what} {said}"


def _doing(what: str) -> str:
    """What "starts at", "pledged on" or "due on" says of a thing; empty where it says nothing."""
    verb, _, rest = what.partition(" ")
    if rest not in ("at", "on", "by"):
        return ""
    if verb == "due":
        return "is due"
    done = verb.endswith(("ed", "en")) or verb in _DONE
    return verb if verb.endswith("s") else f"was {verb}" if done else ""


def _value(value: SaidValue) -> str:
    said = _quoted(value)
    if value.kind == "flag":
        return value.what if said == "yes" else f"{value.what} not wanted"
    if value.kind in ("day", "moment"):
        return f"{_preposition(value.what)} {said}"
    first, _, rest = value.what.partition(" ")
    if first in ("least", "most") and rest:
        return f"{rest} at {first} {said}"
    return f"{said} {value.what}" if value.kind == "number" and value.what.endswith("s") else f"{value.what} {said}"


def _preposition(what: str) -> str:
    first, last = what.split()[0], what.split()[-1]
    if first.startswith(("start", "from", "begin")):
        return "from"
    if first.startswith(("end", "until", "due")) or first == "to":
        return "until"
    return "on" if last in ("day", "date", "on", "at") else what


def _quoted(value: SaidValue) -> str:
    said = value.forms[0]
    return f"“{said}”" if value.kind == "text" and (" " in said or said != said.lower()) else said


def _listed(parts: Sequence[str]) -> str:
    *front, last = parts
    return f"{', '.join(front)} and {last}" if front else last

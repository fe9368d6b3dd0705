"""The theme: a proposal from the pool worked out into a world with people, things and rules.

Belongs here: the prompt for it and its gate. Does not: where proposals come from (`discovery`).
"""

from pydantic import ValidationError

from envfactory_dagster.authoring import source_document as sources
from envfactory_dagster.authoring import texts
from envfactory_dagster.authoring.loop import Question, author, outcome
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.domain import Theme
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import ThemeAnswer, ThemeContext
from envfactory_dagster.contracts.stages import SOURCE_DOCUMENT, StageInput, StageOutcome
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role

INSTRUCTIONS = """\
You design small, self-contained worlds in which an assistant with tools will work for one person.

You are given a proposal. Work it out:
- `name`, `category`: keep those of the proposal.
- `description`: three to six sentences. Who uses the service, what it keeps records of, what happens to those records
  over time, what a member of the public can ask of it. Concrete and specific to this world; no marketing.
- `entities`: the kinds of things the service keeps records of, in the singular: three to five of them when `size` is
  `small`, fifteen to eighteen when it is `full`. The people it serves are one of them.
- `rules`: exactly as many as `rules` in the context asks for. Each is one sentence that software can check against the
  records and that sometimes forbids something a person may ask for: a deadline, a limit, a precondition, who may
  do what. It binds the person who asks, not the staff. Use numbers, in digits. Each has an `id` in snake_case.

The person is already known to the service: nothing about accounts, passwords or signing in. Everything happens
through an API: nothing about screens or buttons.
"""


class ThemeStage:
    name = "theme"
    upstream = ("proposal", SOURCE_DOCUMENT)
    code_version = content_hash(INSTRUCTIONS)[:12]

    def __init__(self, gateway: Gateway, settings: AuthoringSettings) -> None:
        self._gateway = gateway
        self._settings = settings

    def settings_hash(self) -> str:
        return self._settings.hash_for(self.name)

    async def make(self, stage_input: StageInput) -> StageOutcome:
        key = stage_input.partition
        pooled = PooledProposal.model_validate(stage_input.artifact("proposal"))
        sources.refuse_a_lost_document(pooled, stage_input)
        source = sources.shown_to(stage_input)
        size = self._settings.size
        context = ThemeContext(key=key, proposal=pooled.proposal, size=size, rules=self._settings.rules, source=source)
        made: list[Theme] = []

        async def gate(answer: ThemeAnswer) -> list[Problem]:
            try:
                theme = Theme(key=key, size=size, source=pooled.source, storage=pooled.storage, **answer.model_dump())
            except ValidationError as error:
                return [Problem(fault="answer", message=f"{e['loc']}: {e['msg']}") for e in error.errors()]
            made[:] = [theme]
            return problems_of(theme, self._settings.rules)

        authored = await author(
            self._gateway,
            Caller(self.name, key, Role.AUTHOR),
            Question("theme", ThemeAnswer, sources.with_source(INSTRUCTIONS, source, sources.FOR_THEME), context),
            gate,
            attempts=self._settings.attempts,
        )
        theme = made[0] if authored.value is not None else None
        if theme is None:
            return outcome(authored, None)
        rules = "\n".join(f"- {rule.text}" for rule in theme.rules)
        storage: dict[str, Json] = {} if theme.storage == "sqlite" else {"storage": theme.storage}
        return outcome(authored, theme, category=theme.category, description=theme.description, rules=rules, **storage)


def problems_of(theme: Theme, rules: int) -> list[Problem]:
    problems = []
    if abs(len(theme.rules) - rules) > 1:
        problems.append(Problem(fault="answer", message=f"{rules} rules were asked for, there are {len(theme.rules)}."))
    if len(theme.entities) < 3:
        problems.append(Problem(fault="answer", message="Name at least three entities."))
    if len(theme.description.split()) < 20:
        problems.append(Problem(fault="answer", message="The description is too short to build a world from."))
    written = [theme.description, *(rule.text for rule in theme.rules)]
    problems += [
        Problem(fault="answer", message=f"Leave out {found.group()!r}: the person is already known.", snippet=text)
        for text in written
        if (found := texts.SIGN_IN.search(text))
    ]
    return problems

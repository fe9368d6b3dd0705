"""What agents and simulated users are told before an episode begins.

Belongs here: the words, and what a user is told in them. Does not: what the loop does with the answers.
"""

import re
from dataclasses import dataclass

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.finish_tool import finish_name
from envfactory_dagster.contracts.synthesis import Conversation, TurnKind
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.rollouts.settings import Setting
from envfactory_dagster.truth.withholding import tools_left

STOP = "###STOP###"
"""What a simulated user says, and nothing else, when the conversation is over."""

SIMULATED_USER = "simulated_user"
GREETING = "Hello, what can I do for you?"

_AGENT = """\
You are the assistant of a service, at work for one signed-in person. You act through tools.
- Look things up before you change anything: ids and codes come from the tools, never from guessing.
- Fill in every required argument of a tool with a value that follows its schema.
- A tool may decline with an error. Where one of the service's rules stands against what the person wants, leave
  everything as it is and say which.
- Do what was asked, all of it, and nothing else.
"""

_WINDOW = """\
- Few of the latest messages stay visible. Write what you must remember into the text beside a tool call.
"""

_ENDING: dict[Setting, str] = {
    "single": """\
- Nobody answers questions. When everything is done, or cannot be done, call `{finish}` and nothing else: it hands in
  your report, which ends the work.
""",
    "conversation": """\
- When you need to know something that no tool can tell, ask the person. Do not ask and call tools in one message.
- When something is done, say so, together with the facts that were asked for. The person ends the conversation; then
  you are asked for your report, which you hand in with `{finish}`.
""",
}

_ENDING_IN_WORDS: dict[Setting, str] = {
    "single": """\
- Nobody answers questions. When everything is done, write one last message without a tool call: what was done, and the
  facts that were asked for, all of them.
""",
    "conversation": """\
- When you need to know something that no tool can tell, ask the person. Do not ask and call tools in one message.
- When something is done, say so, together with the facts that were asked for. The person ends the conversation.
""",
}

_REPORT = """\
- The report says what came of the request: `outcome`; the `answers` to what was asked, null where one is not due; the
  id of the rule as `reason` where a rule forbids it; and the `message` that the person reads, which says the same.
"""

_PERSON_CAN = """\
What the person can do, and you cannot: ask them for it where it is needed, and go on when it is done.
"""

_META = """\
- Call `list_tools` once, first of all; then use the service's tools through `call_tool`. Think before each call.
"""

_PERSON = f"""\
You play a person who talks to the assistant of a service. {{known}}
- Speak as people do, in the first person and briefly. Keep names, numbers and quoted words exactly as they are.
- A `goal` is a note on what to get across, not a line to read out: say it in words of your own.
{{how}}
- Invent nothing. What you were not told you do not know; ids inside the service you never know. Asked for something
  that you do not know, say so, and that it does not matter to you.
- Use your own tools only for what the assistant asks you to do yourself.
- When everything has been done or answered, or has been refused for good, say {STOP} and nothing else; never before
  that, and never together with a request. Thanks and farewells are not needed.
"""

_WITH_A_GOAL = _PERSON.format(
    known="""The JSON block below says what this person wants (`goal`);
it is all that the person knows.""",
    how="""\
- Bring up one thing at a time, and the next when that is settled. Give a detail when it is asked for or needed.""",
)

_IN_A_CONVERSATION = _PERSON.format(
    known="""The JSON block below says who this person is (`persona`), what has
come up (`scenario`), what they want in each of the `turns` of the conversation, and what they say only when asked
(`answers`); it is all that the person knows.""",
    how="""\
- Take the `turns` in their order, one at a time. One whose `when` is `next` you bring up as soon as the one before is
  settled: done, answered, or refused for good. One whose `when` is `asked` you keep to yourself until the assistant
  asks for what it says, or cannot go on without it; then it may also take back something you said before. One whose
  `when` is `refused` is for somebody who does not give up at once: you say it when what came before has been refused,
  ahead of anything else and before you stop. Where it was not refused, leave it out.
- What `answers` say you keep to yourself until the assistant asks for it. Then say what it asked for, no more.""",
)

_WHEN: dict[TurnKind, str] = {"wish": "next", "detail": "asked", "insist": "refused"}

OWN_WORDS = (
    "(That was read out. Say the same once more in words of your own, as this person would, and nothing else. Names,"
    " numbers and quoted words stay as they are.)"
)
"""What a user is told that recites, in place of what the assistant said. Nobody else sees it."""


@dataclass(frozen=True, slots=True)
class Brief:
    """All that a simulated user is told: what it wants, or how it brings that up, turn by turn."""

    context: dict[str, Json]
    in_turns: bool
    everything: str
    """Whatever it may say of itself, in one text."""
    has_parts: bool
    written: str
    """The task in the words in which it was written, which nobody is to read out."""

    @classmethod
    def of(cls, task: Task, clock: str, conversation: Conversation | None) -> "Brief":
        known: dict[str, Json] = {"now": clock, "stop": STOP}
        if conversation is None:
            parts = re.split(r"[.;?!]\s", task.text.strip())
            return cls({"goal": task.text, **known}, False, task.text, len(parts) > 1, task.text)
        turns = conversation.turns
        told: dict[str, Json] = {
            "scenario": conversation.scenario,
            "persona": conversation.persona,
            "turns": [{"goal": turn.goal, "when": _WHEN[turn.kind]} for turn in turns],
            "answers": list[Json](conversation.answers),
        }
        goals, written = [turn.goal for turn in turns], [turn.request for turn in turns]
        everything = " ".join([*goals, *conversation.answers])
        return cls(told | known, True, everything, len(turns) > 1, "\n".join(written))


def for_agent(
    bundle: Bundle,
    task: Task,
    protocol: Protocol,
    setting: Setting,
    *,
    window: int | None = None,
    reports: bool = True,
) -> str:
    """`window`: how many of the latest exchanges it is shown; None: all of them. `reports`: whether the agent ends with
    a report; without one it ends with its words to the person."""
    rules = "\n".join(f"- {rule.id}: {rule.text}" for rule in bundle.theme.rules)
    clock = bundle.states[task.state].clock
    finish = finish_name({tool.name for tool in bundle.tools})
    ending = _ENDING[setting].format(finish=finish) + _REPORT if reports else _ENDING_IN_WORDS[setting]
    how = _AGENT + (_WINDOW if window is not None else "") + (_META if protocol == "meta_tools" else "") + ending
    person = _what_the_person_can_do(bundle, task) if setting == "conversation" else ""
    return (
        f"{how}\nThe service: {bundle.theme.name}. {bundle.theme.description}\nIts rules:\n{rules}\n"
        f"{person}It is {clock} now."
    )


def _what_the_person_can_do(bundle: Bundle, task: Task) -> str:
    """The tools of the person with what each of them takes, so that the assistant can say what it needs done."""
    tools = tools_left(bundle.tools_of("user"), task)
    lines = "".join(f"- {tool.name}({_taken(tool)}): {tool.description}\n" for tool in tools)
    return f"{_PERSON_CAN}{lines}" if lines else ""


def _taken(tool: ToolDefinition) -> str:
    required = tool.inputSchema.get("required", [])
    return ", ".join(
        name if name in required else f"{name}, if wanted" for name in tool.inputSchema.get("properties", {})
    )


def report_due(finish: str) -> str:
    """What an agent is told that has come to its end, by its own word or another's, without a report."""
    return f"Now hand in your report with `{finish}`. Nothing else can be called any more."


def for_user(brief: Brief) -> str:
    block = orjson.dumps({"schema": SIMULATED_USER, "context": brief.context}).decode()
    return f"{_IN_A_CONVERSATION if brief.in_turns else _WITH_A_GOAL}\n```json\n{block}\n```"

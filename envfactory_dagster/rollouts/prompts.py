"""What agents and simulated users are told before an episode begins.

Belongs here: the words. Does not: what the loop does with the answers.
"""

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.rollouts.settings import Setting

STOP = "###STOP###"
"""What a simulated user says, and nothing else, when the conversation is over."""

SIMULATED_USER = "simulated_user"
GREETING = "Hello, what can I do for you?"

_AGENT = """\
You are the assistant of a service, at work for one signed-in person. You act through tools.
- Look things up before you change anything: ids and codes come from the tools, never from guessing.
- Fill in every required argument of a tool with a value that follows its schema.
- A tool may decline with an error. Where one of the service's rules stands against what the person wants, leave
  everything as it is and say why it cannot be done.
- Do what was asked, all of it, and nothing else.
- Few of the latest messages stay visible. Write what you must remember into the text beside a tool call.
"""

_ENDING: dict[Setting, str] = {
    "single": """\
- Nobody answers questions. When everything is done, write one last message without a tool call: what was done, and the
  facts that were asked for, all of them.
""",
    "conversation": """\
- When you need to know something that no tool can tell, ask the person. Do not ask and call tools in one message.
- When something is done, say so, together with the facts that were asked for so far. The person ends the conversation.
""",
}

_META = """\
- You have two tools. Call `list_tools` once, first of all; then use the service's tools through `call_tool`. Think
  before each call.
"""

_USER = f"""\
You play a person who talks to the assistant of a service. The JSON block below says what this person wants (`goal`);
it is all that the person knows.
- Speak as people do, in the first person and briefly. Keep names, numbers and quoted words exactly as they are.
- Bring up one thing at a time, and the next when that is settled. Give a detail when it is asked for or needed.
- Invent nothing. What the goal does not say you do not know; ids inside the service you never know.
- Use your own tools only for what the assistant asks you to do yourself.
- When everything has been done or answered, or has been refused for good, say {STOP} and nothing else.
"""


def for_agent(bundle: Bundle, task: Task, protocol: Protocol, setting: Setting) -> str:
    rules = "\n".join(f"- {rule.text}" for rule in bundle.theme.rules)
    clock = bundle.states[task.state].clock
    how = _AGENT + (_META if protocol == "meta_tools" else "") + _ENDING[setting]
    return (
        f"{how}\nThe service: {bundle.theme.name}. {bundle.theme.description}\nIts rules:\n{rules}\nIt is {clock} now."
    )


def for_user(task: Task, clock: str) -> str:
    context: dict[str, Json] = {"goal": task.text, "now": clock, "stop": STOP}
    block = orjson.dumps({"schema": SIMULATED_USER, "context": context}).decode()
    return f"{_USER}\n```json\n{block}\n```"

"""An environment whose tools have their worker lie to the supervisor.

Belongs here: lies that several tests need. Does not: a lie of one test alone, which stands there.
"""

from envfactory_dagster.runtime.session import Session
from tests.security.attack import prelude
from tests.support.tiny import INTEGER, STRING, schema, tiny, tool

LIAR = tiny(
    "liar",
    source=prelude({})
    + r"""
FINE = b'["ok",[false,[["ok",{},null,null]]]]'

def framed(data, blob=0):
    return struct.pack("<II", len(data), blob) + data

def answers_twice(env) -> dict:
    '''Answers, and answers again.'''
    channel().sendall(framed(FINE) * 2)
    time.sleep(3600)

def answers_and_begins_another(env) -> dict:
    '''Answers, and has the supervisor wait for the rest of something large.'''
    channel().sendall(framed(FINE) + struct.pack("<II", 10, 200 << 20) + bytes(1 << 20))
    time.sleep(3600)

def answers_and_keeps_busy(env) -> dict:
    '''Answers, and goes on computing.'''
    channel().sendall(framed(FINE))
    while True:
        pass

def answers_and_dies(env) -> dict:
    '''Answers, and ends its process.'''
    channel().sendall(framed(FINE))
    os._exit(0)

def will_answer(env, *, text: str) -> dict:
    '''Have the worker answer everything after this call with a text.'''
    replace_send(lambda message, blob: say(text))
    return {}

def will_save(env, *, megabytes: int) -> dict:
    '''Have the worker claim that every call wrote, and that its state is large.'''
    def lie(message, blob):
        channel().sendall(framed(b'["ok",null]', megabytes << 20) if blob else framed(FINE.replace(b"false", b"true")))
        for _ in range(megabytes if blob else 0):
            channel().sendall(bytes(1 << 20))
    replace_send(lie)
    return {}

def replace_send(lie):
    kind = MODULES["envfactory_dagster.runtime.frames"].Channel
    honest = kind.send
    def once(self, message, blob=b""):
        kind.send = lambda self, message, blob=b"": lie(message, blob)
        honest(self, message, blob)
    kind.send = once
""",
    definitions=[
        *(
            tool(name)
            for name in (
                "answers_twice",
                "answers_and_begins_another",
                "answers_and_keeps_busy",
                "answers_and_dies",
            )
        ),
        tool("will_answer", schema({"text": STRING})),
        tool("will_save", schema({"megabytes": INTEGER})),
    ],
)


async def works(session: Session) -> bool:
    """Whether calls are answered here."""
    return (await session.call("list_items")).ok

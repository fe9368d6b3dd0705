"""One request and its one answer: from the cache if it was ever paid, else within limits and budget, retried, booked.

Belongs here: the order of these steps. Does not: the steps themselves, each of which has a module.
"""

import asyncio
import logging
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

import orjson

from envfactory_dagster.contracts.errors import InfrastructureFault, KeyRefused, UsageError
from envfactory_dagster.language.books import BookEntry, Books
from envfactory_dagster.language.budget import Flight
from envfactory_dagster.language.dialect import REFUSALS, Dialect
from envfactory_dagster.language.ledger import LedgerRow
from envfactory_dagster.language.limits import RateLimits
from envfactory_dagster.language.messages import AnswerUnusable, Usage
from envfactory_dagster.language.prices import Price, load_prices, price_of
from envfactory_dagster.language.questions import AskedQuestion
from envfactory_dagster.language.replies import TokenCounts, billed
from envfactory_dagster.language.retry import backoff_s
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.language.wire import Endpoint, Fault

logger = logging.getLogger(__name__)

SLOW_ATTEMPTS = 2
"""An answer that took too long is asked for once more only: it may take as long again, and be billed each time."""

BYTES_PER_TOKEN = 4
"""For rate limits, where a guess will do. Budgets count a token per byte, which no tokenizer exceeds."""


class ParsedBody(Protocol):
    """What the exchange needs to know of a parsed body."""

    @property
    def usage(self) -> TokenCounts | None: ...

    @property
    def finish(self) -> str: ...


R = TypeVar("R", bound=ParsedBody)

_CLOSED = "The model gateway was closed while a call still waited; it was not sent."


@dataclass(frozen=True, slots=True)
class Request(Generic[R]):
    """A question, complete: what is sent, how its answer is read, and how it is kept."""

    row: LedgerRow
    """As it stands in the ledger if nobody lives to finish it."""
    path: str
    wish: Mapping[str, Any]
    most_tokens_out: int
    key: str
    recall: Callable[[], Awaitable[R | None]]
    """The answer from the cache."""
    read: Callable[[bytes], R]
    """A body as an answer; raises ValueError if it is none."""
    keep: Callable[[R], Mapping[str, bytes]]
    """What goes into the cache, by key."""
    asked: AskedQuestion | None = None
    """The structured question, which is kept with its answer."""

    def entry(self, row: LedgerRow, answers: Mapping[str, bytes]) -> BookEntry:
        return BookEntry(row, answers, (self.key, self.asked) if self.asked is not None else None)


@dataclass(frozen=True, slots=True)
class Answered(Generic[R]):
    reply: R
    usage: Usage
    cached: bool


class Exchange:
    """Everything that stands between a question and the wire."""

    def __init__(self, settings: LanguageSettings, endpoint: Endpoint, books: Books, first: Dialect) -> None:
        """`first`: how a model is asked of which nothing is known yet."""
        self._endpoint = endpoint
        self._settings = settings.limits
        self._limits_money = settings.budget.usd is not None
        self.books = books
        self._prices: Mapping[str, Price] = load_prices(settings.prices_path)
        self._limits = RateLimits(settings.limits)
        self._first = first
        self._dialects: dict[str, Dialect] = {}
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._failing: dict[str, LedgerRow] = {}
        """Rows of the calls under way that were sent for nothing so far, by id."""
        self._closed = False
        self._on_the_wire = 0
        self._landed = asyncio.Event()

    def dialect(self, model: str) -> Dialect:
        """How the endpoint wants to be asked, as far as it is known."""
        return self._dialects.get(model, self._first)

    async def close(self) -> None:
        """Send nothing more, wait for what was sent, book what calls that still wait used for nothing, and seal the
        ledger."""
        self._closed = True
        while self._on_the_wire:
            self._landed.clear()
            await self._landed.wait()
        for row in list(self._failing.values()):
            await self._book_failed(row, _CLOSED)
        await self.books.seal()

    async def answer(self, request: Request[R]) -> Answered[R]:
        """Raises UsageError, InfrastructureFault, BudgetExceeded or AnswerUnusable."""
        self._refuse_if_closed()
        reply = await request.recall()
        if reply is None:
            async with self._turn(request.key):
                reply = await request.recall()
                if reply is None:
                    return await self._pay(request)
        return await self._answer_from_cache(request, reply)

    def _turn(self, key: str) -> asyncio.Lock:
        """Identical questions at once: one is asked, the others find its answer in the cache."""
        lock = self._turns.get(key)
        if lock is None:
            lock = self._turns[key] = asyncio.Lock()
        return lock

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise InfrastructureFault(_CLOSED)

    async def book_cached(self, entry: BookEntry, finish: str) -> None:
        """A call that was answered from the cache."""
        await self.book_free(replace(entry, row=replace(entry.row, cached=True, finish_reason=finish)))

    async def book_free(self, entry: BookEntry) -> None:
        """A call that cost nothing, with the answers to keep."""
        row = replace(entry.row, outcome="answered", tokens_in=0, tokens_out=0, tokens_cached=0, cost_usd=0.0)
        await self.books.add(replace(entry, row=row))
        await self.books.seal_if_many()

    async def _answer_from_cache(self, request: Request[R], reply: R) -> Answered[R]:
        row = request.row
        if (failing := self._failing.get(row.id)) is not None:
            await self._book_failed(failing, "Another process got the answer before the next attempt.")
            row = replace(row, id=uuid.uuid4().hex)
        await self.book_cached(request.entry(row, {}), reply.finish)
        return Answered(reply, Usage(), cached=True)

    async def _pay(self, request: Request[R]) -> Answered[R]:
        try:
            return await self._asked_until_answered(request)
        except BaseException as error:  # the budget is spent, the gateway closed, the caller gone
            if (failing := self._failing.get(request.row.id)) is not None:
                await self._book_failed(failing, str(error) or "The caller went away before the next attempt.")
            raise

    def _note_failing(self, row: LedgerRow) -> None:
        """The budget counts at once what an attempt used for nothing: its row must come whichever way the call ends."""
        self._failing[row.id] = row

    async def _book_failed(self, row: LedgerRow, error: str) -> None:
        self._failing.pop(row.id, None)
        await self.books.add(BookEntry(replace(row, outcome="failed", error=error)))

    async def _asked_until_answered(self, request: Request[R]) -> Answered[R]:
        dialect = self.dialect(request.row.model)
        row = request.row
        failures, slow, started = 0, 0, time.perf_counter()
        while True:
            outcome, row = await self._attempt(request, dialect, row)
            if isinstance(outcome, Answered):
                self._dialects[request.row.model] = dialect
                await self.books.seal_if_many()
                return outcome
            refused = outcome.status in REFUSALS and outcome.whose != "answer"
            plainer = dialect.plainer(request.wish, outcome.said) if refused else None
            if plainer is not None:
                dialect = plainer
                continue
            failures, slow = failures + 1, slow + outcome.slow
            wait = self._wait(outcome, failures, slow)
            if wait is None:
                break
            self._note_failing(row)
            logger.info(
                "%s, attempt %d of %d: %s Waiting %.1f s.",
                request.row.model, failures, self._settings.attempts, outcome.message, wait,
            )  # fmt: skip
            await asyncio.sleep(wait)
            self._refuse_if_closed()  # who closes books what failed
            row = replace(row, retries=failures, seconds_lost=time.perf_counter() - started)
            self._note_failing(row)
        await self._book_failed(row, outcome.message)
        raise self._exception(outcome, request, failures)

    async def _attempt(
        self, request: Request[R], dialect: Dialect, row: LedgerRow
    ) -> tuple[Answered[R] | Fault, LedgerRow]:
        """What came of it, and the row with what it used for nothing."""
        # A copy, because it waits: the bytes that orjson makes hold up to 25 times their size for as long as they live.
        body = bytes(memoryview(orjson.dumps(dialect.speak(request.wish))))
        guess = len(body) // BYTES_PER_TOKEN + request.most_tokens_out
        async with self._limits.slot(guess) as admission:
            flight = self._flight(request, len(body), row)
            if (reply := await self._reserve(request, flight)) is not None:
                return await self._answer_from_cache(request, reply), row
            self._on_the_wire += 1
            try:
                outcome, row = await self._send(request, flight, body)
            except BaseException:
                self._failing.pop(row.id, None)
                await self.books.interrupt(flight)
                raise
            finally:
                self._on_the_wire -= 1
                self._landed.set()
            if isinstance(outcome, Answered):
                admission.tokens = outcome.usage.tokens_in + outcome.usage.tokens_out
            return outcome, row

    async def _reserve(self, request: Request[R], flight: Flight) -> R | None:
        """Wait for room; or get the answer, if another process was paid for it meanwhile.

        The cache is looked at after reserving: another process that finished before could not be seen any more, and
        one that has not finished yet would have kept us from reserving.
        """
        while True:
            self._refuse_if_closed()
            reserved = await self.books.reserve(flight)
            try:
                reply = await request.recall()
            except BaseException:
                if reserved:
                    await self.books.cancel(flight)
                raise
            if reply is not None and reserved:
                await self.books.cancel(flight)
            if reply is not None or reserved:
                return reply
            await asyncio.sleep(self.books.look_again_s)

    async def _send(self, request: Request[R], flight: Flight, body: bytes) -> tuple[Answered[R] | Fault, LedgerRow]:
        started = time.perf_counter()
        answer = await self._endpoint.send(request.path, body, request.row.model)
        row = replace(flight.row, seconds=time.perf_counter() - started)
        if isinstance(answer, Fault):
            if answer.may_be_billed:
                return answer, await self._waste(request, flight, None, len(body))
            await self.books.cancel(flight)
            return answer, flight.row
        try:
            reply = request.read(answer)
        except ValueError as error:
            wasted = await self._waste(request, flight, billed(answer), len(body))
            return self._endpoint.malformed(answer, error), wasted
        return await self._settle(request, flight, row, reply, TokenCounts.most(len(body), len(answer))), row

    async def _waste(
        self, request: Request[R], flight: Flight, counts: TokenCounts | None, bytes_sent: int
    ) -> LedgerRow:
        """A provider bills what it worked on, also when no answer came of it: what it says it used counts, or else all
        that was reserved."""
        most = TokenCounts(prompt_tokens=bytes_sent, completion_tokens=request.most_tokens_out)
        usage = self._usage(request.row.model, counts or most)
        await self.books.waste(flight, usage.cost_usd or 0.0, usage.tokens_in + usage.tokens_out)
        return flight.row.using(usage, estimated=counts is None)

    async def _settle(
        self, request: Request[R], flight: Flight, row: LedgerRow, reply: R, most: TokenCounts
    ) -> Answered[R]:
        """Answer, ledger row and money together."""
        usage = self._usage(request.row.model, reply.usage or most)
        row = replace(row.using(usage, estimated=reply.usage is None), outcome="answered", finish_reason=reply.finish)
        entry = request.entry(row, request.keep(reply))
        await self.books.settle(flight, entry, usage.cost_usd or 0.0, usage.tokens_in + usage.tokens_out)
        self._failing.pop(row.id, None)
        return Answered(reply, usage, cached=False)

    def _usage(self, model: str, counts: TokenCounts) -> Usage:
        tokens = (counts.prompt_tokens, counts.tokens_out, counts.cached_tokens)
        price = price_of(model, self._prices)
        return Usage(*tokens, cost_usd=price.cost(*tokens) if price else None)

    def _flight(self, request: Request[R], most_tokens_in: int, row: LedgerRow) -> Flight:
        price = price_of(request.row.model, self._prices)
        if price is None and self._limits_money:
            model = request.row.model
            raise UsageError(
                f"A budget in dollars is set, but the price of {model!r} is not known. Add it to a price table "
                f"(`{model}: {{input: 0.5, output: 1.5}}`, dollars per million tokens) and name the file in "
                "ENVFACTORY_PRICES, or limit tokens with ENVFACTORY_BUDGET_TOKENS instead."
            )
        usd = price.cost(most_tokens_in, request.most_tokens_out) if price else 0.0
        return Flight(request.key, usd, most_tokens_in + request.most_tokens_out, row)

    def _wait(self, fault: Fault, failures: int, slow: int) -> float | None:
        """Seconds until the next attempt, or None if there is none."""
        if not fault.transient or failures >= self._settings.attempts or slow >= SLOW_ATTEMPTS:
            return None
        wait = fault.retry_after_s
        if wait is None:
            return backoff_s(self._settings.backoff_s, failures)
        return wait if wait <= self._settings.longest_wait_s else None

    def _exception(self, fault: Fault, request: Request[R], failures: int) -> Exception:
        if fault.whose == "usage":
            return KeyRefused(fault.message) if fault.status in (401, 403) else UsageError(fault.message)
        if fault.whose == "answer":
            return AnswerUnusable(
                text="",
                problem=fault.message,
                usage=Usage(),
                cached=False,
                model=request.row.model,
                final=fault.final,
            )
        asked = f" It asks to wait {fault.retry_after_s:.0f} s." if fault.retry_after_s else ""
        return InfrastructureFault(f"{fault.message}{asked} Attempts: {failures} of {self._settings.attempts}.")

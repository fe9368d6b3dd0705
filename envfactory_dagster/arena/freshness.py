"""Whether a task is new: it says nothing that is trained on or held out, nor what was asked before in the same words.

Belongs here: the texts that are taken, and finding the nearest of them. Does not: which texts these are.

Draws of one family are alike on purpose: they differ in what they are about. So what was only played before is asked
again by the same words alone; what was trained on, by anything that is as good as the same.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from envfactory_dagster.datasets.duplicates import words
from envfactory_dagster.language.embeddings import NearDuplicates
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller

_NO_COSINE = 2.0
"""Greater than any: such a pool takes everything."""


@dataclass
class TakenTexts:
    """What no new task may say. `threshold`: from this cosine on a task says what is trained on or held out."""

    gateway: Gateway
    caller: Caller
    threshold: float
    _trained: NearDuplicates = field(default_factory=lambda: NearDuplicates(_NO_COSINE))
    _asked: set[tuple[str, ...]] = field(default_factory=set)

    async def trained(self, texts: Mapping[str, str]) -> None:
        """By name: texts of tasks that are trained on or held out."""
        if texts:
            self._trained.admit(list(texts), await self._vectors(texts))

    def asked(self, texts: Iterable[str]) -> None:
        """Texts of tasks that were played in earlier rounds."""
        self._asked.update(tuple(words(text)) for text in texts)

    async def not_new(self, texts: Mapping[str, str]) -> dict[str, str]:
        """Of these: name → why it is not new."""
        found = {}
        said = set(self._asked)
        for name, text in texts.items():
            if (spoken := tuple(words(text))) in said:
                found[name] = "It was asked in the same words before."
            said.add(spoken)
        left = {name: text for name, text in texts.items() if name not in found}
        if left:
            for name, near in zip(left, self._trained.nearest(await self._vectors(left)), strict=True):
                if near is not None and near.cosine >= self.threshold:
                    found[name] = f"It says the same as {near.name}, cosine {near.cosine:.2f}."
        return found

    async def _vectors(self, texts: Mapping[str, str]) -> list[list[float]]:
        return await self.gateway.embed(caller=self.caller, texts=list(texts.values()))

"""A mirror that was recorded is made from its folder alone: the document of its service lies there."""

from pathlib import Path
from typing import Any

from pydantic import SecretStr

from envfactory_dagster.authoring.discovery import DiscoverySettings, ThemePool, add_theme, expand_pool, read_service
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.requests import ThemeProposals
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.language.structured import response_format
from envfactory_dagster.language.wire import AsgiApp
from envfactory_dagster.library.app import LibraryApp
from envfactory_dagster.library.collection import Library
from envfactory_dagster.library.recording import record_world
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from tests.authoring.line_kit import line, proposal_of
from tests.authoring.mirror_kit import author, service, spec
from tests.support.alpine_author import RULES, STATES, alpine_author

KEY, TITLE = "hut-network", "Hut network"
AUTHORS = {role: "library" for role in Role if role is not Role.EMBEDDER}
SETTINGS = AuthoringSettings(states=STATES, rules_asked=RULES)


async def _line(app: AsgiApp, runtime: Runtime, home: Path, proposal: PooledProposal) -> dict[str, StageRecord]:
    async with line(app, runtime, home, SETTINGS) as stages:
        return await stages.run(proposal, until="tool_spec")


async def _recorded(runtime: Runtime, tmp_path: Path) -> dict[str, StageRecord]:
    """A mirror is made by a model, and recorded; the service is gone then."""
    target = service(tmp_path, spec())
    document = await read_service(target)
    proposal = proposal_of(KEY, TITLE, "Travel", "Mountain huts that hikers sleep in.")
    proposal = proposal.model_copy(update={"document": document})
    made = await _line(alpine_author(instead=author), runtime, tmp_path / "home", proposal)
    recorded = record_world(Home.resolve(tmp_path / "home"), KEY, tmp_path / "library")
    assert recorded.left_out == []
    Path(target).unlink()
    return made


async def test_a_recorded_mirror_is_made_again_by_its_title(runtime: Runtime, tmp_path: Path) -> None:
    made = await _recorded(runtime, tmp_path)
    app, settings = LibraryApp(Library(tmp_path / "library")), DiscoverySettings()
    models = LanguageSettings(base_url="http://model/v1", api_key=SecretStr("a-key"), models=AUTHORS)

    async with Gateway(models, tmp_path / "other", app=app) as gateway:
        named = await add_theme(gateway, ThemePool(Home.resolve(tmp_path / "other")), TITLE.upper(), settings)
        found = await expand_pool(gateway, ThemePool(Home.resolve(tmp_path / "third")), 1, settings)
    assert isinstance(named, PooledProposal)
    again = await _line(app, runtime, tmp_path / "other", named)

    assert [one.document for one in found.taken] == [named.document]
    assert named.document is not None and named.document.mirror
    assert named.proposal.document is None, "it is kept once"
    assert {name: record.reason for name, record in again.items() if record.status != "ok"} == {}
    assert _artifacts(again) == _artifacts(made)


def _artifacts(records: dict[str, StageRecord]) -> dict[str, dict[str, Any]]:
    """All but where the theme comes from: the first from a document, the other from a title."""
    made = {name: dict(record.artifact or {}) for name, record in records.items()}
    assert made["theme"].pop("source")
    return made


def test_no_model_is_asked_for_the_document_of_a_proposal() -> None:
    assert "document" not in str(response_format("theme_proposals", ThemeProposals))

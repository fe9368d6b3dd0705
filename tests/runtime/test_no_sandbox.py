"""Where a machine cannot confine code, nothing runs, unless that was asked for by name."""

import pytest

from envfactory_dagster.contracts.errors import SandboxUnavailable
from envfactory_dagster.runtime import lockdown
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings
from tests.support.tiny import tiny


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that offers no confinement."""
    why_not = "Darwin 24 on arm64 cannot confine untrusted code. … or set allow_unsandboxed …"
    nothing = lockdown.Capabilities(seccomp=False, landlock_abi=0, machine="Darwin 24 on arm64", why_not=why_not)
    monkeypatch.setattr(lockdown, "available", lambda: nothing)


@pytest.mark.usefixtures("elsewhere")
def test_without_a_sandbox_there_is_no_runtime() -> None:
    with pytest.raises(SandboxUnavailable, match=r"arm64 cannot confine .* set allow_unsandboxed"):
        Runtime()


@pytest.mark.usefixtures("elsewhere")
async def test_it_can_be_done_without_by_name() -> None:
    async with Runtime(RuntimeSettings(allow_unsandboxed=True)) as runtime, await runtime.open(tiny()) as session:
        assert (await session.call("place_order", {"item_id": 1})).ok
        assert len(await session.changes()) == 2

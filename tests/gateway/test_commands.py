"""`envfactory call`, and how commands fail."""

import json
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from envfactory_dagster.cli import main
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.loading import load_bundle
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from tests.support.tiny import tiny

Envfactory = Callable[..., tuple[object, str, str]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path / "home"))
    return Home.resolve()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny().write(tmp_path / "shop")


@pytest.fixture
def envfactory(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Envfactory:
    """Run a command line; its exit status, what it printed, what it complained of."""

    def run(*arguments: object) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", ["envfactory", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        captured = capsys.readouterr()
        return end.value.code or 0, captured.out, captured.err

    return run


def test_a_call_prints_its_answer_and_the_rows_it_changes(envfactory: Envfactory, folder: Path) -> None:
    code, said, _ = envfactory("call", folder, "place_order", "item_id=2", "quantity=3")
    assert code == 0
    assert '"order_id": 1' in said
    assert "~ items 2: stock: 10000 → 9997" in said
    assert "+ orders 1: id=1, code='ORD-50001'" in said


def test_with_json_it_prints_one_object(envfactory: Envfactory, folder: Path) -> None:
    code, said, _ = envfactory("call", folder, "place_order", "item_id=2", "--json")
    result = json.loads(said)
    assert (code, result["outcome"], result["value"]["code"]) == (0, "ok", "ORD-50001")
    assert [(change["kind"], change["table"]) for change in result["changes"]] == [
        ("update", "items"),
        ("insert", "orders"),
    ]


def test_a_call_can_be_made_elsewhere_and_by_the_user(envfactory: Envfactory, folder: Path) -> None:
    _, said, _ = envfactory("call", folder, "list_items", "--state", "spring", "--json")
    assert len(json.loads(said)["value"]["items"]) == 5
    code, _, complaint = envfactory("call", folder, "confirm_order", "order_id=9", "--principal", "user")
    assert (code, complaint) == (1, "agent: there is no order 9\n")


def test_values_that_are_no_json_are_text(envfactory: Envfactory, folder: Path) -> None:
    code, _, complaint = envfactory("call", folder, "get_item", "item_id=three")
    assert code == 1
    assert "item_id" in complaint and "three" in complaint


def test_a_failed_call_is_an_object_too(envfactory: Envfactory, folder: Path) -> None:
    code, said, _ = envfactory("call", folder, "get_item", "item_id=999", "--json")
    assert code == 1
    assert json.loads(said) == {
        "outcome": "agent",
        "value": None,
        "error": "there is no item 999",
        "note": None,
        "changes": [],
    }


def test_an_environment_is_found_by_folder_by_key_and_as_an_example(home: Home, folder: Path) -> None:
    BundleStore(home).keep(tiny("stored-shop"))
    assert load_bundle(str(folder)).key == "tiny-shop"
    assert load_bundle("stored-shop").key == "stored-shop"
    assert load_bundle("alpine-huts").key == load_bundle("alpine_huts").key == "alpine-huts"
    with pytest.raises(UsageError, match=r"stored-shop, alpine_huts \(example\)"):
        load_bundle("nowhere")
    with pytest.raises(UsageError, match="nowhere"):
        load_bundle("../nowhere")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["call", "nowhere", "get_item"], 2, "There is no environment 'nowhere'"),
        (["call", "{folder}", "get_item", "item_id"], 2, "NAME=VALUE"),
        (["call", "{folder}", "get_item", "--state", "winter"], 2, "it has: initial, spring"),
        (["call", "{broken}", "get_item"], 1, "does not match the hash"),
        (["serve", "nowhere"], 2, "There is no environment 'nowhere'"),
        (["serve", "{folder}", "{folder}", "--stdio"], 2, "One environment at a time"),
        (["serve", "{folder}", "{folder}"], 2, "Two environments have the key 'tiny-shop'"),
        (["serve", "{folder}", "--max-sessions", "0"], 2, "at least one session"),
        (["serve", "{folder}", "--idle-seconds", "0"], 2, "more than 0 seconds"),
        (["serve", "{folder}", "--token-file", "{folder}/none"], 2, "cannot be read"),
        (["serve", "{folder}", "--host", "0.0.0.0"], 2, "or say --no-token"),
        (["serve", "{folder}", "--host", "no.such.host.invalid", "--no-token"], 2, "Cannot listen"),
        (["serve", "{folder}", "--stdio", "--state", "winter"], 2, "it has: initial, spring"),
        (["serve", "{broken}"], 1, "does not match the hash"),
        (["serve", "{unloadable}", "--port", "0"], 1, "tiny-shop does not load"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    envfactory: Envfactory, folder: Path, tmp_path: Path, arguments: list[str], code: int, says: str
) -> None:
    broken = tiny().write(tmp_path / "broken")
    (broken / "tools.py").write_text("tampered with")
    unloadable = tiny(source="def broken(:\n").write(tmp_path / "unloadable")
    filled = [argument.format(folder=folder, broken=broken, unloadable=unloadable) for argument in arguments]
    ended, _, complaint = envfactory(*filled)
    assert ended == code
    assert says in complaint
    assert complaint.startswith("envfactory: ")
    assert complaint.count("\n") == 1


def test_a_port_in_use_is_said_in_one_sentence(envfactory: Envfactory, folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        code, _, complaint = envfactory("serve", folder, "--port", other.getsockname()[1])
    assert code == 2
    assert "Address already in use" in complaint


def test_every_command_is_described(envfactory: Envfactory) -> None:
    code, said, _ = envfactory("--help")
    assert code == 0
    for command in ("serve", "call"):
        assert command in said
        assert envfactory(command, "--help")[0] == 0


def test_help_needs_nothing_heavy() -> None:
    heavy = ("mcp", "fastapi", "dagster", "apsw", "polars")
    program = f"import sys; import envfactory_dagster.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

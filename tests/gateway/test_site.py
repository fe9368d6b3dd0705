"""Pages beside the environments that they play in."""

from pathlib import Path

import pytest

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.runtime.gateway.settings import GatewaySettings
from tests.gateway.conftest import Serve


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("secret")
    site = tmp_path / "site"
    (site / "deep").mkdir(parents=True)
    (site / "index.html").write_text("the index")
    (site / "deep" / "page.html").write_text("a page")
    (site / "link.txt").symlink_to(tmp_path / "secret.txt")
    return site


async def test_pages_are_served_and_nothing_outside_their_folder(serve: Serve, folder: Path) -> None:
    async with serve(site=folder) as gateway:
        assert (await gateway.rest.get("/site/")).text == "the index"
        page = await gateway.rest.get("/site/deep/page.html")
        assert (page.text, page.headers["content-type"]) == ("a page", "text/html; charset=utf-8")
        for path in ("/site/none.html", "/site/../secret.txt", "/site/%2e%2e/secret.txt", "/site/link.txt"):
            answer = await gateway.rest.get(path)
            assert answer.status_code == 404 and "secret" not in answer.text, path
        for headers in ({"host": "evil.example"}, {"origin": "null"}):
            assert (await gateway.rest.get("/site/", headers=headers)).status_code in (403, 421)
        assert (await gateway.rest.get("/environments")).json()[0]["key"] == "tiny-shop"


def test_a_folder_that_is_no_site_and_a_token_beside_one_are_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"no index\.html"):
        GatewaySettings(site=folder / "deep")
    with pytest.raises(UsageError, match="without one"):
        GatewaySettings(site=folder, token="a")

"""The key and the password of an address are nowhere but in the Authorization header."""

import base64
import html
import logging
import traceback
from urllib.parse import quote

import pytest
from language_kit import KEY, ask, settings_for
from played_endpoint import fails, says, sends_raw

from envfactory_dagster.contracts.errors import EnvFactoryError, UsageError
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.redaction import BLOT, Secrets
from envfactory_dagster.language.settings import LanguageSettings

PASSWORD = "opensesame-93b1"


def everything_written(home):
    return b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())


def everything_told(error):
    """What any log or user interface can show of an exception, and of all it drags along."""
    seen = []
    while error is not None:
        seen += [str(error), repr(error), repr(error.args), repr(vars(error))]
        seen += traceback.format_exception(error)
        error = error.__cause__ or error.__context__
    return "\n".join(seen)


@pytest.fixture
def log(caplog):
    caplog.set_level(logging.DEBUG)
    return caplog


async def test_the_key_travels_in_the_header_alone(endpoint, gateway_to, tmp_path, log):
    endpoint.always = says(f'{{"name": "{KEY}", "price": 4}}')
    async with gateway_to() as gateway:
        answer = await ask(gateway)
        assert KEY.encode() not in everything_written(tmp_path)
    assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(answer) and KEY not in log.text
    assert KEY.encode() not in everything_written(tmp_path)


@pytest.mark.parametrize(
    "fault",
    [
        fails(401, f"Incorrect API key provided: {KEY}"),
        fails(404, f"no model for {KEY}"),
        fails(400, f"bad request by {KEY}"),
        fails(500, f"boom {KEY}"),
        fails(429, ("x" * 170) + KEY),
        sends_raw(f"<html>{KEY}</html>", kind="text/html"),
        sends_raw(f'{{"echo": "{KEY}"}}'),
        sends_raw(f"cut off {KEY}"),
    ],
)
async def test_an_endpoint_that_echoes_the_key_gives_nothing_away(endpoint, gateway_to, tmp_path, log, fault):
    endpoint.always = fault
    with pytest.raises(EnvFactoryError) as caught:
        async with gateway_to(limits={"attempts": 2}) as gateway:
            await ask(gateway)
    told = everything_told(caught.value)
    for piece in (KEY, KEY[:16]):
        assert piece not in told and piece not in log.text
        assert piece.encode() not in everything_written(tmp_path)


LONG_KEY = "sk-proj/Ab3+dEf&Gh1/jKl<mN0pQr5tUv9wXyZ-77=="


@pytest.mark.parametrize(
    "written",
    [
        LONG_KEY.replace("/", "\\/"),
        quote(LONG_KEY, safe=""),
        quote(LONG_KEY, safe="").lower(),
        html.escape(LONG_KEY),
        "".join(f"\\u{ord(character):04x}" for character in LONG_KEY),
        base64.b64encode(LONG_KEY.encode()).decode(),
        base64.b64encode(b"u" + LONG_KEY.encode()).decode(),
        base64.b64encode(b"u:" + LONG_KEY.encode() + b"x").decode(),
        LONG_KEY[2:-2],
        LONG_KEY[:14] + "…" + LONG_KEY[-14:],
    ],
)
def test_a_key_is_blotted_in_every_form(written):
    secrets = Secrets(LONG_KEY, None)
    told, answer = secrets.blot(f"say {written} now"), secrets.blot_answer(f'{{"é": "{written}"}}'.encode()).decode()
    for text in (told, answer):
        assert BLOT in text
        assert not any(written[at : at + 16] in text for at in range(len(written) - 15))
    assert told.startswith("say ") and answer.startswith('{"é": "')


@pytest.mark.parametrize("status", [401, 403])
async def test_the_body_of_a_refused_key_is_not_quoted_at_all(endpoint, gateway_to, tmp_path, status):
    endpoint.always = fails(status, f"insufficient_quota, in a form that nobody foresaw: {KEY[::-1]}")
    with pytest.raises(UsageError, match="it refuses the key") as caught:
        async with gateway_to() as gateway:
            await ask(gateway)
    assert KEY[::-1] not in everything_told(caught.value)
    assert KEY[::-1].encode() not in everything_written(tmp_path)


async def test_a_login_in_the_address_is_sent_as_such_and_never_shown(endpoint, url, tmp_path, log):
    address = url.replace("http://", f"http://cook:{PASSWORD}@")
    endpoint.stage.append(fails(503, f"who is cook:{PASSWORD}?"))
    endpoint.always = fails(401, f"wrong {PASSWORD}")
    settings = settings_for(address, api_key=None)
    with pytest.raises(UsageError) as caught:
        async with Gateway(settings, tmp_path) as gateway:
            await ask(gateway)
    header = base64.b64encode(f"cook:{PASSWORD}".encode()).decode()
    assert endpoint.headers[0]["authorization"] == f"Basic {header}"
    assert settings.base_url == url
    for piece in (PASSWORD, header):
        assert piece not in everything_told(caught.value) + log.text + repr(settings)
        assert piece.encode() not in everything_written(tmp_path)


def test_settings_never_show_a_secret():
    settings = settings_for()
    assert KEY not in repr(settings) + str(settings) + settings.model_dump_json()


@pytest.mark.parametrize(
    "wrong",
    [
        {"ENVFACTORY_LLM_API_KEY": f"{KEY}\nX-Evil: 1"},
        {"ENVFACTORY_LLM_API_KEY": KEY},
        {"ENVFACTORY_LLM_API_KEY": KEY, "ENVFACTORY_LLM_BASE_URL": "nonsense"},
        {"ENVFACTORY_LLM_BASE_URL": f"ftp://me:{KEY}@host/v1"},
        {"ENVFACTORY_LLM_API_KEY": KEY, "ENVFACTORY_LLM_BASE_URL": "http://h/v1", "ENVFACTORY_BUDGET_USD": "x"},
    ],
)
def test_wrong_settings_are_explained_without_it(wrong):
    with pytest.raises(UsageError) as caught:
        LanguageSettings.from_environment(wrong)
    assert KEY not in everything_told(caught.value)


async def test_a_common_word_as_key_does_not_damage_answers(endpoint, gateway_to):
    endpoint.always = says('{"name": "EMPTY", "price": 4}')
    async with gateway_to(api_key="EMPTY") as gateway:
        assert (await ask(gateway)).value.name == "EMPTY"

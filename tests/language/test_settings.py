"""Settings, prices, and how long to wait: the small parts."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.prices import Price, load_prices, price_of
from envfactory_dagster.language.retry import LONGEST_BACKOFF_S, backoff_s, retry_after_s
from envfactory_dagster.language.settings import BUILT_IN_MODEL, REFERENCE, LanguageSettings, local_embedder


def players(settings: LanguageSettings) -> set[str]:
    return {settings.model(Role.SOLVER), settings.model(Role.USER)}


@pytest.mark.parametrize("variable", ["ENVFACTORY_SOLVER_MODEL", "ENVFACTORY_MODEL", None])
def test_with_no_endpoint_the_built_in_model_answers_and_the_reference_policy_plays(variable):
    settings = LanguageSettings.from_environment({variable: "built-in"} if variable else {})
    assert settings.base_url is None
    assert {settings.model(role) for role in (Role.AUTHOR, Role.JUDGE, Role.EMBEDDER)} == {BUILT_IN_MODEL}
    assert players(settings) == {REFERENCE}


def test_the_reference_policy_plays_beside_an_endpoint_where_it_is_named():
    named = {"ENVFACTORY_SOLVER_MODEL": "reference:competence=0.8", "ENVFACTORY_USER_MODEL": "reference"}
    settings = LanguageSettings.from_environment(ENDPOINT | {"ENVFACTORY_MODEL": "one"} | named)
    assert players(settings) == set(named.values())
    assert settings.model(Role.JUDGE) == "one"
    assert players(LanguageSettings.from_environment(ENDPOINT | {"ENVFACTORY_MODEL": "built-in"})) == {REFERENCE}


def test_everything_can_be_set_in_the_environment():
    settings = LanguageSettings.from_environment(
        {
            "ENVFACTORY_LLM_BASE_URL": "https://models.example/v1/",
            "ENVFACTORY_LLM_API_KEY": "sk-1234567890123456",
            "ENVFACTORY_AUTHOR_MODEL": "big",
            "ENVFACTORY_JUDGE_MODEL": "wise",
            "ENVFACTORY_LLM_CONCURRENCY": "4",
            "ENVFACTORY_LLM_REQUESTS_PER_MINUTE": "60",
            "ENVFACTORY_BUDGET_USD": "2.5",
            "ENVFACTORY_BUDGET_SINCE": "2026-11-01T00:00:00Z",
            "ENVFACTORY_BUDGET_TOKENS": "",
        }
    )
    assert settings.base_url == "https://models.example/v1"
    assert (settings.model(Role.AUTHOR), settings.model(Role.JUDGE)) == ("big", "wise")
    assert (settings.limits.concurrency, settings.limits.requests_per_minute) == (4, 60)
    assert (settings.budget.usd, settings.budget.tokens) == (2.5, None)
    assert settings.budget.since.year == 2026


ENDPOINT = {"ENVFACTORY_LLM_BASE_URL": "http://h/v1"}


def test_one_variable_sets_all_roles_that_chat_and_a_role_may_have_its_own():
    settings = LanguageSettings.from_environment(
        ENDPOINT | {"ENVFACTORY_MODEL": "one", "ENVFACTORY_JUDGE_MODEL": "wise"}
    )
    assert {role: settings.model(role) for role in Role} == {
        Role.AUTHOR: "one", Role.SOLVER: "one", Role.USER: "one", Role.JUDGE: "wise", Role.EMBEDDER: BUILT_IN_MODEL
    }  # fmt: skip


def test_the_embedder_is_the_built_in_one_unless_another_is_named():
    assert LanguageSettings.from_environment(ENDPOINT).model(Role.EMBEDDER) == BUILT_IN_MODEL
    named = LanguageSettings.from_environment(ENDPOINT | {"ENVFACTORY_EMBEDDER_MODEL": "small"})
    assert named.model(Role.EMBEDDER) == "small"


def test_roles_without_a_model_are_told_of_together_with_what_to_set():
    settings = LanguageSettings.from_environment(ENDPOINT | {"ENVFACTORY_AUTHOR_MODEL": "big"})
    settings.require(Role.AUTHOR, Role.EMBEDDER)
    with pytest.raises(UsageError) as caught:
        settings.require(*Role)
    assert str(caught.value) == (
        "No model is set for the roles solver, user, judge: set ENVFACTORY_MODEL to a model of http://h/v1 for all "
        "roles, or ENVFACTORY_SOLVER_MODEL, ENVFACTORY_USER_MODEL, ENVFACTORY_JUDGE_MODEL."
    )
    with pytest.raises(UsageError, match="ENVFACTORY_JUDGE_MODEL"):
        settings.model(Role.JUDGE)


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"ENVFACTORY_LLM_CONCURRENCY": "many"}, "ENVFACTORY_LLM_CONCURRENCY: Input should be a valid integer"),
        ({"ENVFACTORY_BUDGET_USD": "-1"}, "ENVFACTORY_BUDGET_USD: Input should be greater than or equal to 0"),
        ({"ENVFACTORY_BUDGET_SINCE": "2026-11-01T00:00:00"}, "ENVFACTORY_BUDGET_SINCE: Input should have timezone"),
        ({"ENVFACTORY_LLM_BASE_URL": "localhost:8000"}, "ENVFACTORY_LLM_BASE_URL: must look like https://host/v1"),
        ({"ENVFACTORY_LLM_BASE_URL": "http://h/v1?key=1"}, "without a query"),
        ({"ENVFACTORY_AUTHOR_MODEL": "gpt-5"}, "'gpt-5' needs an endpoint"),
        ({"ENVFACTORY_MODEL": "gpt-5"}, "or unset ENVFACTORY_MODEL"),
        ({"ENVFACTORY_EMBEDDER_MODEL": "small"}, "or unset ENVFACTORY_EMBEDDER_MODEL"),
        ({"ENVFACTORY_LLM_API_KEY": "sk-1"}, "an API key is set but no base URL"),
        ({"ENVFACTORY_JUDGE_MODEL": "reference"}, "ENVFACTORY_JUDGE_MODEL names 'reference', which plays episodes"),
        ({"ENVFACTORY_MODEL": "reference:competence=1"}, "ENVFACTORY_MODEL names 'reference:competence=1', which"),
        ({"ENVFACTORY_USER_MODEL": "reference:competence=0"}, "for the role user, only plain 'reference' can be set"),
    ],
)
def test_a_wrong_variable_is_named(environ, told):
    with pytest.raises(UsageError) as caught:
        LanguageSettings.from_environment(environ)
    assert told in str(caught.value)


def test_an_embedder_may_be_local_though_no_endpoint_is_set(tmp_path):
    for name in ("sentence-transformers:all-MiniLM-L6-v2", str(tmp_path)):
        settings = LanguageSettings.from_environment({"ENVFACTORY_EMBEDDER_MODEL": name})
        assert settings.model(Role.EMBEDDER) == name
    assert local_embedder("sentence-transformers:all-MiniLM-L6-v2") == "all-MiniLM-L6-v2"
    assert local_embedder(str(tmp_path)) == str(tmp_path)
    assert local_embedder("BAAI/bge-small-en") is None


def test_cached_tokens_have_their_own_price():
    assert Price(input=2, output=8, cached=0.5).cost(1_000_000, 500_000, 400_000) == pytest.approx(1.2 + 0.2 + 4)
    assert Price(input=2, output=8).cost(1_000_000, 0, 400_000) == pytest.approx(2)


def test_the_users_prices_win_over_the_packaged(tmp_path):
    own = tmp_path / "prices.yaml"
    own.write_text("gpt-4.1: {input: 1, output: 1}\nmine: {input: 3, output: 4}\n")
    prices = load_prices(own)
    assert (prices["gpt-4.1"].input, prices["mine"].output) == (1, 4)
    assert prices[BUILT_IN_MODEL].cost(10**6, 10**6) == 0
    assert "gpt-4o" in prices


def test_a_variant_costs_as_its_name_unless_it_is_listed():
    prices = {"llama": Price(input=1, output=1), "llama:large": Price(input=2, output=2)}
    assert price_of("llama:small", prices) == prices["llama"]
    assert price_of("llama:large", prices) == prices["llama:large"]
    assert price_of("other:small", prices) is None


LITELLM = {
    "sample_spec": {"max_tokens": "the most that is answered", "input_cost_per_token": 0.0},
    "gpt-5": {
        "mode": "chat",
        "input_cost_per_token": 1.25e-06,
        "output_cost_per_token": 1e-05,
        "cache_read_input_token_cost": 1.25e-07,
    },
    "small-embedding": {"mode": "embedding", "input_cost_per_token": 2e-08},
    "half-known": {"mode": "chat", "input_cost_per_token": 1e-06},
    "strange": {"mode": "chat", "input_cost_per_token": -1, "output_cost_per_token": 1e-06},
    "painter": {"mode": "image_generation", "output_cost_per_image": 0.04},
}


def test_prices_are_also_read_from_litellms_table_and_what_it_does_not_know_is_unknown(tmp_path):
    own = tmp_path / "model_prices_and_context_window.json"
    own.write_text(json.dumps(LITELLM))
    prices = load_prices(own)
    assert prices["gpt-5"] == Price(input=1.25, output=10, cached=0.125)
    assert prices["small-embedding"] == Price(input=0.02, output=0)
    assert not {"half-known", "strange", "painter", "sample_spec"} & set(prices)
    assert prices["gpt-4o"].input == 2.5, "the packaged ones are still there"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("prices.yaml", "mine:\n  input_cost_per_token: 2e-6\n  output_cost_per_token: 8e-6\n"),
        ("prices.json", '{"mine": {"input_cost_per_token": "2e-6", "output_cost_per_token": "0.000008"}}'),
        ("prices.yaml", "mine: {input: 2e0, output: 8e0}"),
    ],
)
def test_prices_that_are_written_as_text_are_numbers(tmp_path, name, text):
    own = tmp_path / name
    own.write_text(text)
    assert load_prices(own)["mine"] == Price(input=2, output=8)


@pytest.mark.parametrize("name", ["prices.yaml", "prices.json"])
def test_a_price_that_is_no_number_is_told_with_file_and_model(tmp_path, name):
    own = tmp_path / name
    own.write_text(json.dumps({"mine": {"input_cost_per_token": "2 cents", "output_cost_per_token": 1e-06}}))
    with pytest.raises(UsageError) as caught:
        load_prices(own)
    assert str(own) in str(caught.value)
    assert "the input_cost_per_token of mine is '2 cents', which is no number" in str(caught.value)


@pytest.mark.parametrize("text", ["- a\n- b", "mine: {input: cheap, output: 1}", "mine: {input: 1", "mine: 3"])
def test_a_broken_price_table_is_told(tmp_path, text):
    own = tmp_path / "prices.yaml"
    own.write_text(text)
    with pytest.raises(UsageError, match=r"price table .*prices\.yaml cannot be read"):
        load_prices(own)


def test_a_missing_price_table_is_told(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        load_prices(tmp_path / "nowhere.yaml")


@given(st.integers(1, 2000), st.floats(0.001, 10))
def test_waits_double_within_bounds(failures, first):
    bound = min(first * 2.0 ** min(failures - 1, 60), LONGEST_BACKOFF_S)
    assert bound / 2 <= backoff_s(first, failures) <= bound


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Sat, 21 Nov 2026 12:00:30 GMT"}, 30),
        ({"retry-after": "Sat, 21 Nov 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Fri, 31 Dec 99999 23:59:59 GMT"}, None),
    ],
)
def test_retry_after_is_understood_in_all_its_forms(headers, seconds):
    noon = 1_795_262_400.0  # 2026-11-21T12:00:00Z
    assert retry_after_s(headers, noon) == seconds

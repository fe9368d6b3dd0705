"""What a robots.txt leaves to programs."""

import pytest

from envfactory_dagster.sources.robots import Robots


@pytest.mark.parametrize(
    ("rules", "path", "allowed"),
    [
        ("Disallow:", "/a", True),
        ("Disallow: /", "", False),
        ("Disallow: /a", "/abc", False),
        ("Disallow: /A", "/a", True),
        ("Disallow: /*.pdf$", "/x/y.pdf", False),
        ("Disallow: /*.pdf$", "/x/y.pdf?page=1", True),
        ("Disallow: /*?", "/x?y", False),
        ("Disallow: /*/plans/*/new", "/a/plans/b/new/c", False),
        ("Disallow: /*/plans/*/new", "/a/plans/new", True),
        ("Disallow: /a$", "/a", False),
        ("Disallow: /a$", "/ab", True),
        ("Disallow: /ab*b$", "/ab", True),
        ("Disallow: /%7Ejoe/", "/~joe/x", False),
        ("Disallow: /%C3%A5", "/å", False),
        ("Allow: /\nDisallow: /secret/", "/secret/plans", False),
        ("Disallow: /secret/\nAllow: /secret/open", "/secret/open/x", True),
        ("Disallow: /a\nAllow: /a", "/a", True),
        ("Sitemap: https://h/s.xml\nCrawl-delay: 3\nDisallow: /a # here", "/a", False),
        ("nonsense\n:\n: /a\nDisallow", "/a", True),
        ("Disallow: " + "/*a" * 100_000, "/" + "a/" * 5_000, True),
    ],
)
def test_the_longest_rule_that_fits_counts(rules: str, path: str, allowed: bool) -> None:
    assert Robots(f"User-agent: *\n{rules}", "reader").allow(f"https://host{path}") is allowed


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("User-agent: other\nDisallow: /", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Reader\nDisallow:", True),
        ("User-agent: other\nUser-agent: READER/2.0\nDisallow: /", False),
        ("User-agent: reader\nAllow: /b\nUser-agent: other\nDisallow: /", True),
        ("User-agent: reader\nAllow: /b\nUser-agent: reader\nDisallow: /", False),
        ("Disallow: /", True),
    ],
)
def test_rules_for_a_program_stand_before_those_for_all(text: str, allowed: bool) -> None:
    assert Robots(text, "reader").allow("https://host/a") is allowed

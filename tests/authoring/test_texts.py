"""What speaks of a computer is told from what the trade of a world speaks of."""

import pytest

from envfactory_dagster.authoring.texts import SIGN_IN, out_of_place, trade_of
from envfactory_dagster.contracts.domain import Rule, Theme, ThemeSource

CINEMA = "A cinema with two screens. CREATE TABLE screenings"
ROOM = "A reading room; readers are signed in at the desk."


def theme(description: str) -> Theme:
    rule = Rule(id="late", text="Whoever comes late pays.")
    source = ThemeSource(kind="hand")
    return Theme(
        key="a", name="A place", category="c", description=description, entities=["seat"], rules=[rule], source=source
    )


@pytest.mark.parametrize(
    ("text", "trade"),
    [
        ("Please sign out Ida Berg, who is leaving now.", ROOM),
        ("Who had to sign in before ten today?", ""),
        ("Sign in the parcel that came for the workshop.", ""),
        ("Is the subtitle on the screen in hall two?", CINEMA),
        ("Tap the second barrel on Friday.", "A cider press. CREATE TABLE taps, barrels"),
        ("Book the pop-up stall for Saturday.", "Pop-up stalls in a market hall."),
        ("I need authenticated copies of two deeds.", "Authenticated copies cost more."),
        ('Take the film "Sign in to my account" off the list.', ""),
        ("Sign in first, please.", "Readers sign in, and log the time."),
        ("I need the login sheet of the boat.", "Skippers keep a login sheet at the jetty."),
    ],
)
def test_the_words_of_a_trade_may_be_said(text: str, trade: str) -> None:
    assert [*out_of_place(text, trade)] == []


@pytest.mark.parametrize(
    ("text", "trade", "said"),
    [
        ("Sign in to my account and cancel the seat.", ROOM + " accounts", "'Sign in to my account'"),
        ("I logged into the portal and saw a fee.", ROOM, "'logged into the portal'"),
        ("I cannot sign in, so book it for me.", "A shop.", "'sign in'"),
        ("I was logged in and lost my password.", ROOM, "'password'"),
        ("Log out when you are done.", ROOM, "'Log out'"),
        ("Log in and book the hut.", "A shop.", "'Log in'"),
        ("Log in as Ida Berg.", "A shop.", "'Log in'"),
        ("Sign in first.", "Every contract needs a signature in person.", "'Sign in'"),
        ("Log in first.", "Logistics in Hamburg.", "'Log in'"),
        ("It is on my screen.", ROOM, "'on my screen'"),
        ("It is on my screen; click it.", CINEMA, "'click'"),
        ("Choose it from the drop-down.", "Drops of water", "'drop-down'"),
    ],
)
def test_what_speaks_of_a_computer_is_refused(text: str, trade: str, said: str) -> None:
    (sentence,) = out_of_place(text, trade)
    assert sentence.startswith(f"Leave out {said}")


def test_a_theme_may_say_that_people_sign_in_at_a_desk() -> None:
    assert not SIGN_IN.search("Readers sign in at the desk and sign out before they leave.")
    assert SIGN_IN.search("Members sign in to their account first.")


def test_the_trade_is_what_the_theme_says_and_how_tables_are_called() -> None:
    said = trade_of(theme("Films are shown on screens."), "CREATE TABLE sign_ins (id INTEGER)")
    assert all(word in said for word in ("A place", "screens", "seat", "comes late", "sign ins"))

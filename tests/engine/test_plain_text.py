"""What people wrote, within a sentence: on one line, and turning nothing around it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.narration.names import Names, names_in
from service.engine.narration.narrator import narrate
from service.engine.narration.plain_text import in_one_line
from tests.kit.rigs import rig_of


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Mara", "Mara"),
        ("Анна  Ян\n", "Анна Ян"),
        ("Bork\u202e", "Bork"),
        ("שרה", "\u2068שרה\u2069"),
        ("\u2067שרה", "\u2068שרה\u2069"),
        ("سمير 3", "\u2068سمير 3\u2069"),
        ("שרה" * 4, "\u2068שרהשרהש…\u2069"),
    ],
)
def test_letters_from_the_right_are_kept_apart(text: str, line: str) -> None:
    assert in_one_line(text, 8) == line


@given(st.text())
def test_isolates_are_opened_and_closed_once(text: str) -> None:
    line = in_one_line(text, 40)
    inner = line.removeprefix("\u2068").removesuffix("\u2069")
    assert not any(unicodedata.category(each) == "Cf" for each in inner)
    assert line in {inner, f"\u2068{inner}\u2069"}
    assert len(inner) <= 40


def test_a_sentence_isolates_the_names_in_it() -> None:
    sheet = {"id": "m", "name": "שרה", "side": "red", "place": {"x": 1, "y": 2}}
    event = {"effects": [{"type": "combatant_added", "combatant": sheet}]}
    assert narrate(rig_of("crossfire-d6").ruleset, event, Names(sides={"red": "Dawn"})) == (
        "\u2068שרה\u2069 is in the battle, side Dawn, at (1, 2)."
    )
    twins = [{"id": "a", "name": "שרה"}, {"id": "b", "name": "שרה"}]
    assert names_in({"combatants": twins}).combatants["a"] == "\u2068שרה\u2069 (a)"

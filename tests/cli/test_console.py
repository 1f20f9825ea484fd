"""What others wrote is shown by the terminal and does nothing there."""

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from service.console import escaped


def shown(text: str) -> str:
    """The letters that reach the terminal."""
    into = StringIO()
    Console(file=into, highlight=False, soft_wrap=True, force_terminal=True).print(escaped(text))
    return into.getvalue()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain", "plain"),
        ("[red]not red[/]", "[red]not red[/]"),
        ("\x1b[2Jgone", r"\u001b[2Jgone"),
        ("Bork\u202efdp", r"Bork\u202efdp"),
        ("a\x07\x9b\u2066b", r"a\u0007\u009b\u2066b"),
        ("\u2068שרה\u2069: 3", "\u2068שרה\u2069: 3"),
    ],
)
def test_what_others_wrote_is_shown_as_letters(text: str, line: str) -> None:
    assert shown(text) == f"{line}\n"


@given(st.text())
def test_nothing_reaches_the_terminal_that_it_would_obey(text: str) -> None:
    obeyed = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), *"\u202a\u202b\u202d\u202e"}
    assert not set(shown(text)) & (obeyed - {"\n"})

"""Every field goes to exactly those whom its mark names; what has no mark is the GM's."""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

import msgspec
import pytest
from msgspec import UNSET, Meta, Raw, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.state import scope_of
from service.engine.dice.dice import Draw
from service.engine.visibility.audience import (
    BAND,
    BEARER,
    BREAKDOWN,
    COUNTED,
    EVERYONE,
    GM,
    GM_TEXT,
    GM_WORD,
    HEALTH,
    NUMBERS,
    SECRET,
    SIDE,
    TEXT,
    MentionId,
    OwnId,
    SubjectId,
)
from service.engine.visibility.projection import (
    Array,
    Object,
    ProjectedNode,
    annotate,
    view,
    visible,
)
from service.engine.visibility.scope import (
    GAME_MASTER,
    OBSERVER,
    Scope,
    Viewer,
    audience_of,
    narrow,
)
from service.engine.visibility.streams import GM_STREAM
from tests.kit.table import Table
from tests.toy.battles import SEATS, SETUP, SIDES, ambush, fighter, table_dice
from tests.toy.rules import RULESET
from tests.toy.sweeps import brawl, dicey_brawl

RED = Viewer(sides=("red",))
BLUE = Viewer(sides=("blue",))
BOTH = Viewer(sides=("red", "blue"))
VIEWERS = (OBSERVER, RED, BLUE, BOTH, GAME_MASTER)
SCOPE = Scope(
    sides=("red", "blue"),
    subjects={"ann": ("red", False), "bob": ("blue", False), "zed": ("blue", True)},
)


class Sheet(Struct, frozen=True, kw_only=True, tag_field="type", tag="sheet"):
    """One field of every mark."""

    combatant: Annotated[SubjectId, EVERYONE]
    all_know: Annotated[int, EVERYONE] = 1
    own: Annotated[int, SIDE] = 2
    number: Annotated[int, NUMBERS] = 3
    health: Annotated[int, HEALTH] = 4
    band: Annotated[str, BAND] = "hurt"
    lines: Annotated[tuple[int, ...], BREAKDOWN] = (5,)
    hidden: Annotated[int, GM] = 6
    unmarked: int = 7
    note: Annotated[str | UnsetType, TEXT] = UNSET
    secret_note: Annotated[str | UnsetType, GM_TEXT] = UNSET


def fields_seen(scope: Scope, viewer: Viewer, combatant: str = "ann") -> set[str]:
    seen = view(Sheet(combatant=combatant), scope, viewer)
    assert isinstance(seen, dict)
    return set(seen) - {"type", "combatant", "all_know"}


def scope(numbers: str = "shown", health: str = "exact", breakdowns: str = "all") -> Scope:
    return Scope(SCOPE.sides, SCOPE.subjects, numbers, health, breakdowns)


def test_with_everything_shown_only_the_sides_own_and_the_gms_are_kept_back() -> None:
    shown = {"number", "health", "band", "lines"}
    assert fields_seen(SCOPE, OBSERVER) == shown
    assert fields_seen(SCOPE, BLUE) == shown
    assert fields_seen(SCOPE, RED) == {*shown, "own"}
    assert fields_seen(SCOPE, GAME_MASTER) == {*shown, "own", "hidden", "unmarked"}


@pytest.mark.parametrize(
    ("options", "kept_back"),
    [
        ({"numbers": "hidden"}, {"number", "lines"}),
        ({"health": "band"}, {"health"}),
        ({"health": "none"}, {"health", "band"}),
        ({"breakdowns": "own"}, {"lines"}),
    ],
)
def test_the_tables_options_keep_an_enemys_numbers_back(
    options: dict[str, str], kept_back: set[str]
) -> None:
    chosen = scope(**options)
    for viewer in (OBSERVER, BLUE):
        assert fields_seen(SCOPE, viewer) - fields_seen(chosen, viewer) == kept_back
    assert fields_seen(chosen, RED) == fields_seen(SCOPE, RED)


def test_breakdowns_for_nobody_are_the_gms() -> None:
    chosen = scope(breakdowns="none")
    assert "lines" not in fields_seen(chosen, RED)
    assert "lines" in fields_seen(chosen, GAME_MASTER)


def test_whoever_is_not_known_takes_the_whole_object_along() -> None:
    assert audience_of(Sheet(combatant="zed"), SCOPE) == "blue"
    assert audience_of(Sheet(combatant="nobody"), SCOPE) == GM_WORD
    listed = Listed(sheets=(Sheet(combatant="zed"), Sheet(combatant="ann")))
    seen = {viewer: view(listed, SCOPE, viewer) for viewer in VIEWERS}
    names = {
        viewer: [sheet["combatant"] for sheet in msgspec.convert(shown, dict[str, Any])["sheets"]]
        for viewer, shown in seen.items()
    }
    assert names == {
        OBSERVER: ["ann"],
        RED: ["ann"],
        BLUE: ["zed", "ann"],
        BOTH: ["zed", "ann"],
        GAME_MASTER: ["zed", "ann"],
    }


class Listed(Struct, frozen=True, kw_only=True):
    sheets: Annotated[tuple[Sheet, ...], EVERYONE] = ()
    order: Annotated[tuple[SubjectId, ...], EVERYONE] = ()
    turn: Annotated[MentionId | UnsetType, EVERYONE] = UNSET


def test_an_array_of_ids_loses_the_unknown_ones_and_a_mention_only_itself() -> None:
    listed = Listed(order=("zed", "ann", "bob"), turn="zed")
    assert view(listed, SCOPE, RED) == {"sheets": [], "order": ["ann", "bob"]}
    assert view(listed, SCOPE, BLUE) == {
        "sheets": [],
        "order": ["zed", "ann", "bob"],
        "turn": "zed",
    }


class Fighter(Struct, frozen=True, kw_only=True):
    id: Annotated[OwnId, EVERYONE]
    side: Annotated[str, EVERYONE]
    hidden: Annotated[bool, EVERYONE] = False
    number: Annotated[int, NUMBERS] = 3


class Added(Struct, frozen=True, kw_only=True):
    fighter: Annotated[Fighter, EVERYONE, BEARER]


class Stated(Struct, frozen=True, kw_only=True):
    fighter: Annotated[Fighter, EVERYONE]


def test_a_combatant_is_judged_by_what_it_says_of_itself() -> None:
    hidden = Fighter(id="new", side="red", hidden=True)
    assert audience_of(hidden, SCOPE) == "red"
    assert audience_of(Fighter(id="zed", side="blue"), SCOPE) == "everyone"
    numbers = view(Fighter(id="new", side="red"), scope(numbers="hidden"), BLUE)
    assert numbers == {"id": "new", "side": "red", "hidden": False}


def test_a_bearer_takes_its_holder_along_another_only_its_field() -> None:
    hidden = Fighter(id="new", side="red", hidden=True)
    assert audience_of(Added(fighter=hidden), SCOPE) == "red"
    assert audience_of(Stated(fighter=hidden), SCOPE) == "everyone"
    assert view(Stated(fighter=hidden), SCOPE, BLUE) == {}


NUMBERS_OF_SECOND = Meta(extra={"audience": "numbers", "of": "second"})


class Duel(Struct, frozen=True, kw_only=True):
    first: Annotated[SubjectId, EVERYONE]
    second: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    needed: Annotated[int | UnsetType, NUMBERS_OF_SECOND] = UNSET


def test_two_subjects_of_different_sides_have_only_the_gm_in_common() -> None:
    both_hidden = Scope(sides=SCOPE.sides, subjects={"a": ("red", True), "z": ("blue", True)})
    assert audience_of(Duel(first="a", second="z"), both_hidden) == GM_WORD
    assert audience_of(Duel(first="a"), both_hidden) == "red"


def test_a_number_may_be_that_of_a_sibling() -> None:
    duel = Duel(first="ann", second="bob", needed=4)
    hidden = scope(numbers="hidden")
    assert view(duel, hidden, RED) == {"first": "ann", "second": "bob"}
    assert view(duel, hidden, BLUE) == {"first": "ann", "second": "bob", "needed": 4}


class Trap(Struct, frozen=True, kw_only=True):
    x: Annotated[int, EVERYONE]
    is_secret: Annotated[bool, EVERYONE, SECRET] = False


class Rolled(Struct, frozen=True, kw_only=True, tag_field="type", tag="rolled"):
    AUDIENCE: ClassVar[str] = GM_WORD

    face: Annotated[int, EVERYONE]


class Rounds(Struct, frozen=True, kw_only=True):
    combatant: Annotated[SubjectId, EVERYONE]
    item: Annotated[str | UnsetType, EVERYONE, COUNTED] = UNSET


@pytest.mark.parametrize(
    ("numbers", "combatant", "item", "audience"),
    [
        ("shown", "ann", "bow", "everyone"),
        ("hidden", "ann", UNSET, "everyone"),
        ("hidden", "ann", "bow", "red"),
        ("hidden", "zed", "bow", "blue"),
        ("shown", "zed", UNSET, "blue"),
    ],
)
def test_what_is_counted_is_a_number_whole(
    numbers: Any, combatant: str, item: Any, audience: str
) -> None:
    scope = replace(SCOPE, numbers=numbers)
    assert audience_of(Rounds(combatant=combatant, item=item), scope) == audience


def test_a_secret_flag_and_a_type_of_the_gms_are_the_gms_whole() -> None:
    assert audience_of(Trap(x=1), SCOPE) == "everyone"
    assert audience_of(Trap(x=1, is_secret=True), SCOPE) == GM_WORD
    assert audience_of(Rolled(face=6), SCOPE) == GM_WORD


@pytest.mark.parametrize(
    ("stream", "audience"), [(0, "everyone"), (1, "red"), (2, "blue"), (3, "gm"), (GM_STREAM, "gm")]
)
def test_a_draw_is_known_to_those_of_its_stream(stream: int, audience: str) -> None:
    draw = Draw(stream=stream, number=1, sides=6, face=6, purpose="attack", combatant="zed")
    assert audience_of(draw, SCOPE) == audience


def test_a_public_draw_of_somebody_unseen_only_keeps_its_name_back() -> None:
    draw = Draw(stream=0, number=1, sides=6, face=6, purpose="attack", combatant="zed")
    assert view(draw, SCOPE, RED) == {
        "stream": 0,
        "number": 1,
        "sides": 6,
        "face": 6,
        "purpose": "attack",
    }


class Waiting(Struct, frozen=True, kw_only=True):
    action: Annotated[Raw, EVERYONE]
    nothing: Annotated[int | UnsetType, EVERYONE] = UNSET


def test_raw_json_is_shown_as_the_value_it_is_and_what_is_absent_not_at_all() -> None:
    assert view(Waiting(action=Raw(b'{"type":"step"}')), SCOPE, OBSERVER) == {
        "action": {"type": "step"}
    }


def test_text_is_seen_where_it_stands_by_those_it_is_for() -> None:
    noted = Sheet(combatant="zed", note="hi", secret_note="ha")
    assert isinstance(shown := view(noted, SCOPE, BLUE), dict)
    assert (shown["note"], "secret_note" in shown) == ("hi", False)
    assert isinstance(shown := view(noted, SCOPE, GAME_MASTER), dict)
    assert (shown["note"], shown["secret_note"]) == ("hi", "ha")


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        ("everyone", "everyone", "everyone"),
        ("everyone", "red", "red"),
        ("red", "red", "red"),
        ("red", "blue", "gm"),
        ("red", "gm", "gm"),
        ("everyone", "gm", "gm"),
    ],
)
def test_audiences_narrow_to_what_they_have_in_common(first: str, second: str, both: str) -> None:
    assert narrow(first, second) == narrow(second, first) == both


def test_the_type_of_an_object_is_told_by_its_tag() -> None:
    assert isinstance(shown := view(Sheet(combatant="ann"), SCOPE, OBSERVER), dict)
    assert shown["type"] == "sheet"
    assert msgspec.json.encode(shown)


# --- what it costs --------------------------------------------------------------------------------


def nodes(tree: ProjectedNode) -> int:
    """How many nodes a tree has."""
    if isinstance(tree, Object):
        return 1 + sum(nodes(member.node) for member in tree.members)
    if isinstance(tree, Array):
        return 1 + sum(nodes(element.node) for element in tree.elements)
    return 1


@pytest.mark.parametrize("play", [ambush, table_dice, brawl, dicey_brawl])
def test_a_view_is_the_whole_tree_without_what_one_may_not_know(
    play: Callable[[], Table],
) -> None:
    table = play()
    for rule in table.rules.values():
        scope = scope_of(rule)
        for viewer in VIEWERS:
            whole = visible(annotate(rule, scope), viewer)
            assert view(rule, scope, viewer) == whole
            assert view(table.state.linear, scope, viewer) == visible(
                annotate(table.state.linear, scope), viewer
            )


def test_what_one_may_not_know_is_not_looked_into() -> None:
    sizes = {}
    for crowd in (0, 50):
        unseen = [fighter(f"h{n}", "blue", 3, hidden=True) for n in range(crowd)]
        setup = replace(SETUP, fighters=(*SETUP.fighters, *unseen))
        rule = Table(RULESET, setup, sides=SIDES, seats=SEATS).state.rule
        scope = scope_of(rule)
        sizes[crowd] = [nodes(annotate(rule, scope, viewer=viewer)) for viewer in VIEWERS]
    assert sizes[0][:2] == sizes[50][:2]
    assert sizes[0][2] + 50 <= sizes[50][2]

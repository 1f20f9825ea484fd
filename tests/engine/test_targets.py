"""A target is a combatant or a square, in a field each: a union of both would hide the action."""

from typing import Annotated, Any

import msgspec
import pytest
from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import scope_of
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.audience import EVERYONE, MentionId, OtherId, OwnId, SubjectId
from service.engine.visibility.audience_plan import plan_of
from service.engine.visibility.scope import GAME_MASTER, Viewer, audience_of
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place
from service.errors import Malformed
from service.rulesets import RULESETS
from tests.kit.table import GM
from tests.toy.battles import ANN
from tests.toy.model import Throw
from tests.toy.seating import shown
from tests.toy.sweeps import melee

SQUARE = Place(x=3, y=0)
PLAYER = Viewer(sides=("green",))


def seen(table: Any, viewer: Viewer) -> Any:
    """The last event as a viewer sees it."""
    return shown(table, len(table.sealed), viewer)


def test_everyone_knows_of_a_throw_at_somebody_everyone_sees() -> None:
    table = melee()
    table.act(Throw(combatant="anders", target="bruno"), ANN)
    for viewer in (Viewer(), PLAYER, GAME_MASTER):
        assert seen(table, viewer)["action"] == {
            "type": "throw",
            "combatant": "anders",
            "target": "bruno",
        }


def test_everyone_knows_of_a_throw_at_a_square_whoever_hides_there() -> None:
    table = melee(hidden=["bruno"])
    table.act(Throw(combatant="anders", cell=SQUARE), ANN)
    for viewer in (Viewer(), PLAYER, GAME_MASTER):
        event = seen(table, viewer)
        assert event["action"] == {
            "type": "throw",
            "combatant": "anders",
            "cell": {"x": 3, "y": 0},
        }
        [attack] = event["effects"]
        assert attack["place"] == {"x": 3, "y": 0}


def test_a_throw_at_somebody_hidden_is_known_to_those_who_know_of_both() -> None:
    table = melee(hidden=["bruno"])
    table.act(Throw(combatant="anders", target="bruno"), GM)
    assert "action" not in seen(table, PLAYER)
    assert seen(table, Viewer(sides=("blue",)))["action"]["target"] == "bruno"


@pytest.mark.parametrize(
    "throw",
    [Throw(combatant="anders"), Throw(combatant="anders", target="bruno", cell=SQUARE)],
    ids=["neither", "both"],
)
def test_exactly_one_of_the_two_is_stated(throw: Throw) -> None:
    table = melee()
    with pytest.raises(Malformed) as caught:
        table.act(throw, ANN)
    assert caught.value.params == {"path": "$.target", "allowed": "either target or cell"}


class Mixed(Struct, frozen=True, kw_only=True):
    """What the vocabulary forbids."""

    target: Annotated[SubjectId | Place, EVERYONE]


class Nested(Struct, frozen=True, kw_only=True):
    """The same, further in, and for what narrows its field alone."""

    target: Annotated[Annotated[MentionId | UnsetType, EVERYONE] | int, EVERYONE] = UNSET


class Other(Struct, frozen=True, kw_only=True):
    """The same of what a holder's numbers are against."""

    versus: Annotated[OtherId | Place | UnsetType, EVERYONE] = UNSET


class Own(Struct, frozen=True, kw_only=True):
    """The same of an id."""

    id: Annotated[OwnId | int, EVERYONE]


@pytest.mark.parametrize("kind", [Mixed, Nested, Other, Own])
def test_a_field_that_may_name_a_combatant_or_something_else_is_refused(kind: type[Struct]) -> None:
    with pytest.raises(TypeError, match="give each a field of its own"):
        plan_of(kind)


class Several(Struct, frozen=True, kw_only=True):
    """Each element is known to those who may know it, whatever the others are."""

    targets: Annotated[tuple[SubjectId | Place, ...], EVERYONE]


def test_a_list_of_both_narrows_element_by_element() -> None:
    table = melee(hidden=["bruno"])
    mixed = Several(targets=("bruno", SQUARE, "berta"))
    assert audience_of(mixed, scope_of(table.state.rule)) == "everyone"


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda each: each.slug)
def test_no_type_of_a_ruleset_holds_one(ruleset: Ruleset[Any]) -> None:
    waiting: list[Any] = [ruleset.setup, ruleset.event, ruleset.state, ruleset.blob]
    kinds: set[type[Struct]] = set()
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, type) and issubclass(kind, Struct) and kind not in kinds:
            kinds.add(kind)
            plan_of(kind)
            waiting += [field.type for field in msgspec.structs.fields(kind)]
        else:
            waiting += getattr(kind, "__args__", ())
    assert len(kinds) > 100
    assert fx.AttackResolved in {base for kind in kinds for base in kind.__mro__}

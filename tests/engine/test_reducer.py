"""Who applies an effect: the engine or the ruleset, as the vocabulary says, and nobody never."""

import re
from collections import defaultdict
from typing import Any, Final, get_args, get_type_hints

import pytest
from msgspec import UNSET

from service.engine.battle.evolve import core_step, evolve_core
from service.engine.battle.fold import reducer
from service.engine.battle.linear_steps import _LINEAR_STEPS
from service.engine.battle.state import RuleState, TableOptions, UnknownEffect
from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Side
from service.rulesets import RULESETS
from tests.house.tree import ROOT
from tests.toy.rules import RULESET

VOCABULARY: Final = ROOT / "service" / "engine" / "VOCABULARY.md"
CORE = "the engine, to the common core"
LINEAR = "the engine, to the half that never rewinds"
NOBODY = "nobody: they tell what came about, other effects say what it changed"
INITIAL = "the ruleset, as the blank state that event 1 fills (`initial`)"
RULES = "the ruleset, which must where it uses them"


def tag_of(kind: type[fx.Effect]) -> str:
    return str(kind.__struct_config__.tag)


def shared() -> dict[str, type[fx.Effect]]:
    """Every effect of the vocabulary by its tag."""
    kinds = [each for each in vars(fx).values() if isinstance(each, type)]
    effects = [each for each in kinds if issubclass(each, fx.Effect) and each is not fx.Effect]
    return {tag_of(each): each for each in reversed(effects)}


def applied_by(kind: type[fx.Effect]) -> str:
    """Who applies an effect."""
    if kind is fx.EncounterCreated:
        return INITIAL
    try:
        step = core_step(kind)
    except UnknownEffect:
        return RULES
    if step is not core_step(fx.Rolled):
        return CORE
    return LINEAR if kind in _LINEAR_STEPS else NOBODY


def test_the_vocabulary_says_who_applies_each_effect() -> None:
    lines = VOCABULARY.read_text().splitlines()
    start = lines.index("| applied by | effects |")
    stated = {}
    for line in lines[start + 2 : start + 7]:
        who, effects = (cell.strip() for cell in line.strip("|").split("|"))
        stated[who] = [each.strip("` ") for each in effects.split(",")]
    found = defaultdict(list)
    for tag, kind in shared().items():
        found[applied_by(kind)].append(tag)
    assert {who: sorted(tags) for who, tags in stated.items()} == {
        who: sorted(tags) for who, tags in found.items()
    }


def test_the_module_names_those_that_a_ruleset_applies() -> None:
    text = " ".join(str(fx.__doc__).split())
    named = re.findall(r"`([a-z_]+)`", text[text.index("but for nine") : text.index("; and `enc")])
    assert sorted(named) == sorted(t for t, kind in shared().items() if applied_by(kind) == RULES)


@pytest.mark.parametrize("ruleset", [*RULESETS.values(), RULESET], ids=lambda each: each.slug)
def test_no_effect_of_a_ruleset_is_nobodys(ruleset: Ruleset[Any]) -> None:
    [effects, _] = get_args(get_type_hints(ruleset.event)["effects"])
    kinds = [kind for kind in get_args(effects) if not issubclass(kind, fx.EncounterCreated)]
    assert [kind for kind in kinds if is_nobodys(ruleset, kind)] == []
    assert is_nobodys(ruleset, fx.PhaseChanged)


def is_nobodys(ruleset: Ruleset[Any], kind: type[fx.Effect]) -> bool:
    """Whether there is no step for an effect, whatever it says and of whom."""
    empty: dict[str, Any] = dict.fromkeys(kind.__struct_fields__)
    try:
        ruleset.evolve(BLANK, kind(**empty))
    except UnknownEffect as unknown:
        return str(unknown) == kind.__name__
    except (AttributeError, LookupError, TypeError):
        # A step looked into the effect, which says nothing.
        return False
    return False


BLANK: Final = RuleState(options=TableOptions(), dice="sealed", sides=(Side(id="red"),))


# --- what a reducer is ----------------------------------------------------------------------------


class Waved(fx.Effect, frozen=True, kw_only=True, tag="waved"):
    """Somebody waved."""


class WavedTwice(Waved, frozen=True, kw_only=True, tag="waved_twice"):
    """Both hands."""


def own(rule: RuleState, effect: Waved | fx.RoundBegan) -> RuleState:
    """Waves end the battle; rounds count as they do in the engine, and begin it."""
    match effect:
        case Waved():
            return evolve_core(rule, fx.EncounterEnded())
        case fx.RoundBegan():
            return evolve_core(evolve_core(rule, effect), fx.EncounterStarted())


def test_a_reducer_gives_a_ruleset_its_own_effects_and_the_engine_the_others() -> None:
    evolve = reducer(own, Waved | fx.RoundBegan)
    assert evolve(BLANK, WavedTwice()).status == "ended"
    begun = evolve(BLANK, fx.RoundBegan(round=3))
    assert (begun.status, begun.round) == ("running", 3)
    assert evolve(begun, fx.TurnBegan(combatant="anders")).turn == "anders"
    assert evolve(BLANK, fx.WindowSkipped(kind="wave", why="nobody")) is BLANK
    with pytest.raises(UnknownEffect, match="Faced"):
        evolve(BLANK, fx.Faced(combatant="anders", facing="N"))
    assert BLANK.turn is UNSET

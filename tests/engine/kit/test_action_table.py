"""One table per rulebook: each type of action finds what becomes of it."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest
from msgspec import Struct

from service.engine.battle.state import RuleState, State
from service.engine.dice.dice import Dice
from service.engine.kit.action_table import (
    ActionTable,
    ForemostRoll,
    always,
    bare_preview,
    entry,
    never,
)
from service.engine.kit.previews import Asker
from service.engine.ruleset.definition import NO_ANSWERS, Ending, Fact, Odds, Preview
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.choices import PassChoice
from service.engine.vocabulary.effects import Effect, EncounterStarted
from service.engine.vocabulary.values import By
from service.errors import Refused
from tests.engine.kit.battle import battle, somebody, state_of

GM: Final = By(kind="key", id="k", role="gm")
STATE: Final = state_of(battle(somebody("rita")))
ASKER: Final = Asker.of(STATE, GM, NO_ANSWERS)
EVEN: Final = (Odds(outcome="hit", num="1", den="2", percent_milli=50_000),)
HIT: Final = Ending("hit", "attack", ())

END_TURN: Final = do.EndTurn(combatant="rita")
START: Final = do.StartEncounter()
ANSWER: Final = do.Answer(decision_id="d1", choice=PassChoice())
REMOVE: Final = do.RemoveCombatant(combatant="rita")


class Turns(Struct, frozen=True, kw_only=True):
    ends: str
    of: list[str]


def end_turn(done: list[str], action: do.EndTurn) -> None:
    done.append(f"{action.combatant} ends its turn")


def start(done: list[str], _action: do.StartEncounter) -> None:
    done.append("start")


def answer(done: list[str], action: do.Answer) -> None:
    done.append(f"answer to {action.decision_id}")


def preview_turn(asker: Asker[RuleState], action: do.EndTurn) -> Preview:
    names = [each.id for each in asker.view.rule.combatants]
    return Preview(legal=True, facts=Turns(ends=action.combatant, of=names))


def is_alone(state: State[RuleState], _viewer: Viewer, _action: do.EndTurn) -> bool:
    return len(state.rule.combatants) == 1


def even(_preview: Preview) -> tuple[Odds, ...]:
    return EVEN


def hit(_effects: Sequence[Fact]) -> Ending | None:
    return HIT


TABLE: Final[ActionTable[RuleState, list[str], Asker[RuleState]]] = ActionTable(
    entry(do.EndTurn, end_turn, preview_turn, binds=is_alone, luck=ForemostRoll(even, hit)),
    entry(do.StartEncounter, start, None),
    entry(do.Answer, answer, bare_preview, is_rehearsed=False, binds=never),
)


def deciding(*refused: type[do.Action]) -> Callable[..., tuple[Effect, ...]]:
    """Rules that refuse actions of these types."""

    def decide(
        _state: State[RuleState], action: do.Action, _by: By, _seq: int, _dice: Dice
    ) -> tuple[Effect, ...]:
        if isinstance(action, refused):
            raise Refused("not_your_turn")
        return ()

    return decide


def test_an_action_is_decided_by_the_entry_of_its_type() -> None:
    done: list[str] = []
    for action in (START, END_TURN, ANSWER):
        TABLE.entries[type(action)].decide(done, action)
    assert done == ["start", "rita ends its turn", "answer to d1"]


def test_a_preview_is_what_the_entry_foresees_where_the_rules_let_the_action_through() -> None:
    expected = Preview(legal=True, facts=Turns(ends="rita", of=["rita"]))
    assert TABLE.sketch(ASKER, END_TURN) == expected
    assert TABLE.preview(ASKER, END_TURN, deciding()) == expected
    with pytest.raises(Refused) as caught:
        TABLE.preview(ASKER, END_TURN, deciding(do.EndTurn))
    assert caught.value.code == "not_your_turn"


def test_a_preview_that_is_not_rehearsed_does_not_ask_the_rules() -> None:
    shown = TABLE.preview(ASKER, ANSWER, deciding(do.Answer))
    assert shown == Preview(legal=True)


@pytest.mark.parametrize("action", [START, REMOVE], ids=["without a preview", "without an entry"])
def test_what_has_no_preview_is_refused(action: do.Action) -> None:
    with pytest.raises(Refused) as caught:
        TABLE.preview(ASKER, action, deciding())
    assert caught.value.code == "no_preview"
    assert caught.value.params == {"action": str(action.__struct_config__.tag)}


def test_an_action_binds_as_its_entry_says_and_never_one_of_the_game_master() -> None:
    crowd = state_of(battle(somebody("rita"), somebody("bob")))
    viewer = ASKER.viewer
    assert TABLE.binds(STATE, viewer, END_TURN)
    assert not TABLE.binds(crowd, viewer, END_TURN)
    assert not TABLE.binds(STATE, viewer, ANSWER)
    assert not TABLE.binds(STATE, viewer, START)
    assert always(STATE, viewer, END_TURN)


def test_an_action_is_freed_as_its_entry_says_by_what_is_shown_of_it() -> None:
    table: ActionTable[RuleState, list[str], Asker[RuleState]] = ActionTable(
        entry(do.EndTurn, end_turn, preview_turn, binds=always, frees=bool),
        entry(do.Answer, answer, bare_preview, binds=always),
    )
    shown = (EncounterStarted(),)
    assert (table.frees(END_TURN, shown), table.frees(END_TURN, ())) == (True, False)
    assert not table.frees(ANSWER, shown)


def test_luck_counts_the_roll_that_the_entry_names() -> None:
    words = {name: frozenset({name}) for name in ("hit", "miss")}
    luck = TABLE.luck(words["hit"], answered=words["miss"])
    shown = Preview(legal=True, odds=EVEN)
    assert (luck.successes, luck.answered, luck.beside) == (words["hit"], words["miss"], None)
    assert (luck.odds(END_TURN, shown), luck.ending(END_TURN, ())) == (EVEN, HIT)
    assert (luck.odds(START, shown), luck.ending(START, ())) == ((), None)


def test_a_type_has_one_entry() -> None:
    twice: Any = entry(do.StartEncounter, start, None)
    with pytest.raises(ValueError, match="two entries"):
        ActionTable(twice, twice)


def test_types_of_an_entry_fit_one_another() -> None:
    # mypy reports an unused `ignore`, so this holds that it refuses functions of another action.
    entry(do.StartEncounter, end_turn, None)  # type: ignore[arg-type]
    entry(do.StartEncounter, start, preview_turn)  # type: ignore[arg-type]
    entry(do.StartEncounter, start, None, binds=is_alone)  # type: ignore[arg-type]

"""When an action is taken: written down by hand, played, and read in the vocabulary."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, get_args

import pytest

from service.engine.battle.permission import require_askable
from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.choices import PassChoice
from service.engine.vocabulary.values import By, Role
from service.errors import WarlogError
from service.rulesets import RULESETS
from tests.house.tree import ROOT
from tests.kit.table import GM, Table
from tests.toy.battles import ANN
from tests.toy.model import Sniff, Step, ToyAnswer
from tests.toy.rules import RULESET
from tests.toy.seating import add, asked, ended, fresh, running
from tests.toy.sweeps import CLOCK


class Moments(NamedTuple):
    """The code of the refusal at each moment; None where the action is taken."""

    setup: str | None = None
    running: str | None = None
    ended: str | None = "encounter_not_running"
    revealed: str | None = "encounter_not_running"
    asked: str | None = "decision_pending"


NOT_RUNNING: Final = "encounter_not_running"
IN_BATTLE: Final = Moments(setup=NOT_RUNNING)
UNTIL_THE_SEED: Final = Moments(ended=None, revealed="seed_revealed", asked=None)

LIVES: Final[Mapping[str, Moments]] = {
    "configure": Moments(running="options_frozen", asked="options_frozen"),
    "add_combatant": Moments(),
    "remove_combatant": Moments(),
    "assign_control": UNTIL_THE_SEED,
    "add_seat": UNTIL_THE_SEED,
    "change_seat": UNTIL_THE_SEED,
    "remove_seat": UNTIL_THE_SEED,
    "start_encounter": Moments(running="already_started", asked="already_started"),
    "set_terrain": Moments(),
    "adjust": Moments(asked=None),
    "answer": Moments(setup=NOT_RUNNING, asked=None),
    "force_pass": Moments(setup=NOT_RUNNING, asked=None),
    "end_encounter": Moments(setup=NOT_RUNNING, asked=None),
    "reveal": Moments(
        setup=NOT_RUNNING,
        running="encounter_not_ended",
        ended=None,
        revealed=None,
        asked="encounter_not_ended",
    ),
    "erase": Moments(ended=None, revealed=None),
    "contribute": Moments(running="already_started", asked="already_started"),
    "note": UNTIL_THE_SEED,
    "rewind": UNTIL_THE_SEED._replace(setup="rewind_before_start"),
}
"""By the type of the action; whatever stands not here is of the battle."""

EXAMPLES: Final[tuple[do.Action, ...]] = (
    do.Configure(),
    do.AddCombatant(combatant=fresh().state.rule.combatants[0]),
    do.RemoveCombatant(combatant="anders"),
    do.AssignControl(seat="ann"),
    add("zoe"),
    do.ChangeSeat(seat="ann"),
    do.RemoveSeat(seat="ann"),
    do.StartEncounter(),
    do.SetTerrain(),
    do.Adjust(),
    ToyAnswer(decision_id="d1.1", choice=PassChoice()),
    do.ForcePass(decision_id="d1.1"),
    do.EndEncounter(),
    do.Reveal(),
    do.Erase(seqs=(1,)),
    do.Contribute(value="ab" * 32),
    do.NoteAction(),
    do.Rewind(to=1),
    Step(combatant="anders", dx=0, dy=1),
    Sniff(),
)


def revealed() -> Table:
    """A battle whose dice are public."""
    table = ended()
    table.act(do.Reveal())
    return table


def tag_of(kind: do.Action | type[do.Action]) -> str:
    return str(kind.__struct_config__.tag)


def refusal(table: Table, action: do.Action, by: By = GM) -> str | None:
    """The code that the engine refuses with before the rules are asked."""
    try:
        require_askable(table.state, action, by, len(table.sealed) + 1)
    except WarlogError as refused:
        return refused.code
    return None


def test_every_common_action_is_taken_at_its_moments_alone() -> None:
    tables = [made() for made in (fresh, running, ended, revealed, asked)]
    found = {
        tag_of(action): Moments._make(refusal(table, action) for table in tables)
        for action in EXAMPLES
    }
    assert found == {"step": IN_BATTLE, "sniff": IN_BATTLE, **LIVES}


def test_a_battle_is_created_once() -> None:
    created = running().events[0].action
    assert refusal(running(), created) == "already_created"
    assert refusal(fresh(), created) == "already_created"
    require_askable(fresh().state, created, GM, 1)


@pytest.mark.parametrize("ruleset", [*RULESETS.values(), RULESET], ids=lambda each: each.slug)
def test_what_a_ruleset_adds_is_of_the_battle(ruleset: Ruleset[Any]) -> None:
    kinds: dict[str, type[do.Action]] = {tag_of(each): each for each in get_args(ruleset.action)}
    assert {tag for tag in LIVES if tag in kinds} >= {tag_of(each) for each in SHARED}
    for tag, kind in kinds.items():
        expected = LIVES.get(tag, IN_BATTLE)
        life = kind.LIFE
        assert (life.setup, life.running, life.ended) == expected[:3], tag
        assert life.is_until_seed == (expected.revealed == "seed_revealed"), tag


SHARED: Final = (do.RemoveCombatant, do.StartEncounter, do.ForcePass, *get_args(do.EngineAction))


def test_the_service_does_by_itself_only_what_nobody_else_will() -> None:
    taken = [tag_of(each) for each in EXAMPLES if refusal(running(), each, CLOCK) != "gm_only"]
    assert taken == ["end_encounter", "reveal"]


@pytest.mark.parametrize("role", ["player", "observer"])
def test_who_may_ask_stands_on_the_type(role: Role) -> None:
    by = By(kind="seat", id="ann", role=role, seat="ann", via=ANN.via)
    codes = {tag_of(action): refusal(running(), action, by) for action in EXAMPLES}
    refused = "gm_only" if role == "player" else "observer_cannot_act"
    of_players = {"answer", "contribute", "note", "rewind", "step"} if role == "player" else set()
    assert {tag for tag, code in codes.items() if code != refused} == of_players


# --- the vocabulary says the same -----------------------------------------------------------------


def test_the_vocabulary_says_when_each_action_is_taken() -> None:
    lines = [line for line in VOCABULARY.read_text().splitlines() if line.startswith("|")]
    start = next(n for n, line in enumerate(lines) if line.endswith("| decisions open |"))
    stated = {}
    for line in lines[start + 2 : start + 3 + len(LIVES)]:
        tag, *cells = (cell.strip(" `") for cell in line.strip("|").split("|"))
        stated[tag] = tuple(cells)
    kinds = {tag_of(each): each for each in map(type, EXAMPLES)}
    assert stated == {
        **{tag: row_of(kinds[tag]) for tag in LIVES},
        "anything else": row_of(Step),
    }


VOCABULARY: Final = ROOT / "service" / "engine" / "VOCABULARY.md"


def row_of(kind: type[do.Action]) -> tuple[str, ...]:
    """The line of an action type behind its name."""
    life = kind.LIFE
    who = "GM" if kind.WHO == "gm" else kind.WHO
    over = "until the seed" if life.is_until_seed else life.ended or "taken"
    waits = "decision_pending" if life.waits else "taken"
    return (
        f"{who}, service" if kind.BY_SERVICE else who,
        life.setup or "taken",
        life.running or "taken",
        over,
        waits if life.running is None else "-",
    )

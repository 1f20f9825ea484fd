"""Whole battles at random: nothing sampled is refused, and the log says all that happened."""

from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any

import pytest

from service.engine.log.canonical import encode
from service.engine.vocabulary.values import DiceMode
from service.errors import Forbidden, Malformed, Refused
from tests.kit.draw_names import require_named_draws
from tests.kit.played_battles import overruled
from tests.kit.random_battles import BY_PLAYER, ask, next_action, play, refolded
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.seat_changes import EVERY_WAY
from tests.kit.table import SEED, Table, effects_of, seated, tree_of
from tests.replay.memory_audit import audit
from tests.soak import with_soak

EVENTS = 120
OVERRULED_EVENTS = 80
MODES: list[tuple[DiceMode, int]] = [("sealed", 0), ("sealed", 3), ("supplied", 1)]
BATTLES = with_soak(range(1), range(1, 60))
FORESEEN = with_soak(
    [pytest.param(0, False), pytest.param(1, True)],
    [
        pytest.param(0, True),
        pytest.param(1, False),
        *(pytest.param(*each) for each in product(range(2, 60), [False, True])),
    ],
)
LONG_MODES = [
    *(pytest.param("sealed", number, marks=pytest.mark.soak) for number in (1, 2, *range(4, 60))),
    *(pytest.param("supplied", number, marks=pytest.mark.soak) for number in (0, *range(2, 20))),
]

pytestmark = pytest.mark.parametrize("rig", RIGS, ids=repr)


def battle(
    rig: Rig, number: int, *, with_secrets: bool = False, dice: DiceMode = "sealed"
) -> Table:
    """The battle of a number."""
    return seated(rig.ruleset, rig.battles.setup(number, with_secrets=with_secrets), dice=dice)


class Watch:
    """Takes actions and holds each event and state to what must hold of every one."""

    def __init__(self, rig: Rig, *, is_foreseen: bool) -> None:
        self._rig = rig
        self._is_foreseen = is_foreseen

    def __call__(self, table: Table, action: Mapping[str, Any], by: str) -> None:
        is_foreseen = self._is_foreseen and action["type"] != "force_pass"
        preview = tree_of(table.preview(action, by)) if is_foreseen else None
        ask(table, action, by)
        effects = effects_of(table.events[-1])
        self._rig.battles.require_sound(table.state.rule)
        self._rig.battles.require_explained(table.state.rule, effects)
        if preview is not None:
            self._rig.require_foreseen(preview, action, effects)
            chances = self._rig.odds.usual.told(action, preview)
            happened = [chances.get(each, 0) for each in self._rig.odds.usual.ended(effects)]
            assert not chances or not happened or max(happened) > 0


def require_refolded(table: Table) -> None:
    """The stored events give the state that the battle is in."""
    folded = refolded(table)
    assert encode(folded.rule) == encode(table.state.rule)
    assert encode(folded.linear) == encode(table.state.linear)


def require_clean(table: Table, mode: DiceMode) -> None:
    """Every event is decided again to the same, or overruled by the game master."""
    report = audit(table, seed=None if mode == "supplied" else SEED)
    assert report.clean, report.first_failure
    assert set(report.counts) <= {"match", "override"}


@pytest.mark.parametrize(("number", "with_secrets"), FORESEEN)
def test_nothing_sampled_is_refused_and_all_is_foreseen(
    rig: Rig, number: int, with_secrets: bool
) -> None:
    table = battle(rig, number, with_secrets=with_secrets)
    play(table, number, EVENTS, deed=Watch(rig, is_foreseen=True))
    assert len(table.events) > EVENTS // 4
    require_named_draws(table)


@pytest.mark.parametrize("number", BATTLES)
def test_players_who_do_not_know_everything_meet_outcomes_not_refusals(
    rig: Rig, number: int
) -> None:
    table = battle(rig, number, with_secrets=True)
    play(table, number, EVENTS, by=BY_PLAYER, deed=Watch(rig, is_foreseen=False))
    require_refolded(table)
    require_named_draws(table)


@pytest.mark.parametrize("number", with_soak([0], range(1, 20)))
def test_a_battle_with_the_tables_own_dice_goes_the_same_ways(rig: Rig, number: int) -> None:
    table = battle(rig, number, with_secrets=True, dice="supplied")
    play(table, number, EVENTS, by=BY_PLAYER, deed=Watch(rig, is_foreseen=False))
    require_refolded(table)
    require_named_draws(table)


@pytest.mark.parametrize(("mode", "number"), [*MODES, *LONG_MODES])
@pytest.mark.parametrize("has_seat_changes", with_soak([True], [False]))
def test_overruled_and_rewound_battles_go_on_and_audit_clean(
    rig: Rig, mode: DiceMode, number: int, *, has_seat_changes: bool
) -> None:
    table, _ = overruled(
        rig.ruleset.slug, number, mode, OVERRULED_EVENTS, has_seat_changes=has_seat_changes
    )
    require_refolded(table)
    require_clean(table, mode)
    require_named_draws(table)


def test_in_these_battles_seats_change_in_every_way(rig: Rig) -> None:
    done: set[str] = set()
    for mode, number in MODES:
        done |= overruled(rig.ruleset.slug, number, mode, OVERRULED_EVENTS, has_seat_changes=True)[
            1
        ]
    assert done >= EVERY_WAY


def test_the_same_seed_and_actions_give_the_same_bytes(rig: Rig) -> None:
    first, second = battle(rig, 3), battle(rig, 3)
    play(first, 3, EVENTS // 2)
    play(second, 3, EVENTS // 2)
    assert [each.body for each in first.sealed] == [each.body for each in second.sealed]


@pytest.mark.parametrize("number", with_soak(range(1), range(1, 20)))
def test_whatever_is_asked_is_done_whole_or_refused_without_a_trace(rig: Rig, number: int) -> None:
    table = battle(rig, number, with_secrets=True)
    dice = Random(number)
    table.ask({"type": "start_encounter"})
    for _ in range(400):
        before, stored = table.state, len(table.events)
        by = dice.choice(["gm", "gm", "ann", "bob", "eve"])
        action = rig.battles.nonsense(table, dice)
        sensible = next_action(table, dice) if dice.random() < 0.2 else None
        if sensible is not None:
            action, by = sensible
        try:
            table.ask(action, by)
        except (Refused, Forbidden, Malformed):
            assert table.state is before
            assert len(table.events) == stored
        rig.battles.require_sound(table.state.rule)
    assert encode(refolded(table).rule) == encode(table.state.rule)


def attack_in(rig: Rig, *alike: Table) -> Mapping[str, Any]:
    """An attack in these battles, after what has to come before it in each."""
    table, dice = alike[0], Random(0)
    while True:
        sampled = (each for who in table.speakers() for each in table.samples(who, 40))
        attack = next((each for each in sampled if each["type"] in rig.attacks), None)
        if attack is not None:
            return attack
        chosen = next_action(table, dice)
        assert chosen is not None
        for each in alike:
            ask(each, *chosen)


def test_a_refusal_draws_nothing_so_the_next_dice_are_the_same(rig: Rig) -> None:
    plain, disturbed = battle(rig, 8), battle(rig, 8)
    for table in (plain, disturbed):
        table.ask({"type": "start_encounter"})
    attack = attack_in(rig, plain, disturbed)
    with pytest.raises(Refused):
        disturbed.ask({**attack, **rig.battles.spoiled})
    for table in (plain, disturbed):
        table.ask(attack)
        while table.questions:
            table.ask({"type": "force_pass", "decision_id": table.questions[0][0]})
    assert plain.events[-1].draws
    assert plain.sealed[-1].body == disturbed.sealed[-1].body

"""What a battle lists as allowed, its samples and its previews, in every rulebook.

That nothing else is allowed is tested next to each rulebook, domain by domain.
"""

import pytest

from service.engine.log.canonical import encode
from service.errors import Malformed, Refused
from tests.kit.random_battles import ask, play
from tests.kit.rig import Rig, Tree
from tests.kit.rigs import RIGS
from tests.kit.table import Table, seated, tree_of
from tests.soak import with_soak

MOMENTS = with_soak(range(12), range(12, 60))
BATTLES = with_soak(range(2), range(2, 20))

pytestmark = pytest.mark.parametrize("rig", RIGS, ids=repr)


def moment(rig: Rig, number: int) -> Table:
    """A battle of which some was played, and somebody has the turn or is asked."""
    setup = rig.battles.varied(number) if number % 2 else rig.battles.setup(number)
    table = seated(rig.ruleset, setup)
    play(table, number, number % 11)
    return table


def beginning(rig: Rig, number: int) -> Table:
    """A battle of which three actions were played."""
    table = seated(rig.ruleset, rig.battles.setup(number))
    play(table, number, 3)
    return table


def refusal(table: Table, action: Tree) -> str | None:
    """Why an action of the game master is refused, None if it is not."""
    try:
        table.preview(action)
    except (Malformed, Refused) as refused:
        return refused.code
    return None


@pytest.mark.parametrize("number", MOMENTS)
def test_every_example_and_every_sample_is_accepted(rig: Rig, number: int) -> None:
    table = moment(rig, number)
    for actor in table.speakers():
        nodes = tree_of(table.legal_of(actor))
        sampled = table.samples(actor, 60)
        assert len(sampled) == 60
        assert table.samples(actor, 60) == sampled
        assert {action["type"] for action in sampled} <= {node["type"] for node in nodes}
        for action in (*(node["example"] for node in nodes), *sampled):
            assert refusal(table, action) is None, action
        before = len(table.events)
        for action in sampled[:4]:
            ask(table, action)
            table.ask({"type": "rewind", "to": before})
            if table.questions:
                return


@pytest.mark.parametrize("number", BATTLES)
def test_fewer_samples_are_the_first_of_more_and_they_vary(rig: Rig, number: int) -> None:
    table = beginning(rig, number)
    [actor, *_] = table.speakers()
    sampled = table.samples(actor, 25)
    assert len(sampled) == 25
    assert table.samples(actor, 10) == sampled[:10]
    nodes = table.legal_of(actor)
    is_free = len(nodes) > 1 or nodes[0].params
    assert len({encode(action) for action in sampled}) > 1 or table.questions or not is_free


@pytest.mark.parametrize("number", BATTLES)
def test_only_those_who_may_act_or_answer_have_samples(rig: Rig, number: int) -> None:
    table = beginning(rig, number)
    speakers = {actor.combatant for actor in table.speakers()}
    others = [each.id for each in table.state.rule.combatants if each.id not in speakers]
    assert others
    assert [table.samples(other, 3) for other in others] == [[]] * len(others)


@pytest.mark.parametrize("number", BATTLES)
def test_a_preview_changes_no_state_and_no_later_die(rig: Rig, number: int) -> None:
    table, undisturbed = beginning(rig, number), beginning(rig, number)
    [actor, *_] = table.speakers()
    before, bytes_before = table.state, encode(table.state.rule)
    sampled = table.samples(actor, 20)
    for action in sampled:
        table.preview(action)
    assert table.state is before
    assert encode(table.state.rule) == bytes_before
    for battle in (table, undisturbed):
        ask(battle, sampled[0])
    assert table.sealed[-1].hash == undisturbed.sealed[-1].hash


def test_the_actions_of_somebody_unseen_are_refused_as_those_of_nobody(rig: Rig) -> None:
    hidden = rig.fighter("h", rig.worlds.hidden_side, 0, 1, hidden=True)
    table = seated(rig.ruleset, rig.worlds.duel(hidden))
    table.ask({"type": "start_encounter"})
    for combatant in ("h", "nobody"):
        with pytest.raises(Refused) as refused:
            table.legal(combatant, "ann")
        assert refused.value.code == "unknown_combatant"

"""Luck shown of a bundle with withheld parts: what the service shows those whose sight it holds.

Every roll that counts is one that the service counts for such a seat, with the same odds and the
same outcome; every event with dice that the bundle's viewer sees counts or is left out by a reason.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

import pytest
from msgspec import UNSET

from service.encounters.views import viewer_then, widened
from service.engine.battle.linear import opened_at
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.values import DiceMode
from service.replay.audit.bundle_audit import audit_bundle
from service.replay.audit.event_auditor import Auditor, Charge
from service.replay.audit.luck_tally import LuckRoll
from service.replay.audit.seen_luck import SeenLuck
from service.replay.bundle.format import BundleGrant, BundleViewer
from service.replay.bundle.writer import viewer_between
from service.replay.report.luck import LuckReport
from service.replay.report.statistics import TABLE, seen_draws
from tests.kit.random_battles import BY_PLAYER, play
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.table import SEED, Table, seat_by, seated
from tests.kit.test_seen_states import Played, Rights, linears_of
from tests.replay.memory_audit import (
    blobs_of,
    bundle_of,
    evidence_in_memory,
    evidence_of,
    rulesets_of,
)

EVENTS: Final = 30
OVERRULED: Final = 12
FIRST: Final = 3
LONG: Final = 60

every_ruleset = pytest.mark.parametrize("rig", RIGS, ids=repr)


class Rolled(NamedTuple):
    """A roll with known odds and who asked for it."""

    seq: int
    asker: str
    purpose: str
    chance: Fraction
    is_success: bool


def nobodys(seq: int) -> Viewer:
    """What everybody may see."""
    return Viewer()


class Undisturbed(Played):
    """A battle that no game master overrules."""

    def __init__(self, rig: Rig, number: int, events: int) -> None:
        self.table = seated(rig.ruleset, rig.battles.setup(number))
        play(self.table, number, events, by=BY_PLAYER)
        self.linears = linears_of(self.table)


def rolled(asker: str, roll: LuckRoll) -> Rolled:
    """A roll of a seat."""
    return Rolled(roll.seq, asker, roll.purpose, roll.chance, roll.is_success)


def charge_of(table: Table, seat: str) -> Charge:
    """What the service audits a battle with for a seat that asks for luck."""
    linear, sides = table.state.linear, table.side_ids
    return Charge(
        encounter=table.encounter,
        ruleset=table.ruleset.slug,
        version=table.ruleset.version,
        seed=SEED,
        viewer_of_seq=lambda seq: viewer_then(seat_by(seat), linear, sides, seq),
        reader=seat_by(seat),
    )


def rolls_served(table: Table, seat: str) -> set[Rolled]:
    """The rolls with known odds that the service shows a seat of."""
    auditor = Auditor(rulesets_of(table), charge_of(table, seat), blobs_of(table))
    for each in evidence_of(table):
        auditor.judge(each)
    luck = auditor.counted.luck
    assert luck is not None
    return {rolled(asker, each) for asker, rolls in luck.rolls.items() for each in rolls}


def viewer_of(table: Table, rights: Rights) -> BundleViewer:
    """Whose parts a bundle holds."""
    linear, sides = table.state.linear, table.side_ids
    return viewer_between(
        lambda seq: widened(rights(seq), opened_at(linear, seq), sides), len(table.sealed)
    )


def luck_of(table: Table, viewer: BundleViewer) -> SeenLuck:
    """The luck that the bundle of a viewer shows."""
    sides = table.side_ids
    terms = Auditor(rulesets_of(table), charge_of(table, "ann"), blobs_of(table)).terms
    luck = SeenLuck(table.ruleset, viewer, terms)
    for sealed in table.sealed:
        evidence = evidence_in_memory(sealed, viewer.at(sealed.seq), sides)
        luck.take(sealed.seq, evidence, sides, holds=True)
    return luck


def require_battle(played: Played, everybody: Sequence[Rights]) -> int:
    """Of such bundles of a battle luck is right; how many rolls count."""
    table, count = played.table, 0
    served: dict[str, set[Rolled]] = {}
    for rights in everybody:
        viewer = viewer_of(table, rights)
        luck = luck_of(table, viewer)
        readers = luck.report(lambda seq: None).readers
        assert readers is not UNSET
        for name in {*readers} - served.keys():
            served[name] = rolls_served(table, name)
        told = {seq: (by, found) for seq, by, found in luck.found()}
        for by, found in told.values():
            asker = TABLE if by.seat is UNSET else by.seat
            for roll in found.rolls:
                assert any(rolled(asker, roll) in served[name] for name in readers)
            assert found.rolls or found.left_out
            count += len(found.rolls)
        assert {*told} == seqs_with_dice(table, viewer)
    return count


def seqs_with_dice(table: Table, viewer: BundleViewer) -> set[int]:
    """The events with dice that a bundle's viewer sees."""
    return {
        event.seq
        for event in table.events[1:]
        if seen_draws(event.draws, viewer.at(event.seq), table.side_ids)
    }


@every_ruleset
def test_rolls_of_a_bundle_have_the_odds_that_the_service_tells(rig: Rig) -> None:
    played = Undisturbed(rig, FIRST, EVENTS)
    count = require_battle(played, [*played.rights()][:2])
    served = sum(len(rolls_served(played.table, seat)) for seat in ("ann", "bob"))
    assert 0 < served <= 2 * count


@every_ruleset
def test_whatever_the_game_master_does_nothing_is_guessed(rig: Rig) -> None:
    played = Played(rig, 1, "sealed", OVERRULED)
    require_battle(played, [*played.rights()][:1])
    played.end()
    require_battle(played, [nobodys])


@every_ruleset
def test_after_an_event_that_does_not_hold_nothing_is_known(rig: Rig) -> None:
    table = Undisturbed(rig, FIRST, EVENTS).table
    viewer, sides = (
        BundleViewer(kind="sides", grants=(BundleGrant(since=1, sides=("red",)),)),
        table.side_ids,
    )
    terms = Auditor(rulesets_of(table), charge_of(table, "ann"), blobs_of(table)).terms
    luck = SeenLuck(table.ruleset, viewer, terms)
    for sealed in table.sealed:
        evidence = evidence_in_memory(sealed, viewer.at(sealed.seq), sides)
        luck.take(sealed.seq, evidence, sides, holds=sealed.seq != 2)
    found = [(seq, luck.left_out) for seq, _, luck in luck.found()]
    assert found == [(seq, ("sealed",)) for seq in sorted(seqs_with_dice(table, viewer))]


def test_a_report_says_whose_previews_it_goes_by() -> None:
    played = Undisturbed(RIGS[0], FIRST, EVENTS)
    table = played.table
    bundle = bundle_of(table, lambda seq: Viewer(sides=("red",)))
    report = audit_bundle(bundle, rulesets_of(table), with_luck=True)
    viewer = viewer_of(table, lambda seq: Viewer(sides=("red",)))
    assert report.clean
    assert report.luck == luck_of(table, viewer).report(lambda seq: None)
    assert isinstance(report.luck, LuckReport)
    assert report.luck.readers == ("ann",)
    assert not isinstance(audit_bundle(bundle, rulesets_of(table)).luck, LuckReport)


@pytest.mark.soak
@every_ruleset
@pytest.mark.parametrize("mode", ["sealed", "supplied"])
@pytest.mark.parametrize("number", range(6))
def test_so_it_is_in_long_battles(rig: Rig, mode: DiceMode, number: int) -> None:
    played = Played(rig, number, mode, LONG)
    require_battle(played, [*played.rights()])
    played.end()
    require_battle(played, [nobodys])

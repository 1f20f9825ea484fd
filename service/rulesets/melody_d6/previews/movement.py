"""The preview of movements, of masking, and of the detection rolls that end a movement."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import UNSET, UnsetType

from service.engine.battle.roster import existing
from service.engine.geometry.segments import Spot
from service.engine.kit.previews import odds_of
from service.engine.ruleset.definition import Preview
from service.rulesets.melody_d6.actions import Charge, EndMovement, Mask, Move, Path
from service.rulesets.melody_d6.deciding.activation import require_end_of_movement
from service.rulesets.melody_d6.deciding.charges import require_charge
from service.rulesets.melody_d6.deciding.detection import Search, searches
from service.rulesets.melody_d6.deciding.masks import require_mask
from service.rulesets.melody_d6.deciding.movements import is_mask_lost_there
from service.rulesets.melody_d6.deciding.moves import allowance_of, require_move, spots_of
from service.rulesets.melody_d6.occupancy import base_of, enemies_of, may_detect, spot_of
from service.rulesets.melody_d6.previews.face_sets import D6
from service.rulesets.melody_d6.previews.facts import (
    Facts,
    ForeseenDetection,
    ForeseenMovement,
    ForeseenTest,
)
from service.rulesets.melody_d6.previews.follow_ups import guards_asked
from service.rulesets.melody_d6.previews.foreseen_tests import FACES, odds_of_test
from service.rulesets.melody_d6.previews.knowledge import Asker
from service.rulesets.melody_d6.rules.detection import (
    Searcher,
    detection_result,
    is_detected,
    is_detected_on_way,
    is_out_of_reach,
    nearest_searcher,
)
from service.rulesets.melody_d6.rules.lasting import touch
from service.rulesets.melody_d6.rules.movement import (
    Base,
    Deed,
    are_engaged,
    is_mask_lost_at_declaration,
)
from service.rulesets.melody_d6.rules.templates import coverage_of
from service.rulesets.melody_d6.shapes import laid
from service.rulesets.melody_d6.state import BattleState, Combatant, is_masked

Way = tuple[Spot, ...]
"""The points of a movement, its start among them."""


def preview_move(asker: Asker, action: Move) -> Preview:
    """The preview of a move. Raises Refused as deciding it would."""
    return _movement(asker, action.combatant, action.path, require_move(asker.view, action), "move")


def preview_charge(asker: Asker, action: Charge) -> Preview:
    """The preview of a charge. Raises Refused as deciding it would."""
    cost = require_charge(asker.view, action)
    return _movement(asker, action.combatant, action.path, cost, "charge")


def _movement(asker: Asker, combatant: str, path: Path, cost: int, deed: Deed) -> Preview:
    rule = asker.rule
    mover = existing(rule, combatant)
    way = (spot_of(mover), *spots_of(path))
    end = Base(way[-1], mover.base_radius)
    enemies = enemies_of(rule, mover.side)
    touched = dict(_touched(rule, mover, end.spot))
    facts = ForeseenMovement(
        cost=cost,
        allowance=allowance_of(asker.view, mover),
        end=path[-1],
        uncovered=_uncovered(asker, mover, way, deed),
        detected=tuple(_detected(rule, mover, way)),
        engaged=tuple(each.id for each in enemies if are_engaged(end, base_of(each))),
        enters=tuple(song for song, what in touched.items() if what == "test"),
        leaves=tuple(song for song, what in touched.items() if what == "leave"),
    )
    opens = () if mover.hidden else guards_asked(asker)
    return Preview(legal=True, facts=Facts(movement=facts), opens=opens)


def _touched(rule: BattleState, mover: Combatant, end: Spot) -> Iterator[tuple[str, str]]:
    """What becomes of the mover and each song with a template."""
    for song in rule.songs:
        template = laid(song.shape)
        if template is not None:
            coverage = coverage_of(template, end, mover.base_radius)
            yield song.id, touch(coverage, is_affected=song.id in mover.songs)


def _uncovered(asker: Asker, mover: Combatant, way: Way, deed: Deed) -> str | UnsetType:
    rule = asker.rule
    if not is_masked(mover):
        return UNSET
    is_lost_at_end = is_mask_lost_there(asker.view, mover.id, way[-1])
    if is_mask_lost_at_declaration(deed, is_lost_at_end=is_lost_at_end):
        return "charged" if deed == "charge" else "left_cover"
    enemies = (each for each in enemies_of(rule, mover.side) if may_detect(each))
    is_seen = any(
        is_detected_on_way(
            way, mover.base_radius, base_of(each), each.mobility, rule.options.measure
        )
        for each in enemies
    )
    return "detected_auto" if is_seen else UNSET


def _detected(rule: BattleState, mover: Combatant, way: Way) -> Iterator[str]:
    if not may_detect(mover):
        return
    for enemy in enemies_of(rule, mover.side):
        if is_masked(enemy) and is_detected_on_way(
            way, mover.base_radius, base_of(enemy), mover.mobility, rule.options.measure
        ):
            yield enemy.id


def preview_mask(asker: Asker, action: Mask) -> Preview:
    """The preview of masking: its price. Raises Refused as deciding it would."""
    left = require_mask(asker.view, action)
    warriors = [existing(asker.rule, each) for each in action.combatants]
    opens = () if all(each.hidden for each in warriors) else guards_asked(asker)
    return Preview(legal=True, facts=Facts(fp_left=left), opens=opens)


def preview_end_of_movement(asker: Asker, action: EndMovement) -> Preview:
    """The preview of the rolls at the end of movement: that anybody is `detected`, or nobody.

    Raises Refused as deciding it would.
    """
    require_end_of_movement(asker.rule, action)
    rolls = [roll for search in searches(asker.rule) if (roll := _roll_of(asker, search))]
    unseen = Fraction(1)
    for searcher, search in rolls:
        unseen *= 1 - _chance(asker.rule, searcher, search.masked)
    facts = Facts(detections=tuple(_detection(asker, *roll) for roll in rolls))
    unknown = [
        searcher.id
        for searcher, _ in rolls
        if not asker.knows_numbers(existing(asker.rule, searcher.id))
    ]
    odds = (odds_of("detected", 1 - unseen), odds_of("undetected", unseen))
    return Preview(
        legal=True,
        facts=facts,
        odds=odds if rolls and not unknown else (),
        unknown=("mobility",) if unknown else (),
    )


def _roll_of(asker: Asker, search: Search) -> tuple[Searcher, Search] | None:
    """The roll of a search, if any is made."""
    measure = asker.rule.options.measure
    bases = [base_of(each) for each in search.masked]
    searcher = nearest_searcher(search.searchers, bases, measure)
    if searcher is None or is_out_of_reach(searcher, bases, measure):
        return None
    return searcher, search


def _chance(rule: BattleState, searcher: Searcher, masked: tuple[Combatant, ...]) -> Fraction:
    """The chance that a roll detects any of these."""
    measure = rule.options.measure
    finding = sum(
        any(
            is_detected(
                detection_result(face, searcher.mobility), searcher.base, base_of(each), measure
            )
            for each in masked
        )
        for face in FACES
    )
    return Fraction(finding, D6)


def _detection(asker: Asker, searcher: Searcher, search: Search) -> ForeseenDetection:
    warrior = existing(asker.rule, searcher.id)
    is_known = asker.knows_numbers(warrior)
    return ForeseenDetection(
        combatant=searcher.id,
        base=asker.number(warrior, searcher.mobility),
        tested=tuple(
            ForeseenTest(
                check="detection",
                combatant=each.id,
                odds=odds_of_test(_chance(asker.rule, searcher, (each,))) if is_known else (),
            )
            for each in search.masked
        ),
    )

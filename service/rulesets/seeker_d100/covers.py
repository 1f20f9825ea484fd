"""The covers on the ground as the rules use them: those of the map, changed, and hidden ones."""

from msgspec import UNSET

from service.engine.battle.state import State
from service.rulesets.seeker_d100.content import armour_sample, named_blob
from service.rulesets.seeker_d100.rules.cover import CoverSegment
from service.rulesets.seeker_d100.state import BattleState
from service.rulesets.seeker_d100.terrain import CoverChange, Ground


def cover_names(battle: State[BattleState]) -> tuple[str, ...]:
    """The ids of all covers that this map has or ever had, secret ones included."""
    rule = battle.rule
    board = named_blob(battle.terms, rule.map)
    mapped = () if board is None or board.cover is UNSET else board.cover
    return (
        *(cover.id for cover in mapped),
        *(change.feature for change in (*rule.terrain, *rule.secrets)),
    )


def public_covers(battle: State[BattleState]) -> tuple[CoverSegment, ...]:
    """The covers that everyone knows, by id."""
    return _covers(battle, ())


def covers_of(battle: State[BattleState]) -> tuple[CoverSegment, ...]:
    """The covers as they are, with those that only the game master knows, by id."""
    return _covers(battle, battle.rule.secrets)


def _covers(
    battle: State[BattleState], secrets: tuple[CoverChange, ...]
) -> tuple[CoverSegment, ...]:
    """The covers with these secrets, built again only when what they are made of changes."""
    rule = battle.rule
    board, content = named_blob(battle.terms, rule.map), named_blob(battle.terms, rule.content)
    scale = rule.options.cell_m if board is not None and board.unit == "cells" else 1
    table, key = rule.lookups.covers, bool(secrets)
    inputs = (board, content, rule.terrain, secrets, scale)
    covers = table.find(key, inputs)
    if covers is not None:
        return covers
    by_id: dict[str, CoverSegment] = {}
    if board is not None and board.cover is not UNSET:
        by_id = {cover.id: cover_of(battle, cover.id, cover, scale) for cover in board.cover}
    for change in (*rule.terrain, *secrets):
        if change.terrain is UNSET:
            by_id.pop(change.feature, None)
        else:
            by_id[change.feature] = cover_of(battle, change.feature, change.terrain, 1)
    return table.keep(key, inputs, tuple(by_id[cover_id] for cover_id in sorted(by_id)))


def cover_of(battle: State[BattleState], name: str, ground: Ground, scale: int) -> CoverSegment:
    """A cover as the rules use it, its value looked up in the content if it names a sample."""
    armour = 0 if ground.armour is UNSET else ground.armour
    if ground.sample is not UNSET and ground.armour is UNSET:
        sample = armour_sample(battle, ground.sample)
        armour = 0 if sample is None else sample.value
    return CoverSegment(
        id=name,
        start=(ground.start.x * scale, ground.start.y * scale),
        end=(ground.end.x * scale, ground.end.y * scale),
        degree=ground.degree,
        armour=armour,
        exposed=ground.exposed,
    )

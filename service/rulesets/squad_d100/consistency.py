"""What the visible data of this ruleset's effects must agree in, for audits that lack parts."""

from collections.abc import Iterator, Mapping

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import TableOptions
from service.engine.ruleset.consistency import (
    Contradiction,
    Number,
    ShownDetail,
    ShownHurt,
    ShownRoll,
    as_shown,
    impossible,
    misdealt,
    summed,
    unexplained,
    unlike,
    unsaid,
)
from service.rulesets.squad_d100.rules.melee import melee_outcome
from service.rulesets.squad_d100.rules.shots import Outcome, shot_outcome
from service.rulesets.squad_d100.rules.suppression import suppression_outcome
from service.rulesets.squad_d100.rules.vigilance import vigilance_outcome
from service.rulesets.squad_d100.state import Options


class _Detail(ShownDetail, frozen=True, kw_only=True):
    result: Number = UNSET
    threshold: Number = UNSET


class _Attack(Struct, frozen=True, kw_only=True):
    outcome: str
    detail: _Detail | UnsetType = UNSET


class _Check(Struct, frozen=True, kw_only=True):
    outcome: str
    roll: ShownRoll | UnsetType = UNSET
    needed: Number = UNSET


def contradictions(effect: Mapping[str, object], options: TableOptions) -> Iterator[Contradiction]:
    """What an effect says of itself that does not fit. Raises msgspec.ValidationError."""
    if not isinstance(options, Options):
        return
    match effect.get("type"):
        case "attack_resolved":
            attack = as_shown(effect, _Attack)
            if attack.detail is not UNSET and attack.outcome != "wasted":
                yield from _of_attack(attack.outcome, attack.detail, options)
        case "check_resolved":
            check = as_shown(effect, _Check)
            if check.roll is not UNSET:
                natural, needed = check.roll.total, check.needed
                # A hidden threshold was undercut, or it was not.
                ends = (natural, natural + 1) if needed is UNSET else (needed,)
                outcomes = {vigilance_outcome(natural, each) for each in ends}
                yield from impossible("outcome", check.outcome, outcomes)
        case "hurt":
            hurt = as_shown(effect, ShownHurt)
            if hurt.breakdown:
                yield from misdealt(hurt, 0)
        case _:
            pass


def _of_attack(outcome: str, detail: _Detail, options: Options) -> Iterator[Contradiction]:
    yield from unlike("detail.pool", detail.pool, summed(0, detail.breakdown))
    if detail.roll is UNSET:
        return
    natural, pool, threshold = detail.roll.total, detail.pool, detail.threshold
    if detail.mode == "suppression":
        outcomes = {suppression_outcome(natural, options.crit_success_max)}
        yield from impossible("outcome", outcome, outcomes)
        return
    yield from unexplained("detail.breakdown", detail.breakdown, options)
    yield from unsaid("detail.pool", pool, options)
    yield from unsaid("detail.threshold", threshold, options)
    if pool is UNSET or threshold is UNSET:
        # A hidden threshold was undercut, or it was not.
        ends = (natural, natural + 1)
        outcomes = {_outcome(detail.mode, natural, 0, each, options) for each in ends}
    else:
        yield from unlike("detail.result", detail.result, natural + pool)
        outcomes = {_outcome(detail.mode, natural, pool, threshold, options)}
    yield from impossible("outcome", outcome, outcomes)


def _outcome(
    mode: str | UnsetType, natural: int, pool: int, threshold: int, options: Options
) -> Outcome:
    crit = options.crit_success_max
    if mode == "melee":
        equal_hits = options.melee_equal_hits
        return melee_outcome(natural, pool, threshold, crit, equal_hits=equal_hits)
    return shot_outcome(natural, pool, threshold, crit)

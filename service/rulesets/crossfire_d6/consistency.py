"""What the visible data of this ruleset's effects must agree in, for audits that lack parts."""

from collections.abc import Iterator, Mapping

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import TableOptions
from service.engine.ruleset.consistency import (
    Contradiction,
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
from service.rulesets.crossfire_d6.rules.defaults import attack_outcome
from service.rulesets.crossfire_d6.rules.suppression import is_hidden
from service.rulesets.crossfire_d6.state import Options


class _Detail(ShownDetail, frozen=True, kw_only=True):
    critical: bool | UnsetType = UNSET


class _Attack(Struct, frozen=True, kw_only=True):
    outcome: str
    detail: _Detail | UnsetType = UNSET


class _Opposed(Struct, frozen=True, kw_only=True):
    roll: ShownRoll | UnsetType = UNSET


class _Check(Struct, frozen=True, kw_only=True):
    outcome: str
    roll: ShownRoll | UnsetType = UNSET
    opposed: _Opposed | UnsetType = UNSET


def contradictions(effect: Mapping[str, object], options: TableOptions) -> Iterator[Contradiction]:
    """What an effect says of itself that does not fit. Raises msgspec.ValidationError."""
    if not isinstance(options, Options):
        return
    match effect.get("type"):
        case "attack_resolved":
            yield from _of_attack(as_shown(effect, _Attack), options)
        case "check_resolved":
            yield from _of_check(as_shown(effect, _Check), options)
        case "hurt":
            hurt = as_shown(effect, ShownHurt)
            yield from misdealt(hurt, hurt.rolled)
        case _:
            pass


def _of_attack(attack: _Attack, options: Options) -> Iterator[Contradiction]:
    detail = attack.detail
    if detail is UNSET:
        return
    yield from unlike("detail.critical", detail.critical, attack.outcome == "critical")
    yield from unlike("detail.pool", detail.pool, summed(detail.base, detail.breakdown))
    if detail.roll is UNSET:
        return
    yield from unsaid("detail.pool", detail.pool, options)
    yield from unexplained("detail.breakdown", detail.breakdown, options)
    if detail.against is not UNSET:
        yield from unsaid("detail.against.needed", detail.against.needed, options)
    faces = detail.roll.faces
    yield from unlike("detail.roll.total", detail.roll.total, sum(faces))
    yield from unlike("detail.pool", detail.pool, len(faces))
    needed = UNSET if detail.against is UNSET else detail.against.needed
    # A hidden defence was reached, or it was not.
    defences = (detail.roll.total, detail.roll.total + 1) if needed is UNSET else (needed,)
    sixes = options.natural_crit_sixes
    outcomes = {attack_outcome(faces, defence, sixes) for defence in defences}
    yield from impossible("outcome", attack.outcome, outcomes)


def _of_check(check: _Check, options: Options) -> Iterator[Contradiction]:
    if check.roll is UNSET or check.opposed is UNSET or check.opposed.roll is UNSET:
        return
    ours, theirs = check.roll.total, check.opposed.roll.total
    is_success = is_hidden(ours, theirs, tie_succeeds=options.hide_tie_succeeds)
    yield from unlike("outcome", check.outcome, "success" if is_success else "failure")

"""What the visible data of this ruleset's effects must agree in, for audits that lack parts."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import TableOptions
from service.engine.ruleset.consistency import (
    Contradiction,
    Lines,
    Number,
    ShownDetail,
    ShownRoll,
    as_shown,
    impossible,
    summed,
    unexplained,
    unlike,
    unsaid,
)
from service.rulesets.melody_d6.options import Options
from service.rulesets.melody_d6.rules.dampening import (
    Automatic,
    automatic_result,
    dampening_outcome,
)
from service.rulesets.melody_d6.rules.fights import fight_outcome
from service.rulesets.melody_d6.rules.mobility import passes_mobility
from service.rulesets.melody_d6.rules.panic import holds
from service.rulesets.melody_d6.rules.resistance import is_resisted
from service.rulesets.melody_d6.rules.shooting import HIT_NEEDED, hit_die
from service.rulesets.melody_d6.rules.songs import is_sung
from service.rulesets.melody_d6.rules.templates import is_affected_in_part
from service.rulesets.melody_d6.rules.wounds import saves_made, wounds_made


class _Further(Struct, frozen=True, kw_only=True):
    purpose: str
    roll: ShownRoll | UnsetType = UNSET
    needed: Number = UNSET
    successes: Number = UNSET


class _Detail(ShownDetail, frozen=True, kw_only=True):
    reasons: tuple[str, ...] | UnsetType = UNSET
    hits: Number = UNSET
    wounds: _Further | UnsetType = UNSET
    saves: _Further | UnsetType = UNSET


class _Attack(Struct, frozen=True, kw_only=True):
    outcome: str
    detail: _Detail | UnsetType = UNSET


class _Reroll(Struct, frozen=True, kw_only=True):
    roll: ShownRoll | UnsetType = UNSET


class _Tested(Struct, frozen=True, kw_only=True):
    detected: bool


class _Check(Struct, frozen=True, kw_only=True):
    check: str
    outcome: str
    roll: ShownRoll | UnsetType = UNSET
    reroll: _Reroll | UnsetType = UNSET
    base: Number = UNSET
    breakdown: Lines = UNSET
    total: Number = UNSET
    needed: Number = UNSET
    classification: str | UnsetType = UNSET
    automatic: Automatic | UnsetType = UNSET
    tested: tuple[_Tested, ...] = ()


def contradictions(effect: Mapping[str, object], options: TableOptions) -> Iterator[Contradiction]:
    """What an effect says of itself that does not fit. Raises msgspec.ValidationError."""
    if not isinstance(options, Options):
        return
    match effect.get("type"):
        case "attack_resolved":
            attack = as_shown(effect, _Attack)
            if attack.detail is not UNSET:
                yield from _of_attack(attack.outcome, attack.detail, options)
        case "check_resolved":
            check = as_shown(effect, _Check)
            yield from _of_numbers(check)
            yield from _of_check(check, options)
        case _:
            pass


# --- attacks --------------------------------------------------------------------------------------


def _of_attack(outcome: str, detail: _Detail, options: Options) -> Iterator[Contradiction]:
    yield from unlike("detail.pool", detail.pool, summed(detail.base, detail.breakdown))
    if detail.roll is not UNSET:
        yield from unexplained("detail.breakdown", detail.breakdown, options)
        yield from unsaid("detail.pool", detail.pool, options)
        told = _of_fight if detail.mode == "fight" else _of_shot
        yield from told(outcome, detail, detail.roll)
    for name, further in (("wounds", detail.wounds), ("saves", detail.saves)):
        if further is not UNSET:
            for each in _of_further(further):
                yield each.within(f"detail.{name}")


def _of_shot(outcome: str, detail: _Detail, roll: ShownRoll) -> Iterator[Contradiction]:
    """Each die of a shot hits by its face, or with what is added to it."""
    reasons = tuple(hit_die(face, 0).reason for face in roll.faces)
    yield from unlike("detail.reasons", detail.reasons, reasons)
    # What is added may be hidden: between nothing hits and everything does all is possible.
    bonuses = range(-HIT_NEEDED, HIT_NEEDED) if detail.pool is UNSET else (detail.pool,)
    hits = {sum(hit_die(face, bonus).is_hit for face in roll.faces) for bonus in bonuses}
    yield from impossible("detail.hits", detail.hits, hits)
    yield from unlike("outcome", outcome, "hit" if detail.hits else "miss")
    if detail.against is not UNSET:
        yield from unlike("detail.against.needed", detail.against.needed, HIT_NEEDED)


def _of_fight(outcome: str, detail: _Detail, roll: ShownRoll) -> Iterator[Contradiction]:
    """The higher total of die and melee wins a fight."""
    yield from unlike("detail.hits", detail.hits, int(outcome == "hit"))
    against = detail.against
    if against is UNSET or against.roll is UNSET or against.base is UNSET or detail.pool is UNSET:
        return
    expected = fight_outcome(roll.total + detail.pool, against.roll.total + against.base)
    yield from unlike("outcome", outcome, expected)


def _of_further(further: _Further) -> Iterator[Contradiction]:
    """So many wound dice or saves succeeded."""
    if further.roll is UNSET or further.needed is UNSET:
        return
    made = _successes(further.purpose, further.roll.faces, further.needed)
    yield from unlike("successes", further.successes, made)


def _successes(purpose: str, faces: Sequence[int], needed: int) -> int:
    return (wounds_made if purpose == "wound" else saves_made)(faces, needed)


# --- checks ---------------------------------------------------------------------------------------


def _of_numbers(check: _Check) -> Iterator[Contradiction]:
    """Faces, base and lines lead to the total; base and lines to the number of a panic test."""
    bonus = summed(check.base, check.breakdown)
    if check.check in ("panic", "rally"):
        yield from unlike("needed", check.needed, bonus)
    elif check.roll is not UNSET and bonus is not UNSET:
        again = UNSET if check.reroll is UNSET else check.reroll.roll
        natural = check.roll.total + (0 if again is UNSET else again.total)
        yield from unlike("total", check.total, natural + bonus)


def _of_check(check: _Check, options: Options) -> Iterator[Contradiction]:
    if any(each.detected for each in check.tested):
        yield from unlike("outcome", check.outcome, "success")
    if check.roll is not UNSET:
        if check.check == "dampening":
            automatic = automatic_result(check.roll.faces)
            yield from unlike("automatic", check.automatic, automatic)
        is_success = _is_success(check, check.roll, options)
        if is_success is not None:
            yield from unlike("outcome", check.outcome, "success" if is_success else "failure")


def _is_success(check: _Check, roll: ShownRoll, options: Options) -> bool | None:
    """Whether a check succeeds, None where that cannot be told from what is shown."""
    if check.check == "template":
        return is_affected_in_part(roll.total)
    if check.check == "song" and check.classification in ("monstrous_power", "terrible_mistake"):
        return check.classification == "monstrous_power"
    if check.needed is UNSET:
        return None
    if check.check in ("song", "dampening"):
        return None if check.total is UNSET else _is_sung(check, check.total, check.needed)
    return _is_rolled(check.check, roll, check.needed, options)


def _is_sung(check: _Check, total: int, needed: int) -> bool:
    if check.check == "song" or check.automatic is UNSET:
        return is_sung(total, needed)
    return dampening_outcome(check.automatic, total, needed)


def _is_rolled(check: str, roll: ShownRoll, needed: int, options: Options) -> bool | None:
    match check:
        case "mobility":
            return passes_mobility(roll.total, needed, six_fails=options.mobility_six_fails)
        case "resistance":
            return is_resisted(roll.total, needed)
        case "panic" | "rally":
            return holds(roll.total, needed)
        case "wound" | "save":
            return bool(_successes(check, roll.faces, needed))
        case _:
            return None

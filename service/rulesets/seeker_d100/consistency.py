"""What the visible data of this ruleset's effects must agree in, for audits that lack parts."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import TableOptions
from service.engine.ruleset.consistency import (
    Contradiction,
    Contradictions,
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
from service.rulesets.seeker_d100.rules.attack import attack_outcome
from service.rulesets.seeker_d100.rules.checks import (
    OUTCOMES,
    CheckRoll,
    Level,
    is_success,
    level_of,
    level_rule,
)
from service.rulesets.seeker_d100.rules.escape import breaks_free
from service.rulesets.seeker_d100.rules.opposed import Winner, answer_outcome, opposed
from service.rulesets.seeker_d100.rules.words import Answered
from service.rulesets.seeker_d100.state import Options

_ESCAPES: Final[dict[Winner, str]] = {
    "acting": "success",
    "answering": "failure",
    "stalemate": "stalemate",
}
"""How an attempt to break free ends, by who won."""


class _Roll(Struct, frozen=True, kw_only=True):
    """A percentile roll: its chance, its level, and what made it critical or a fumble."""

    roll: ShownRoll | UnsetType = UNSET
    natural: Number = UNSET
    needed: Number = UNSET
    level: Level | UnsetType = UNSET
    level_rule: str | UnsetType = UNSET

    @property
    def compared(self) -> CheckRoll | None:
        """As it is compared with another; None where that is hidden."""
        natural = self.natural if self.roll is UNSET else self.roll.total
        if natural is UNSET or self.level is UNSET:
            return None
        return CheckRoll(natural, self.level)


class _Detail(ShownDetail, frozen=True, kw_only=True):
    level: Level | UnsetType = UNSET
    level_rule: str | UnsetType = UNSET

    @property
    def check(self) -> _Roll:
        """The attack roll, whose chance stands in `pool`."""
        return _Roll(roll=self.roll, needed=self.pool, level=self.level, level_rule=self.level_rule)


class _Answered(_Roll, frozen=True, kw_only=True):
    kind: str
    outcome: str
    rules: tuple[str, ...] = ()


class _Attack(Struct, frozen=True, kw_only=True):
    outcome: str
    detail: _Detail | UnsetType = UNSET
    answered: _Answered | UnsetType = UNSET


class _Area(Struct, frozen=True, kw_only=True):
    outcome: str
    victims: tuple[_Attack, ...] = ()
    detail: _Detail | UnsetType = UNSET


class _Check(_Roll, frozen=True, kw_only=True):
    check: str
    outcome: str
    opposed: _Roll | UnsetType = UNSET


class _Report(Struct, frozen=True, kw_only=True):
    value: str | UnsetType = UNSET
    facts: dict[str, int] | UnsetType = UNSET


class _Hurt(ShownHurt, frozen=True, kw_only=True):
    reports: tuple[_Report, ...] | UnsetType = UNSET


class _Terms(NamedTuple):
    """How effects are read: the options of the table, and the rule of dodges by a plain check."""

    options: Options
    plain_rule: str | None


def contradictions_with(plain_rule: str | None) -> Contradictions:
    """How effects are read where dodges by this rule, if there is one, are plain checks."""

    def contradictions(
        effect: Mapping[str, object], options: TableOptions
    ) -> Iterator[Contradiction]:
        if isinstance(options, Options):
            yield from _contradictions(effect, options, _Terms(options, plain_rule))

    return contradictions


def _contradictions(
    effect: Mapping[str, object], options: Options, terms: _Terms
) -> Iterator[Contradiction]:
    """What an effect says of itself that does not fit. Raises msgspec.ValidationError."""
    match effect.get("type"):
        case "attack_resolved":
            attack = as_shown(effect, _Attack)
            if attack.detail is not UNSET:
                yield from _of_detail(attack.detail, options)
                yield from _of_target(attack, attack.detail, terms)
        case "area_resolved":
            yield from _of_area(as_shown(effect, _Area), terms)
        case "check_resolved":
            yield from _of_check(as_shown(effect, _Check), options)
        case "hurt":
            hurt = as_shown(effect, _Hurt)
            yield from misdealt(hurt, _damage_of(hurt))
        case _:
            pass


def _of_roll(rolled: _Roll, options: Options) -> Iterator[Contradiction]:
    """A level is that of the face against the chance."""
    if rolled.roll is UNSET:
        return
    natural, doubles = rolled.roll.total, options.doubles
    # A hidden chance was undercut, or it was not.
    chances = (natural, natural - 1) if rolled.needed is UNSET else (rolled.needed,)
    levels = {level_of(natural, chance, doubles=doubles) for chance in chances}
    yield from impossible("level", rolled.level, levels)
    rule = level_rule(natural, doubles=doubles)
    yield from impossible("level_rule", rolled.level_rule, {rule} if rule else ())


def _of_detail(detail: _Detail, options: Options) -> Iterator[Contradiction]:
    for each in _of_roll(detail.check, options):
        yield each.within("detail")
    yield from unlike("detail.pool", detail.pool, summed(detail.base, detail.breakdown))
    if detail.roll is not UNSET:
        yield from unexplained("detail.breakdown", detail.breakdown, options)
        yield from unsaid("detail.pool", detail.pool, options)


def _of_target(attack: _Attack, detail: _Detail, terms: _Terms) -> Iterator[Contradiction]:
    """What an attack roll and an answer come to for one target."""
    acting, answered = detail.check.compared, attack.answered
    if answered is not UNSET:
        for each in _of_answer(answered, acting, terms):
            yield each.within("answered")
    if acting is None or attack.outcome == "wasted":
        return
    is_won = answered is not UNSET and answered.outcome == "success"
    if answered is UNSET or answered.kind == "take_cover" or not is_won:
        yield from impossible("outcome", attack.outcome, {attack_outcome(acting.level, None, None)})
        return
    ways: dict[str, tuple[Answered, ...]] = {"dodge": ("dodge",), "resist": ("resist_block",)}
    outcomes = {
        attack_outcome(acting.level, "answering", each)
        for each in ways.get(answered.kind, ("dodge", "resist_block"))
    }
    yield from impossible("outcome", attack.outcome, outcomes)


def _of_answer(
    answered: _Answered, acting: CheckRoll | None, terms: _Terms
) -> Iterator[Contradiction]:
    """An answer succeeds by its own roll, or against that of the attack."""
    yield from _of_roll(answered, terms.options)
    answering = answered.compared
    if answering is None:
        return
    plain = "success" if is_success(answering.level) else "failure"
    if answered.kind == "take_cover" or terms.plain_rule in answered.rules:
        yield from unlike("outcome", answered.outcome, plain)
        return
    if acting is None:
        return
    outcome = answer_outcome(opposed(acting, answering, terms.options.opposed_die).winner)
    outcomes: set[str] = {outcome}
    if terms.plain_rule is not None and not answered.rules:
        # How it was read is hidden with the weapon, and so whether nobody won.
        outcomes = {plain, "success" if outcome == "success" else "failure"}
    yield from impossible("outcome", answered.outcome, outcomes)


def _damage_of(hurt: _Hurt) -> Number:
    """What the weapon did before any armour; UNSET where it killed, or that is hidden."""
    if hurt.reports is UNSET:
        return UNSET
    if not hurt.reports:
        return hurt.rolled
    report = hurt.reports[0]
    if report.facts is UNSET:
        return UNSET
    if report.value == "digits":
        # A digit 0 counts 10.
        return sum(report.facts.get(digit, 0) or 10 for digit in ("a", "b"))
    return report.facts.get("damage", UNSET)


def _of_area(area: _Area, terms: _Terms) -> Iterator[Contradiction]:
    if area.detail is UNSET:
        return
    yield from _of_detail(area.detail, terms.options)
    acting = area.detail.check.compared
    if acting is not None:
        outcome = attack_outcome(acting.level, None, None)
        yield from unlike("outcome", area.outcome, outcome)
    for place, victim in enumerate(area.victims):
        for each in _of_target(victim, area.detail, terms):
            yield each.within(f"victims[{place}]")


def _of_check(check: _Check, options: Options) -> Iterator[Contradiction]:
    yield from _of_roll(check, options)
    if check.check != "break_free":
        if check.level is not UNSET:
            yield from unlike("outcome", check.outcome, OUTCOMES[check.level])
        return
    if check.opposed is UNSET:
        # The holder is hidden, and so is what decided.
        return
    for each in _of_roll(check.opposed, options):
        yield each.within("opposed")
    ours, theirs = check.compared, check.opposed.compared
    if ours is not None and theirs is not None:
        verdict = breaks_free(ours, theirs, options.opposed_die)
        yield from unlike("outcome", check.outcome, _ESCAPES[verdict.winner])

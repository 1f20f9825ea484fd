"""The preview of shots, on guard and from ambush too, and of fights."""

from fractions import Fraction

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.roster import existing, require_combatant
from service.engine.battle.state import State
from service.engine.geometry.segments import Spot
from service.engine.kit.previews import odds_of
from service.engine.ruleset.definition import Odds, Preview
from service.engine.vocabulary.values import Place
from service.rulesets.melody_d6.actions import Fight, GuardShoot, Shoot
from service.rulesets.melody_d6.deciding.ambush import witnesses
from service.rulesets.melody_d6.deciding.fights import Fighter, fighters, require_fight
from service.rulesets.melody_d6.deciding.guard_shots import require_unasked
from service.rulesets.melody_d6.deciding.hits import GuardShot, Shot, Weight, weigh
from service.rulesets.melody_d6.deciding.requirements import require_weapon
from service.rulesets.melody_d6.deciding.shots import require_shoot
from service.rulesets.melody_d6.points import Point
from service.rulesets.melody_d6.previews.facts import (
    Facts,
    ForeseenAmbush,
    ForeseenFight,
    ForeseenHarm,
    ForeseenShot,
)
from service.rulesets.melody_d6.previews.foreseen_tests import mobility_test, panic_test
from service.rulesets.melody_d6.previews.harm_odds import (
    FELLED,
    HURT,
    HealthChances,
    after_blow,
    after_shots,
    any_of,
    fight_odds,
    harm_odds,
    hit_chance,
    unless,
)
from service.rulesets.melody_d6.previews.knowledge import Asker
from service.rulesets.melody_d6.previews.song_odds import chance_in
from service.rulesets.melody_d6.rules.ambush import is_ambush
from service.rulesets.melody_d6.rules.shooting import HIT_NEEDED
from service.rulesets.melody_d6.rules.wounds import Hit, save_needed, wound_needed
from service.rulesets.melody_d6.state import BattleState, is_masked
from service.rulesets.melody_d6.weapons import Weapon, is_quiet

MISS = "miss"
HIT = "hit"
NO_EFFECT = "no_effect"


def preview_shoot(asker: Asker, action: Shoot) -> Preview:
    """The preview of a shot in the own turn. Raises Refused as deciding it would."""
    require_shoot(asker.view, action)
    return preview_shot(asker, action.combatant, action.target, action.weapon)


def preview_guard_shoot(asker: Asker, action: GuardShoot) -> Preview:
    """The preview of a shot between two enemy actions. Raises Refused as deciding it would."""
    require_unasked(asker.view, action)
    how = GuardShot(charged=False)
    return preview_shot(asker, action.combatant, action.target, action.weapon, guard=how)


def preview_shot(
    asker: Asker,
    shooter: str,
    target: str,
    weapon: str,
    *,
    guard: GuardShot | None = None,
    at: Spot | None = None,
    is_found: bool | None = False,
) -> Preview:
    """The preview of a shot that is allowed; `at` is where on its way the target is shot at.

    `is_found`: a masked shooter is detected before it shoots; None where that is not known.

    Its odds: a `miss`, a hit of `no_effect`, that the target is `hurt` or `felled`; where numbers
    or health of the target are not known `hit` and `miss`.
    """
    aimed = asker if at is None else _with_target_at(asker, target, at)
    rule = aimed.rule
    aiming, aimed_at = existing(rule, shooter), require_combatant(rule, target)
    arm = require_weapon(aimed.view, aiming, weapon)
    shot = Shot(aiming, aimed_at, arm, guard)
    weight = weigh(aimed.view, shot)
    foreseen = _foreseen(aimed, shot, weight)
    if at is not None:
        foreseen = replace(foreseen, place=Point(x=at[0], y=at[1]))
    if not aimed.knows_numbers(aiming):
        return _told(Facts(shot=foreseen), (), ("accuracy",))
    chance = hit_chance(weight.pool)
    foreseen = replace(foreseen, hit=odds_of(HIT, chance))
    left = _health_left(aimed, shot, chance)
    harm = _harm_of(aimed, target, left)
    foreseen = replace(foreseen, harm=harm)
    if is_found is False and is_ambush(is_masked=is_masked(aiming)):
        foreseen = replace(foreseen, ambush=_ambush(aimed, shot, harm))
    missed = (1 - chance) ** arm.shots
    odds = (odds_of(MISS, missed), *_hit_odds(harm, missed))
    unknown = aimed.unknown_of_body(aimed_at)
    return _told(
        Facts(shot=foreseen), odds, (*unknown, "mobility") if is_found is None else unknown
    )


def _with_target_at(asker: Asker, target: str, at: Spot) -> Asker:
    """The battle with the target at a point of its way."""
    moved = tuple(
        replace(each, place=Place(x=at[0], y=at[1])) if each.id == target else each
        for each in asker.rule.combatants
    )
    rule: BattleState = replace(asker.rule, combatants=moved)
    view = State(rule=rule, linear=asker.view.linear, terms=asker.view.terms)
    return replace(asker, view=view)


def _told(facts: Facts, odds: tuple[Odds, ...], unknown: tuple[str, ...]) -> Preview:
    return Preview(legal=True, facts=facts, odds=odds, unknown=unknown)


def _foreseen(asker: Asker, shot: Shot, weight: Weight) -> ForeseenShot:
    target, weapon = shot.target, shot.weapon
    is_known = asker.knows_numbers(target)
    return ForeseenShot(
        mode=shot.mode,
        target=target.id,
        item=weapon.id,
        dice=weapon.shots,
        base=asker.number(shot.shooter, weight.base),
        breakdown=asker.breakdown(shot.shooter, weight.breakdown),
        needed=HIT_NEEDED,
        wound_needed=wound_needed(weapon.strength, target.toughness) if is_known else UNSET,
        save_needed=save_needed(target.armour, weapon.pen) if is_known else UNSET,
    )


def blow_of(weapon: Weapon) -> Hit:
    """What one hit of a weapon does."""
    return Hit(weapon.strength, weapon.pen, weapon.damage)


def _health_left(asker: Asker, shot: Shot, chance: Fraction) -> HealthChances | None:
    body = asker.body(shot.target)
    if body is None:
        return None
    return after_shots(shot.weapon.shots, chance, blow_of(shot.weapon), body)


def _harm_of(asker: Asker, target: str, left: HealthChances | None) -> ForeseenHarm | UnsetType:
    if left is None:
        return UNSET
    health = existing(asker.rule, target).health
    return ForeseenHarm(target=target, odds=harm_odds(left, health))


def _hit_odds(harm: ForeseenHarm | UnsetType, missed: Fraction) -> tuple[Odds, ...]:
    if harm is UNSET:
        return (odds_of(HIT, 1 - missed),)
    hurt, felled = chance_in(harm.odds, HURT), chance_in(harm.odds, FELLED)
    return (
        odds_of(NO_EFFECT, 1 - missed - hurt - felled),
        odds_of(HURT, hurt),
        odds_of(FELLED, felled),
    )


def _ambush(asker: Asker, shot: Shot, harm: ForeseenHarm | UnsetType) -> ForeseenAmbush:
    rule, target = asker.rule, shot.target
    seen_by = witnesses(asker.view, shot.shooter.id, target.id)
    tests = [mobility_test(asker, existing(rule, each)) for each in seen_by]
    is_quiet_shot = is_quiet(shot.weapon)
    ambush = ForeseenAmbush(
        is_quiet=is_quiet_shot,
        witnesses=tuple(test for test, _ in tests) if is_quiet_shot else (),
    )
    if harm is UNSET:
        return ambush
    killed = chance_in(harm.odds, FELLED)
    ambush = replace(ambush, panic=_panic(asker, shot, killed))
    chances = [chance for _, chance in tests if chance is not None]
    if is_quiet_shot and len(chances) < len(tests):
        return ambush
    exposed = killed * any_of(chances) if is_quiet_shot else Fraction(0)
    unnoticed = killed - exposed if is_quiet_shot else Fraction(0)
    odds = (
        odds_of("unnoticed", unnoticed),
        odds_of("uncovered", 1 - unnoticed - exposed),
        odds_of("exposed", exposed),
    )
    return replace(ambush, odds=odds)


def _panic(asker: Asker, shot: Shot, killed: Fraction) -> Odds | UnsetType:
    """The chance that the target's unit flees: without the target where it is killed."""
    unit = shot.target.unit
    whole, left = panic_test(asker, unit, 0), panic_test(asker, unit, 0, without=shot.target.id)
    chance = Fraction(0)
    for test, share in ((whole, 1 - killed), (left, killed)):
        if test is None or not share:
            continue
        if not test.odds:
            return UNSET
        chance += share * chance_in(test.odds, "failure")
    return odds_of("failure", chance)


def preview_fight(asker: Asker, action: Fight) -> Preview:
    """The preview of a fight: its odds are a `hit`, that it is `stopped`, and `stalemate`.

    Raises Refused as deciding it would.
    """
    require_fight(asker.view, action)
    attacker, defender = fighters(asker.view, action)
    facts = ForeseenFight(
        target=defender.warrior.id,
        item=attacker.item,
        base=asker.number(attacker.warrior, attacker.melee),
        against=asker.number(defender.warrior, defender.melee),
    )
    hidden = [each for each in (attacker, defender) if not asker.knows_numbers(each.warrior)]
    if hidden:
        return _told(Facts(fight=facts), (), ("melee",))
    odds = fight_odds(attacker.melee, defender.melee)
    lost = chance_in(odds, "hit"), chance_in(odds, "stopped")
    harm = (
        _after_fight(asker, attacker, defender, lost[0]),
        _after_fight(asker, defender, attacker, lost[1]),
    )
    facts = replace(facts, harm=tuple(each for each in harm if each is not None))
    unknown = () if all(harm) else ("health",)
    return _told(Facts(fight=facts), odds, unknown)


def _after_fight(
    asker: Asker, winner: Fighter, loser: Fighter, chance: Fraction
) -> ForeseenHarm | None:
    """What becomes of one who loses a fight with this chance."""
    body = asker.body(loser.warrior)
    if body is None:
        return None
    left = unless(after_blow({body.health: Fraction(1)}, winner.hit, body), chance, body.health)
    return ForeseenHarm(target=loser.warrior.id, odds=harm_odds(left, body.health))

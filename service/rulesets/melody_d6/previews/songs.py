"""The preview of songs: the roll, whom the Melody reaches, who tests, what it does to bodies."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from msgspec import UNSET

from service.engine.battle.roster import existing
from service.engine.kit.previews import odds_of
from service.engine.ruleset.definition import Odds, Preview
from service.engine.vocabulary.breakdown import total
from service.rulesets.melody_d6.actions import Sing
from service.rulesets.melody_d6.deciding.dampening import eligible_dampeners
from service.rulesets.melody_d6.deciding.influences import lines
from service.rulesets.melody_d6.deciding.rerolls import song_sources
from service.rulesets.melody_d6.deciding.songs import require_sing
from service.rulesets.melody_d6.deciding.targets import MODEL, Reached, reached, shape_at
from service.rulesets.melody_d6.melodies import (
    AnyMelodyEffect,
    Melody,
    MelodyDamage,
    MelodyHeal,
    MelodyPanic,
    MelodyWound,
)
from service.rulesets.melody_d6.occupancy import spot_of
from service.rulesets.melody_d6.previews.facts import (
    Facts,
    ForeseenSong,
    ForeseenTarget,
    ForeseenTest,
)
from service.rulesets.melody_d6.previews.foreseen_tests import (
    resistance_chance,
    resistance_test,
    template_chance,
    template_test,
)
from service.rulesets.melody_d6.previews.harm_odds import (
    Body,
    HealthChances,
    after_blow,
    after_damage,
    after_healing,
    harm_odds,
    unless,
)
from service.rulesets.melody_d6.previews.knowledge import Asker
from service.rulesets.melody_d6.previews.song_odds import SongTerms, song_odds
from service.rulesets.melody_d6.rules.resistance import (
    MelodyWords,
    is_resistance_ignored,
    matching,
)
from service.rulesets.melody_d6.rules.songs import Classification
from service.rulesets.melody_d6.rules.templates import is_under
from service.rulesets.melody_d6.rules.wounds import Hit
from service.rulesets.melody_d6.state import BattleState, Combatant

AFFECTED: Final = "affected"


def preview_song(asker: Asker, action: Sing) -> Preview:
    """The preview of a song: its odds are those of the first roll.

    Raises Refused as deciding it would.
    """
    singer, melody = require_sing(asker.view, action)
    rule = asker.rule
    dice, bonus = voice_of(singer)
    added = lines(asker.view, singer, "mod_song")
    shape = shape_at(asker.view, melody, action, spot_of(singer))
    is_known = asker.knows_numbers(singer)
    song = ForeseenSong(
        melody=melody.id,
        dice=dice,
        base=asker.number(singer, bonus),
        breakdown=asker.breakdown(singer, added),
        needed=melody.difficulty,
        shape=UNSET if shape.kind == MODEL else shape,
        targets=tuple(_target(asker, melody, each) for each in reached(rule, shape, action)),
    )
    terms = terms_of(rule, bonus + total(added), melody.difficulty)
    return Preview(
        legal=True,
        facts=Facts(song=song),
        odds=song_odds(dice, terms) if is_known else (),
        opens=_windows(rule, singer),
        unknown=() if is_known else ("song_bonus",),
    )


def voice_of(singer: Combatant) -> tuple[int, int]:
    """Dice and bonus of a song; none of one who is no Singer."""
    voice = singer.singer
    return (0, 0) if voice is UNSET else (voice.song_dice, voice.song_bonus)


def terms_of(rule: BattleState, bonus: int, difficulty: int) -> SongTerms:
    """What a song's roll is judged by at this table."""
    options = rule.options
    return SongTerms(bonus, difficulty, options.mp_auto_success, options.ui_uncovers_power)


def _windows(rule: BattleState, singer: Combatant) -> tuple[str, ...]:
    """Whom a song may ask before it takes effect, as far as its side knows."""
    outcomes: tuple[Classification, ...] = ("none", "terrible_mistake")
    may_reroll = any(song_sources(rule, singer, each) for each in outcomes)
    may_dampen = not singer.hidden and eligible_dampeners(rule, singer)
    return (*(("reroll",) if may_reroll else ()), *(("dampen",) if may_dampen else ()))


def _target(asker: Asker, melody: Melody, one: Reached) -> ForeseenTarget:
    warrior = existing(asker.rule, one.combatant)
    resisted = matching(warrior.resistances, MelodyWords(melody.id, melody.colour, melody.tags))
    is_whole = is_under(one.coverage)
    tests: tuple[ForeseenTest, ...] = () if is_whole else (template_test(warrior.id),)
    reach = Fraction(1) if is_whole else template_chance()
    held = reach
    for each in resisted:
        held *= 1 - resistance_chance(each.value)
    powerful = reach if _is_power_irresistible(asker.rule, melody) else held
    return ForeseenTarget(
        target=warrior.id,
        coverage=one.coverage,
        tests=(*tests, *(resistance_test(warrior.id, each) for each in resisted)),
        affected=odds_of(AFFECTED, held),
        affected_by_power=odds_of(AFFECTED, powerful),
        harm=_harm(asker, warrior, melody.effects, held),
        harm_by_power=_harm(asker, warrior, melody.mp_effects, powerful),
    )


def _is_power_irresistible(rule: BattleState, melody: Melody) -> bool:
    return is_resistance_ignored(
        "monstrous_power",
        by_option=rule.options.mp_ignores_resistance,
        by_melody=melody.mp_ignores_resistance,
    )


def _harm(
    asker: Asker, warrior: Combatant, effects: Sequence[AnyMelodyEffect], chance: Fraction
) -> tuple[Odds, ...]:
    """What the effects come to for a body that they reach with this chance."""
    body = asker.body(warrior)
    if body is None or _may_be_carried_off(effects):
        return ()
    left: HealthChances = {body.health: Fraction(1)}
    for effect in effects:
        left = _after(left, effect, body)
    return harm_odds(unless(left, chance, body.health), body.health)


def _may_be_carried_off(effects: Sequence[AnyMelodyEffect]) -> bool:
    """Whether panic comes before something else that reaches the body."""
    panics = [at for at, effect in enumerate(effects) if isinstance(effect, MelodyPanic)]
    return bool(panics) and panics[0] < len(effects) - 1


def _after(left: HealthChances, effect: AnyMelodyEffect, body: Body) -> HealthChances:
    match effect:
        case MelodyWound():
            return after_blow(left, Hit(effect.strength, effect.pen, effect.damage), body)
        case MelodyDamage():
            return after_damage(left, effect.amount)
        case MelodyHeal():
            return after_healing(left, effect.amount, body.health_max)
        case _:
            return left

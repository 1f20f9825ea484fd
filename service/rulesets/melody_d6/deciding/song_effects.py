"""What a Melody or a mistake does, to one warrior after the other.

How this works. A song that nobody dampened takes effect: a lasting one enters play first, then its
targets, fixed by where they stand at that moment, are handled one at a time in the order of entry:
template die, Resistance, then the effects in listed order with their dice. Who leaves the table
meanwhile is skipped. A mistake does its effects by the same steps, without Resistance.
"""

from itertools import chain, count
from typing import NamedTuple, assert_never

from msgspec import UNSET

from service.engine.battle.roster import existing
from service.engine.geometry.segments import Spot
from service.engine.vocabulary.effects import Victim
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Sing
from service.rulesets.melody_d6.content import content_of, melody_of
from service.rulesets.melody_d6.deciding.exposure import Exposure, takes_hold
from service.rulesets.melody_d6.deciding.harm import Doer, damage, daze, heal, stun, wound
from service.rulesets.melody_d6.deciding.lasting import ending_of_singer, gain
from service.rulesets.melody_d6.deciding.mask_loss import lose_mask
from service.rulesets.melody_d6.deciding.panic import take_test
from service.rulesets.melody_d6.deciding.pushes import push
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.targets import MODEL, reached, shape_at
from service.rulesets.melody_d6.melodies import (
    Hoarseness,
    Melody,
    MelodyDamage,
    MelodyDaze,
    MelodyHeal,
    MelodyPanic,
    MelodyPush,
    MelodyReveal,
    MelodyStun,
    MelodyWound,
    ModHitAt,
    ModHitBy,
    ModMove,
    ModSong,
)
from service.rulesets.melody_d6.remainders import SungMelody
from service.rulesets.melody_d6.rules.lasting import ML_LAST_1, stays_in_play
from service.rulesets.melody_d6.rules.songs import ML_HOARSE_1, effects_of, hoarse_until
from service.rulesets.melody_d6.rules.targets import ML_SING_12
from service.rulesets.melody_d6.rules.wounds import Hit
from service.rulesets.melody_d6.state import BattleState, is_on_table

AnyDeed = (
    MelodyWound
    | MelodyDamage
    | MelodyHeal
    | MelodyPanic
    | MelodyStun
    | MelodyDaze
    | MelodyReveal
    | MelodyPush
    | Hoarseness
)
"""What happens to a warrior at once."""


class Strain(NamedTuple):
    """One song or one row of a mistake while it acts: whose it is, and where it comes from.

    `rule` lets it act; `tested` are the units whose panic it has tried: each once.
    """

    rule: str
    doer: Doer
    origin: Spot
    tested: set[str]


def melody_sung(resolution: Resolution, action: Sing) -> Melody:
    """The Melody of a song that was declared. Raises KeyError if the content has it no more."""
    melody = melody_of(content_of(resolution.state), action.melody)
    if melody is None:
        raise KeyError(action.melody)
    return melody


def take_effect(
    resolution: Resolution, action: Sing, sung: SungMelody, *, was_tried: bool = False
) -> None:
    """A song that nobody has dampened does what it does.

    `was_tried`: the other side has had its attempt, which for a lasting one counts for the round.
    """
    melody = melody_sung(resolution, action)
    if stays_in_play(melody.duration):
        _stay(resolution, action, melody, sung, was_tried=was_tried)
    else:
        _act(resolution, action, melody, sung)


def _song_id(rule: BattleState, seq: int) -> str:
    """The id of the song of event `seq`; one that a fork took up may have its usual id."""
    taken = {song.id for song in rule.songs}
    usual = f"s{seq}"
    further = (f"{usual}_{number}" for number in count(2))
    return next(each for each in chain([usual], further) if each not in taken)


def _stay(
    resolution: Resolution, action: Sing, melody: Melody, sung: SungMelody, *, was_tried: bool
) -> None:
    """A lasting Melody enters play, then its first targets are tested.

    That of a singer who could not keep it as it now is ends before it begins (ML-LAST-3).
    """
    effects = resolution.effects
    rule = effects.rule
    if ending_of_singer(rule, action.combatant) is not None:
        return
    shape = shape_at(effects.state, melody, action, _spot(sung))
    song = _song_id(rule, resolution.seq)
    effects.emit(
        own.MarkerPlaced(
            rule=ML_LAST_1,
            marker=song,
            kind="melody",
            shape=shape,
            side=existing(rule, action.combatant).side,
            combatant=action.combatant,
            melody=melody.id,
            target=action.target if shape.kind == MODEL else UNSET,
            round=rule.round,
            monstrous=sung.classification == "monstrous_power",
            dampened_in=rule.round if was_tried else 0,
        )
    )
    exposure = Exposure(melody, action.combatant, sung.classification)
    for victim, coverage in reached(rule, shape, action):
        if takes_hold(resolution, exposure, victim, coverage):
            gain(effects, victim, song)


def _act(resolution: Resolution, action: Sing, melody: Melody, sung: SungMelody) -> None:
    """An instant Melody strikes its targets one by one."""
    effects, singer = resolution.effects, action.combatant
    shape = shape_at(effects.state, melody, action, _spot(sung))
    exposure = Exposure(melody, singer, sung.classification)
    deeds = effects_of(sung.classification, melody.effects, melody.mp_effects)
    strain = Strain(
        ML_SING_12,
        Doer("melody", singer, melody.id),
        (shape.origin.x, shape.origin.y),
        set(),
    )
    targets = reached(effects.rule, shape, action)
    if shape.kind != MODEL:
        effects.emit(
            own.AreaResolved(
                rule=ML_SING_12,
                combatant=singer,
                melody=melody.id,
                area=shape,
                outcome="success",
                victims=tuple(
                    Victim(target=victim, outcome=coverage) for victim, coverage in targets
                ),
            )
        )
    for victim, coverage in targets:
        if is_on_table(existing(effects.rule, victim)) and takes_hold(
            resolution, exposure, victim, coverage
        ):
            for deed in deeds:
                if not isinstance(deed, ModMove | ModHitBy | ModHitAt | ModSong):
                    strike(resolution, deed, victim, strain)


def strike(resolution: Resolution, deed: AnyDeed, victim: str, strain: Strain) -> None:
    """One effect happens to a warrior, unless it is on the table no more."""
    if not is_on_table(existing(resolution.rule, victim)):
        return
    match deed:
        case MelodyWound() | MelodyDamage() | MelodyHeal():
            _touch_body(resolution, deed, victim, strain.doer)
        case MelodyPanic():
            scare(resolution, existing(resolution.rule, victim).unit, deed.modifier, strain)
        case MelodyStun():
            stun(resolution, victim, strain.doer)
        case MelodyDaze():
            daze(resolution, victim, strain.doer)
        case MelodyReveal():
            lose_mask(resolution.effects, victim, "melody")
        case MelodyPush():
            push(resolution, victim, strain.origin, deed.distance)
        case Hoarseness():
            _silence(resolution, victim, deed.rounds)
        case _:
            assert_never(deed)


def _touch_body(
    resolution: Resolution, deed: MelodyWound | MelodyDamage | MelodyHeal, victim: str, doer: Doer
) -> None:
    match deed:
        case MelodyWound():
            wound(resolution, victim, Hit(deed.strength, deed.pen, deed.damage), doer)
        case MelodyDamage():
            damage(resolution, victim, deed.amount, doer)
        case MelodyHeal():
            heal(resolution, victim, deed.amount, doer)
        case _:
            assert_never(deed)


def scare(resolution: Resolution, unit: str, modifier: int, strain: Strain) -> None:
    """The panic test of a unit, the first time that this song or row comes to it."""
    if unit not in strain.tested:
        strain.tested.add(unit)
        take_test(resolution, unit, modifier, rules=(strain.rule,))


def _silence(resolution: Resolution, singer: str, rounds: int) -> None:
    """Hoarse for so many rounds; who already is for longer stays it."""
    until = hoarse_until(resolution.rule.round, rounds)
    if until > existing(resolution.rule, singer).hoarse_until:
        resolution.effects.emit(
            own.ConditionGained(
                rule=ML_HOARSE_1,
                combatant=singer,
                condition="hoarse",
                amount=until,
                cause="mistake",
            )
        )


def _spot(sung: SungMelody) -> Spot:
    return sung.origin.x, sung.origin.y

"""What previews of these rules tell."""

from msgspec import UNSET, Struct, UnsetType

from service.engine.ruleset.definition import Odds
from service.engine.vocabulary.effects import Shape
from service.rulesets.melody_d6.attack_effects import AttackMode
from service.rulesets.melody_d6.lines import Line
from service.rulesets.melody_d6.points import Point
from service.rulesets.melody_d6.rules.lasting import TargetKind


class ForeseenTest(Struct, frozen=True, kw_only=True):
    """A test that one warrior would take, or that would be taken for a unit."""

    check: str
    """What is tested: `template`, `resistance`, `mobility`, `detection`, `panic`."""
    combatant: str
    """Id of whose test it is: who is under the template, resists, sees, searches, or whose courage
    counts."""
    needed: int | UnsetType = UNSET
    """Number that decides it, as the test says; absent where the caller may not know it, and of
    detection."""
    odds: tuple[Odds, ...] = ()
    """Exact chances of `success` and `failure`; empty where the number is not known."""


class ForeseenDetection(Struct, frozen=True, kw_only=True):
    """A detection roll at the end of movement."""

    combatant: str
    """Id of the warrior who searches."""
    base: int | UnsetType = UNSET
    """Its Mobility, added to the die; absent where the caller may not know it."""
    tested: tuple[ForeseenTest, ...]
    """The masked warriors it is about, each with the chance that it is detected (`success`)."""


class ForeseenHarm(Struct, frozen=True, kw_only=True):
    """What becomes of one body."""

    target: str
    """Id of the warrior."""
    odds: tuple[Odds, ...]
    """Exact chances that it is `felled`, `hurt`, or `unhurt` by this."""


class ForeseenAmbush(Struct, frozen=True, kw_only=True):
    """What follows a shot from ambush (ML-AMB)."""

    is_quiet: bool
    """Whether the weapon is quiet."""
    witnesses: tuple[ForeseenTest, ...] = ()
    """Who would see the target killed and the shooter, with the Mobility tests; of those that the
    caller knows of."""
    odds: tuple[Odds, ...] = ()
    """Exact chances that the shooter stays `unnoticed`, that it is `uncovered` without being
    exposed, or `exposed`; empty where something is not known."""
    panic: Odds | UnsetType = UNSET
    """Exact chance that the target's unit fails its panic test (`failure`); absent where it takes
    none, or where something is not known."""


class ForeseenShot(Struct, frozen=True, kw_only=True):
    """A shot as it would be now."""

    mode: AttackMode
    """`shot`, or `guard` for one on guard."""
    target: str
    """Id of the target."""
    item: str
    """Id of the weapon."""
    place: Point | UnsetType = UNSET
    """Where the target is shot at; absent where it stands."""
    dice: int
    """Dice to hit."""
    base: int | UnsetType = UNSET
    """Accuracy; absent where the caller may not know it."""
    breakdown: tuple[Line, ...] | UnsetType = UNSET
    """What else is added to each die; absent where the option `breakdowns` hides it."""
    needed: int
    """What a die with all that is added must reach."""
    hit: Odds | UnsetType = UNSET
    """Exact chance of each die to hit; absent where the Accuracy is not known."""
    wound_needed: int | UnsetType = UNSET
    """What a wound die must reach; absent where the caller may not know the Toughness."""
    save_needed: int | UnsetType = UNSET
    """What a save must reach; absent without armour, or where it is not known."""
    harm: ForeseenHarm | UnsetType = UNSET
    """What the whole shot comes to; absent where the numbers or the health are not known."""
    ambush: ForeseenAmbush | UnsetType = UNSET
    """What follows, of a shot from ambush."""


class ForeseenFight(Struct, frozen=True, kw_only=True):
    """A fight as it would be now."""

    target: str
    """Id of the defender."""
    item: str | UnsetType = UNSET
    """Id of the attacker's weapon; absent for bare hands."""
    base: int | UnsetType = UNSET
    """What the attacker adds to its die; absent where the caller may not know it."""
    against: int | UnsetType = UNSET
    """What the defender adds; absent where the caller may not know it."""
    harm: tuple[ForeseenHarm, ...] = ()
    """What becomes of the defender, then of the attacker; those whose numbers are known."""


class ForeseenTarget(Struct, frozen=True, kw_only=True):
    """A warrior whom a Melody would reach."""

    target: str
    """Id of the warrior."""
    coverage: str
    """`full` or `part`: how far it is under the template; `full` where there is none."""
    tests: tuple[ForeseenTest, ...] = ()
    """The dice of template and Resistance, in the order of rolling."""
    affected: Odds
    """Exact chance that it is `affected` by a success that is no Monstrous Power."""
    affected_by_power: Odds
    """The same of Monstrous Power."""
    harm: tuple[Odds, ...] = ()
    """Exact chances of `felled`, `hurt` and `unhurt` with a success, its tests included; empty
    where numbers or health are not known, and where it may be carried off meanwhile."""
    harm_by_power: tuple[Odds, ...] = ()
    """The same of Monstrous Power."""


class ForeseenSong(Struct, frozen=True, kw_only=True):
    """A song as it would be now; or what a reroll makes of it."""

    melody: str
    """Id of the Melody."""
    dice: int
    """Dice that are rolled."""
    base: int | UnsetType = UNSET
    """What the singer adds; absent where the caller may not know it."""
    breakdown: tuple[Line, ...] | UnsetType = UNSET
    """What lasting Melodies add; absent where the option `breakdowns` hides it."""
    needed: int
    """Difficulty of the Melody."""
    shape: Shape | UnsetType = UNSET
    """The template as it would lie; absent for a Melody of one warrior."""
    targets: tuple[ForeseenTarget, ...] | UnsetType = UNSET
    """Whom it would reach, of those that the caller knows of, in the order of working it out."""


class ForeseenDampening(Struct, frozen=True, kw_only=True):
    """An attempt to dampen a Melody."""

    melody: str
    """Id of the Melody."""
    dice: int
    """Dice that are rolled."""
    base: int | UnsetType = UNSET
    """What the dampener adds; absent where the caller may not know it."""
    breakdown: tuple[Line, ...] | UnsetType = UNSET
    """What lasting Melodies add; absent where the option `breakdowns` hides it."""
    target_kind: TargetKind
    """Whether result or difficulty must be reached."""
    needed: int | UnsetType = UNSET
    """What must be reached; absent where the caller may not know it."""


class ForeseenMovement(Struct, frozen=True, kw_only=True):
    """A move or a charge, as far as the caller knows the table."""

    cost: int
    """What the path costs, in u."""
    allowance: int
    """What it may cost, in u."""
    end: Point
    """Where it ends."""
    uncovered: str | UnsetType = UNSET
    """Why the mover loses its masking: `charged` or `left_cover` at the declaration,
    `detected_auto` on the way; absent if it is not masked, or stays so."""
    detected: tuple[str, ...] = ()
    """Ids of masked enemies that it detects on its way."""
    engaged: tuple[str, ...] = ()
    """Ids of those with whom it is engaged at the end."""
    enters: tuple[str, ...] = ()
    """Ids of songs in play that it is tested for where it ends."""
    leaves: tuple[str, ...] = ()
    """Ids of songs in play that affect it no longer where it ends."""


class Facts(Struct, frozen=True, kw_only=True):
    """A shot, a fight, a song, a dampening, a movement, a price or rolls; each where it applies."""

    shot: ForeseenShot | UnsetType = UNSET
    """Of a shot, on guard too."""
    fight: ForeseenFight | UnsetType = UNSET
    """Of a fight."""
    song: ForeseenSong | UnsetType = UNSET
    """Of a song and of its reroll."""
    dampening: ForeseenDampening | UnsetType = UNSET
    """Of an attempt to dampen and of its reroll."""
    movement: ForeseenMovement | UnsetType = UNSET
    """Of a move or a charge."""
    fp_left: int | UnsetType = UNSET
    """FP of the side afterwards, of what costs some."""
    detections: tuple[ForeseenDetection, ...] | UnsetType = UNSET
    """The rolls at the end of movement, in their order."""
    panic: ForeseenTest | UnsetType = UNSET
    """The panic test that the game master asks for."""

"""ML-SING, ML-UI: the roll of a song, what its natural dice mean, and the two kinds of reroll.

How this works. The first roll is classified by its natural dice alone; the total of the dice that
stand in the end decides whether a song that is neither Mistake nor Power succeeds. One reroll may
come between, from one source: the singer's own, which changes the total only, or United Impulse,
which is paid in FP and is all that undoes a Terrible Mistake.
"""

from collections.abc import Collection, Sequence
from typing import Final, Literal, NamedTuple, TypeVar

from service.errors import Refused

ML_SING_1: Final = "ML-SING-1"
ML_SING_2: Final = "ML-SING-2"
ML_SING_3: Final = "ML-SING-3"
ML_SING_4: Final = "ML-SING-4"
ML_SING_5: Final = "ML-SING-5"
ML_SING_6: Final = "ML-SING-6"
ML_SING_7: Final = "ML-SING-7"
ML_SING_8: Final = "ML-SING-8"
ML_SING_10: Final = "ML-SING-10"
ML_SING_11: Final = "ML-SING-11"
ML_UI_1: Final = "ML-UI-1"
ML_UI_2: Final = "ML-UI-2"
ML_UI_3: Final = "ML-UI-3"
ML_HOARSE_1: Final = "ML-HOARSE-1"

Classification = Literal["terrible_mistake", "monstrous_power", "none"]
"""What the natural dice of a song's first roll mean."""

RerollSource = Literal["united_impulse", "ordinary"]
"""Who pays for a reroll: the side with FP, or the singer with one of the round."""

AfterRoll = Literal["mistake", "failure", "success"]
"""Where a song goes on once its dice stand."""

PAIR: Final = 2
"""So many equal natural dice make a Mistake or a Power."""

LOWEST: Final = 1
HIGHEST: Final = 6

E = TypeVar("E")


def is_sung(total: int, difficulty: int) -> bool:
    """ML-SING-1: a Melody succeeds if dice, bonus and lasting Melodies reach its difficulty.

    Equal succeeds (E1). Source: «число, больше или равно ее сложности».
    """
    return total >= difficulty


def classification(first_faces: Sequence[int]) -> Classification:
    """ML-SING-2: the natural dice of the first roll decide, before bonuses and rerolls (E3).

    Source: «невзирая на модификаторы, и бонусы, и перед перебросами».
    """
    return prevailing(
        is_mistake=is_terrible_mistake(first_faces), is_power=is_monstrous_power(first_faces)
    )


def is_terrible_mistake(faces: Sequence[int]) -> bool:
    """ML-SING-3: two or more 1s are a Terrible Mistake; the Melody fails whatever the total.

    Source: «две и более единицы».
    """
    return faces.count(LOWEST) >= PAIR


def is_monstrous_power(faces: Sequence[int]) -> bool:
    """ML-SING-4: two or more 6s are Monstrous Power.

    Source: «две и более шестерки».
    """
    return faces.count(HIGHEST) >= PAIR


def is_power_sung(total: int, difficulty: int, *, is_automatic: bool) -> bool:
    """ML-SING-5: Monstrous Power succeeds automatically, below the difficulty, too (E4).

    With `mp_auto_success` off it has to reach the difficulty; short of it the Melody simply fails.
    Source: «так же, как и при сотворении … двойная шестерка – автоматический успех».
    """
    return is_automatic or is_sung(total, difficulty)


def prevailing(*, is_mistake: bool, is_power: bool) -> Classification:
    """ML-SING-6: a roll that shows both is a Terrible Mistake only (E5).

    Source: «приоритет Ужасной Ошибки выше».
    """
    if is_mistake:
        return "terrible_mistake"
    return "monstrous_power" if is_power else "none"


def may_reroll_ordinarily(classified: Classification, rerolls_left: int) -> bool:
    """ML-SING-7: a roll that is neither may be rerolled by a singer who has rerolls left (E6, E7).

    Also a success; one counter serves songs and dampening. It changes the total alone.
    Source: «переброс кубиков не спасает от Ужасной Ошибки и не вызывает Чудовищную Мощь».
    """
    return classified == "none" and rerolls_left > 0


def may_be_rerolled(classified: Classification, *, is_rerolled: bool) -> bool:
    """ML-SING-8: a song is rerolled once at most, from one source, and Monstrous Power never.

    Default, not in the source text.
    """
    return classified != "monstrous_power" and not is_rerolled


def effects_of(classified: Classification, effects: E, mp_effects: E) -> E:
    """ML-SING-10: with Monstrous Power its own effects take the place of the ordinary ones (E76).

    Source: «у каждой Мелодии есть свои эффекты на Чудовищную мощь».
    """
    return mp_effects if classified == "monstrous_power" else effects


def after_roll(classified: Classification, *, is_successful: bool) -> AfterRoll:
    """ML-SING-11: a Mistake or a failure ends the song; a success may be dampened, then it acts.

    Before: its checks, its masking lost, its dice, the window of its reroll. The singer's action is
    spent in every case. The order is the seed's as far as it says one.
    """
    if classified == "terrible_mistake":
        return "mistake"
    return "success" if is_successful else "failure"


class SquadMate(NamedTuple):
    """What decides whether another member of the singer's unit lends its impulse."""

    is_on_table: bool
    is_fleeing: bool
    is_stunned: bool
    is_engaged: bool
    is_near: bool
    """Within `ui_radius` of the singer (ML-GEO-2)."""


def may_impulse(
    classified: Classification, fp: int, cost: int, squad_mates: Collection[SquadMate]
) -> bool:
    """ML-UI-1: United Impulse needs the FP and a steady squad-mate near the singer (E8, E11).

    It is not offered for Monstrous Power nor, without squad-mates, to a lone warrior.
    Source: «Единый Порыв»; who and cost are defaults, not in the source text.
    """
    if classified == "monstrous_power" or fp < cost:
        return False
    return any(
        mate.is_on_table
        and mate.is_near
        and not (mate.is_fleeing or mate.is_stunned or mate.is_engaged)
        for mate in squad_mates
    )


def is_mistake_avoided(final_faces: Sequence[int]) -> bool:
    """ML-UI-2: after a United Impulse fewer than two 1s undo a Terrible Mistake (E8, E9).

    Source: «Только переброс в Едином Порыве позволяет избежать Ужасной Ошибки».
    """
    return not is_terrible_mistake(final_faces)


def after_impulse(
    first_faces: Sequence[int], final_faces: Sequence[int], *, is_power_uncovered: bool
) -> Classification:
    """ML-UI-3: United Impulse never makes Monstrous Power, nor a Mistake that was none (E9, E10).

    With `ui_uncovers_power` an avoided Mistake whose first roll showed two 6s is one.
    Source: «но он так же не вызывает Чудовищную Мощь».
    """
    if not is_terrible_mistake(first_faces):
        return "none"
    if not is_mistake_avoided(final_faces):
        return "terrible_mistake"
    uncovers = is_power_uncovered and is_monstrous_power(first_faces)
    return "monstrous_power" if uncovers else "none"


def classification_after(
    source: RerollSource | None,
    first_faces: Sequence[int],
    final_faces: Sequence[int],
    *,
    is_power_uncovered: bool,
) -> Classification:
    """What a song is after its reroll from this source; None where it had none."""
    if source != "united_impulse":
        return classification(first_faces)
    return after_impulse(first_faces, final_faces, is_power_uncovered=is_power_uncovered)


def require_dice_indexes(indexes: Sequence[int], count: int, rule: str) -> None:
    """A reroll by this rule names some of the `count` dice, each once, from 0.

    Raises Refused("bad_die_index").
    """
    is_set = bool(indexes) and len(frozenset(indexes)) == len(indexes)
    if not is_set or not all(0 <= index < count for index in indexes):
        raise Refused("bad_die_index", rule=rule, dice=list(indexes), count=count)


def rerolled(faces: Sequence[int], indexes: Sequence[int], new: Sequence[int]) -> tuple[int, ...]:
    """The faces that stand after a reroll: the new ones in the places named, in their order."""
    fresh = dict(zip(indexes, new, strict=True))
    return tuple(fresh.get(index, face) for index, face in enumerate(faces))


def hoarse_until(round_number: int, rounds: int) -> int:
    """The last round of a hoarseness of so many rounds, 1 or more, the present one counted."""
    return round_number + rounds - 1


def require_voice(round_number: int, until_round: int) -> None:
    """ML-HOARSE-1: who is hoarse cannot sing until the end of its last round, but may dampen (E64).

    `until_round` is 0 for who never was. Raises Refused("hoarse").
    """
    if round_number <= until_round:
        raise Refused("hoarse", rule=ML_HOARSE_1, until_round=until_round)


def song_rules(
    first_faces: Sequence[int], source: RerollSource | None, classified: Classification
) -> tuple[str, ...]:
    """The rules that made a song what it is, the foremost first; `classified` after its reroll."""
    is_both = is_terrible_mistake(first_faces) and is_monstrous_power(first_faces)
    rules = {
        "terrible_mistake": (ML_SING_3, ML_SING_2, *((ML_SING_6,) if is_both else ())),
        "monstrous_power": (ML_SING_5, ML_SING_4, ML_SING_2, ML_SING_10),
        "none": (ML_SING_1,),
    }[classified]
    if source == "ordinary":
        return (*rules, ML_SING_7, ML_SING_8)
    if source == "united_impulse":
        avoidable = (ML_UI_2,) if is_terrible_mistake(first_faces) else ()
        return (*rules, *avoidable, ML_UI_3, ML_SING_8)
    return rules

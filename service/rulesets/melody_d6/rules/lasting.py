"""ML-LAST: Melodies that stay in play, whom they affect, and what ends them.

How this works. A lasting Melody is a song in play from just before its first targets are tested.
Each warrior carries the songs that affect it. Whoever ends a movement is looked at again for every
song with a template: it leaves those that it does not touch, stays under those that it touches,
and is tested by those that are new to it.
"""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from service.engine.geometry.templates import Coverage
from service.errors import Refused
from service.rulesets.melody_d6.rules.dampening import ML_DAMP_7

ML_LAST_1: Final = "ML-LAST-1"
ML_LAST_2: Final = "ML-LAST-2"
ML_LAST_3: Final = "ML-LAST-3"
ML_LAST_4: Final = "ML-LAST-4"
ML_LAST_5: Final = "ML-LAST-5"
ML_LAST_6: Final = "ML-LAST-6"
ML_LAST_7: Final = "ML-LAST-7"
ML_LAST_8: Final = "ML-LAST-8"
ML_LAST_9: Final = "ML-LAST-9"

Duration = Literal["instant", "lasting"]
DampenAtCreation = Literal["difficulty", "result"]
DampenLimit = Literal["per_melody", "per_player"]
DampenWhen = Literal["own_turn", "any_turn"]

TargetKind = Literal["result", "difficulty"]
"""What an attempt to dampen has to reach."""

Ending = Literal["dampened", "stopped", "singer_gone", "singer_fled"]
"""What ended a lasting Melody."""

Touch = Literal["test", "stay", "leave", "apart"]
"""What becomes of a warrior and a song at the end of a movement: it is tested, stays affected, is
affected no longer, or was not and is not concerned."""


def stays_in_play(duration: Duration) -> bool:
    """ML-LAST-1: a lasting Melody stays in play, its template where it was placed, until it ends.

    Source: «производят длительный эффект».
    """
    return duration == "lasting"


def require_free_voice(song: str | None) -> None:
    """ML-LAST-2: who keeps a Melody in play sings no other, nor the same again (E25).

    `song` is the one that the singer keeps. Raises Refused("lasting_in_play").
    Source: «не может творить иных Мелодий».
    """
    if song is not None:
        raise Refused("lasting_in_play", rule=ML_LAST_2, song=song)


def ending_without(*, is_on_table: bool, is_fleeing: bool) -> Ending | None:
    """ML-LAST-3: a singer who is killed, leaves the table or flees ends its song at once (E28).

    None where it goes on. Source: «убит или убегает».
    """
    if is_fleeing:
        return "singer_fled"
    return None if is_on_table else "singer_gone"


def require_song_to_stop(song: str | None) -> str:
    """ML-LAST-4: a player may stop a singer's song whenever no decision is open (E25, E71).

    Raises Refused("no_melody_in_play"). Source: «певец может прервать игру по своему усмотрению».
    """
    if song is None:
        raise Refused("no_melody_in_play", rule=ML_LAST_4)
    return song


class DampeningTarget(NamedTuple):
    """What an attempt has to reach, and which number of the Melody that is."""

    kind: TargetKind
    number: int


def creation_target(
    duration: Duration, result: int, difficulty: int, at_creation: DampenAtCreation
) -> DampeningTarget:
    """ML-LAST-5: a lasting Melody is dampened against its difficulty, not its result (E26).

    In the window of its creation as the option `lasting_dampen_at_creation` says; an instant one
    against its result always (ML-DAMP-2).
    Source: «равное или большее сложности Мелодии, а не результату при сотворении».
    """
    if stays_in_play(duration) and at_creation == "difficulty":
        return DampeningTarget("difficulty", difficulty)
    return DampeningTarget("result", result)


def require_not_monstrous(round_number: int, created_round: int, *, is_power: bool) -> None:
    """ML-LAST-6: sung with Monstrous Power it may be dampened from the round after its own (E27).

    Raises Refused("melody_monstrous"). Source: «в последующие раунды могут быть заглушены как
    обычно».
    """
    if is_power and round_number <= created_round:
        raise Refused("melody_monstrous", rule=ML_DAMP_7, rules=[ML_LAST_6])


def is_attempt_left(tried_song: bool, attempts: int, limit: DampenLimit) -> bool:
    """ML-LAST-7: a side tries each lasting Melody once a round, or one in all (`per_player`).

    `tried_song`: this song, in this round; `attempts`: at lasting Melodies, in this round. That of
    the creation window counts, a pass does not (E26).
    Source: «Игрок может попытаться … только один раз за раунд».
    """
    return not tried_song if limit == "per_melody" else attempts == 0


def require_attempt_left(tried_song: bool, attempts: int, limit: DampenLimit) -> None:
    """An attempt outside the creation window is within the limit of the round.

    Raises Refused("dampen_limit").
    """
    if not is_attempt_left(tried_song, attempts, limit):
        raise Refused("dampen_limit", rule=ML_LAST_7, limit=limit)


def touch(coverage: Coverage, *, is_affected: bool) -> Touch:
    """ML-LAST-8: where a warrior ends a movement, it is tested, stays or leaves (E29).

    Tested again each time while it is not affected. Source: «попадает под действие»; when is a
    default.
    """
    if coverage == "none":
        return "leave" if is_affected else "apart"
    return "stay" if is_affected else "test"


class Influence(NamedTuple):
    """What one song in play adds to a number of a warrior that it affects."""

    melody: str
    delta: int
    singer: str = ""


def stacked(influences: Iterable[Influence]) -> tuple[Influence, ...]:
    """ML-LAST-9: different Melodies add up; of one Melody the largest absolute delta counts (E75).

    One line for each Melody, in the order in which it came into play first; of equal sizes the
    earlier counts, and what adds nothing is left out. Default, not in the source text.
    """
    largest: dict[str, Influence] = {}
    for each in influences:
        counted = largest.setdefault(each.melody, each)
        if abs(each.delta) > abs(counted.delta):
            largest[each.melody] = each
    return tuple(each for each in largest.values() if each.delta)

"""Rolls and the draws that they name: where each face of an effect was drawn, and if it counted.

How this works. Every draw of an event is named by exactly one roll of its effects, for everybody
who may know the draw; where the action still waits, by the answer that brought the table's face.
A roll that tells faces again says in which event they are named (`seq`).
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.vocabulary.values import DrawRun, Roll, Uncounted


def roll_of(sides: int, faces: tuple[int, ...], draws: Iterable[DrawRun]) -> Roll:
    """A roll whose faces all count; `draws` names them one by one."""
    return Roll(sides=sides, faces=faces, total=sum(faces), draws=runs_of(draws))


def told_again(roll: Roll, seq: int) -> Roll:
    """The same faces in another effect; event `seq` names what is not named in another already."""
    runs = tuple(run if run.seq is not UNSET else replace(run, seq=seq) for run in roll.draws)
    return replace(roll, draws=runs)


def discounted(roll: Roll, why: Uncounted, places: Sequence[int] | None = None) -> Roll:
    """The roll without the faces at `places` (from 0) in its total, all of them if None."""
    out = frozenset(range(len(roll.faces)) if places is None else places)
    draws = tuple(
        replace(run, uncounted=why) if place in out else run
        for place, run in enumerate(draws_of(roll))
    )
    total = sum(face for face, run in zip(roll.faces, draws, strict=True) if run.uncounted is UNSET)
    return replace(roll, total=total, draws=runs_of(draws))


def draws_of(roll: Roll) -> tuple[DrawRun, ...]:
    """The draws of a roll one by one, in the order of its faces."""
    return one_by_one(roll.draws, len(roll.faces))


def one_by_one(runs: tuple[DrawRun, ...], faces: int) -> tuple[DrawRun, ...]:
    """Runs that name so many faces as single draws. Raises ValueError if they name others."""
    return tuple(
        replace(run, number=run.number + nth, count=UNSET)
        for run, count in zip(runs, _counts(runs, faces), strict=True)
        for nth in range(count)
    )


def faces_of_runs(roll: Roll) -> Iterator[tuple[DrawRun, tuple[int, ...]]]:
    """Each run of a roll with its faces. Raises ValueError if they name others."""
    at = 0
    for run, count in zip(roll.draws, _counts(roll.draws, len(roll.faces)), strict=True):
        yield run, roll.faces[at : at + count]
        at += count


def _counts(runs: tuple[DrawRun, ...], faces: int) -> list[int]:
    """How many faces each run names. Raises ValueError unless they name so many."""
    counts = [faces if run.count is UNSET else run.count for run in runs]
    if sum(counts) != faces or min(counts, default=1) < 1:
        raise ValueError(f"{counts} draws for {faces} faces")
    return counts


def runs_of(draws: Iterable[DrawRun]) -> tuple[DrawRun, ...]:
    """Single draws put together where one follows the other; one run alone needs no count."""
    runs: list[tuple[DrawRun, int]] = []
    for draw in draws:
        run, count = runs[-1] if runs else (None, 0)
        if run is not None and replace(run, number=run.number + count) == draw:
            runs[-1] = (run, count + 1)
        else:
            runs.append((draw, 1))
    if len(runs) == 1:
        return (runs[0][0],)
    return tuple(replace(run, count=count) for run, count in runs)

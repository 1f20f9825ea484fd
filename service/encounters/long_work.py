"""Work that computes for long, so that the rest of the process has its turn.

How this works. One event loop answers everybody, so what computes without waiting for anything
keeps all others waiting. What can be divided goes on in pieces with pauses between them
(`LongWork`). What is pure and cannot be divided (deciding an action of 500 combatants, a creation,
an explanation) runs in one worker thread beside the loop (`computed`): the interpreter switches
between the two every few milliseconds. There is one thread, so that the loop always has half of the
interpreter.

A state remembers what was worked out of it (`lookups`), and states of one battle share that. So a
thread works on a copy that remembers nothing and shares nothing with the loop (`apart`).
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from msgspec.structs import replace

from service.engine.battle.state import RuleState, State
from service.engine.inspection import Pieces

A = TypeVar("A")
R = TypeVar("R", bound=RuleState)

PIECE_SECONDS: Final = 0.005
"""How long a piece computes; default, not in the source texts."""
LARGE_COMBATANTS: Final = 50
"""A battle of more combatants is large."""
LARGE_BYTES: Final = 64 << 10
"""An event with more bytes is large; service defaults."""

_WORKER: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="warlog-pure")


class LongWork:
    """One piece of work after another, as long as it takes."""

    def __init__(self) -> None:
        self._since = time.perf_counter()

    async def pause(self) -> None:
        """Let others have their turn, if this went on for PIECE_SECONDS since they had it."""
        if time.perf_counter() - self._since >= PIECE_SECONDS:
            await asyncio.sleep(0)
            self._since = time.perf_counter()


async def whole(answer: Pieces[A]) -> A:
    """The answer of an inspection, with pauses between its pieces."""
    work = LongWork()
    while True:
        try:
            next(answer)
        except StopIteration as end:
            finished: A = end.value
            return finished
        await work.pause()


async def computed(work: Callable[[], A], *, is_large: bool) -> A:
    """What `work` gives: from the worker thread where it is large, at once where it is not.

    Raises what `work` raises. Work that is cancelled before it begins is left out.
    """
    if not is_large:
        return work()
    return await asyncio.get_running_loop().run_in_executor(_WORKER, work)


def is_large(rule: RuleState) -> bool:
    """Whether work on this state may take long."""
    return len(rule.combatants) > LARGE_COMBATANTS


def apart(state: State[R]) -> State[R]:
    """The same state for a thread of its own, if it is large; it shares no lookups."""
    if not is_large(state.rule):
        return state
    return State(rule=replace(state.rule), linear=state.linear, terms=state.terms)

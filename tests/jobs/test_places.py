"""The places of jobs: shared among tenants, however many requests one of them has."""

import asyncio

import pytest

from service.errors import Unavailable
from service.jobs.places import JobPlace, Places


class Taken:
    """The order in which requests got their places."""

    def __init__(self, places: Places) -> None:
        self.order: list[str] = []
        self._places = places
        self._held: list[JobPlace] = []

    async def ask(self, name: str) -> "asyncio.Task[None]":
        """A request of the tenant that the name's first letter names; it waits in its queue."""
        asking = asyncio.create_task(self._ask(name))
        await asyncio.sleep(0)
        return asking

    async def _ask(self, name: str) -> None:
        self._held.append(await self._places.take(name[0]))
        self.order.append(name)

    async def free(self) -> None:
        """The oldest place is left."""
        self._held.pop(0).free()
        await asyncio.sleep(0)


async def test_a_free_place_goes_to_the_tenant_with_the_fewest() -> None:
    places = Places(2, 8)
    taken = Taken(places)
    names = ("a1", "a2", "a3", "a4", "b1", "c1", "b2")
    asking = [await taken.ask(name) for name in names]
    assert (taken.order, places.free, places.waiting) == (["a1", "a2"], 0, 5)
    for _ in range(5):
        await taken.free()
    # Both places were of tenant a: the others come first, and among equals by turns.
    assert taken.order == ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]
    await taken.free()
    await taken.free()
    assert (places.free, places.waiting) == (2, 0)
    await asyncio.gather(*asking)


async def test_a_place_is_left_once() -> None:
    places = Places(1, 1)
    place = await places.take("a")
    place.free()
    place.free()
    assert places.free == 1


async def test_one_tenant_never_fills_the_queue_for_all_others() -> None:
    places = Places(1, 4)
    taken = Taken(places)
    asking = {name: await taken.ask(name) for name in ("a1", "a2", "a3", "a4", "a5")}
    sixth = await taken.ask("a6")
    with pytest.raises(Unavailable, match="busy"):
        await sixth
    asking["b1"] = await taken.ask("b1")
    with pytest.raises(Unavailable, match="busy"):
        await asking.pop("a5")
    for _ in range(4):
        await taken.free()
    assert taken.order == ["a1", "b1", "a2", "a3", "a4"]
    await asyncio.gather(*asking.values())


async def test_a_request_that_is_cancelled_leaves_its_turn_to_others() -> None:
    places = Places(1, 4)
    taken = Taken(places)
    first = await taken.ask("a1")
    gone, kept = await taken.ask("b1"), await taken.ask("b2")
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    assert places.waiting == 1
    # Cancelled in the moment in which it gets its place, too.
    taken._held.pop(0).free()
    kept.cancel()
    await asyncio.gather(kept, return_exceptions=True)
    assert (taken.order, places.free, places.waiting) == (["a1"], 1, 0)
    await first

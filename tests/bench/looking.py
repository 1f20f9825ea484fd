"""The pages in a browser: a replay of 2,000 events, and a phone that joins over a slow network.

The limit next to a jump is the same scene asked for by a plain client, without a browser. Times are
those of the wall, from the key that is pressed to the picture that stands, so a busy machine shows.
"""

import asyncio
import time
from argparse import Namespace
from random import Random
from typing import Any, Final

import httpx
from _battles import BATTLES
from _load import Client
from _measuring import Table, at_most, parser
from _service import Service
from playwright.async_api import Browser, async_playwright

from tests.web.browsers import launched

BATTLE: Final = BATTLES["crossfire-d6"]
EVENTS: Final = 2_000
LIST: Final = 16
JUMPS: Final = 40
SLOW: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 1_600_000 / 8,
}
"""1.6 Mbit/s, and 150 ms to the first byte of every answer."""

STANDS: Final = """(seq) => document.documentElement.dataset.event === String(seq)
  && document.querySelector(".event h2") !== null"""
JUMP: Final = """(seq) => new Promise((done) => {
  const began = performance.now();
  const look = () => (document.documentElement.dataset.event === String(seq)
    ? done(performance.now() - began) : requestAnimationFrame(look));
  location.hash = `#e=${seq}`;
  look();
})"""


def long_battle(service: Service) -> str:
    """The id of a battle of a little more than 2,000 events."""
    client = Client(service.url, service.key)
    encounter = client.created(BATTLE.creation)
    for first in range(0, EVENTS, LIST):
        actions = [BATTLE.cycle[at % len(BATTLE.cycle)] for at in range(first, first + LIST)]
        body = {"actions": [{"action": action} for action in actions]}
        client.post(f"/v1/encounters/{encounter}/actions", body)
    return encounter


async def replayed(browser: Browser, service: Service, encounter: str) -> tuple[float, list[float]]:
    """Milliseconds until the first event stood, and those of jumps to and fro."""
    page = await (await browser.new_context(viewport={"width": 1280, "height": 900})).new_page()
    await page.goto(f"{service.url}/replay/{encounter}#e={EVENTS // 2}")
    await page.get_by_label("Token or key").fill(service.key)
    began = time.perf_counter()
    await page.get_by_role("button", name="Open").click()
    await page.wait_for_function(STANDS, arg=EVENTS // 2)
    first = 1_000 * (time.perf_counter() - began)
    await page.wait_for_function(f"document.querySelector('input[type=range]').max >= {EVENTS}")
    chance = Random(1)
    jumps = [await page.evaluate(JUMP, chance.randrange(2, EVENTS)) for _ in range(JUMPS)]
    await page.context.close()
    return first, jumps


async def joined(browser: Browser, service: Service) -> list[float]:
    """Seconds from the link to the table over a slow network and the kilobytes until then, and the
    same until the player may act.
    """
    client = Client(service.url, service.key)
    encounter = client.created(BATTLE.creation)
    seat = {"seat": {"id": "phone", "role": "player", "sides": ["red"]}}
    code = client.post(f"/v1/encounters/{encounter}/seats", seat)["invitation"]["code"]
    page = await (await browser.new_context(viewport={"width": 360, "height": 740})).new_page()
    session = await page.context.new_cdp_session(page)
    await session.send("Network.enable")
    await session.send("Network.emulateNetworkConditions", SLOW)
    received = 0

    def count(event: dict[str, Any]) -> None:
        nonlocal received
        received += int(event["encodedDataLength"])

    session.on("Network.loadingFinished", count)
    began = time.perf_counter()
    await page.goto(f"{service.url}/join#{code}&to=play")
    await page.locator("main section, main .card").first.wait_for()
    await page.wait_for_url("**/play#**")
    await page.get_by_role("heading", name="My combatants").wait_for()
    row = [time.perf_counter() - began, received / 1_000]
    await page.locator(".actions, .question").first.wait_for()
    row += [time.perf_counter() - began, received / 1_000]
    await page.context.close()
    return row


def asked_plainly(service: Service, encounter: str) -> float:
    """Milliseconds of a scene asked for by a plain client, median of those that are jumped to."""
    chance = Random(1)
    taken = []
    headers = {"Authorization": f"Bearer {service.key}"}
    with httpx.Client(base_url=service.url, headers=headers) as client:
        for _ in range(JUMPS):
            began = time.perf_counter()
            client.get(f"/v1/encounters/{encounter}/scene?at={chance.randrange(2, EVENTS)}")
            taken.append(1_000 * (time.perf_counter() - began))
    return sorted(taken)[JUMPS // 2]


async def looked(service: Service, encounter: str, rounds: int) -> list[list[float]]:
    """Each round opens everything again: a row of figures for each."""
    rows = []
    async with async_playwright() as playwright:
        browser = await launched(playwright)
        for _ in range(rounds):
            plain = asked_plainly(service, encounter)
            first, taken = await replayed(browser, service, encounter)
            phone = await joined(browser, service)
            rows.append([first, sorted(taken)[JUMPS // 2], plain, *phone])
        await browser.close()
    return rows


def measure(table: Table, given: Namespace) -> None:
    """A battle for all rounds."""
    with Service({}) as service:
        rows = asyncio.run(looked(service, long_battle(service), given.rounds))
    firsts, jumps, plain, joins, sizes, acts, all_sizes = (
        list(column) for column in zip(*rows, strict=True)
    )
    table.add("replay of 2,000 events: first event", firsts, "ms", target=at_most(1_000))
    table.add("… jump to any event, median of 40", jumps, "ms", target=at_most(100))
    table.add("… the same scene asked for without a browser", plain, "ms")
    table.add("phone joins at 1.6 Mbit/s and 150 ms", joins, "s", target=at_most(2))
    table.add("… transferred until then", sizes, "kB", target=at_most(100))
    table.add("… until the player may act", acts, "s")
    table.add("… transferred until then", all_sizes, "kB")


def main() -> None:
    """Measure and print."""
    given = parser(__doc__, rounds=3, seconds=2).parse_args()
    with Table(given.rows) as table:
        measure(table, given)


if __name__ == "__main__":
    main()

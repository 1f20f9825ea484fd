"""Bad codes, lost replies, removed seats, a lost network, a killed service; what stays hidden."""

import asyncio
from collections.abc import Callable, Coroutine

import pytest
from playwright.async_api import Browser, Route, expect

from service.demo.mill.creation import AMBUSHER
from tests.api.serving import Caller
from tests.durability.rig import ServiceProcess
from tests.patience import PATIENCE_SECONDS
from tests.web.battles import running
from tests.web.phone import at_the_table
from tests.web.visitor import Visitor, Visitors

pytestmark = pytest.mark.slow

STORED = "JSON.stringify(localStorage)"
MOST_BYTES = 100_000
MOST_FILES = 6
"""As many as a browser asks for at a time."""


async def test_a_wrong_code_is_told_and_stays_to_be_mended(
    visitors: Visitors, caller: Caller
) -> None:
    visitor = await visitors()
    visitor.expected.append("404")
    await visitor.open("/join#AAAAA-AAAAA")
    await expect(visitor.page.locator(".problem")).not_to_be_empty()
    await expect(visitor.page.locator("#code")).to_have_value("AAAAA-AAAAA")
    battle = running(caller, "crossfire-d6")
    await visitor.page.locator("#code").fill(battle.links["anna"].partition("#")[2].lower())
    await visitor.page.get_by_role("button", name="Join").click()
    await expect(visitor.page.locator(".headline")).to_be_visible()
    # The link leads to the same seat when it is opened again in this browser.
    await visitor.open(battle.links["anna"])
    await expect(visitor.page.locator(".frame .seat")).to_contain_text("Anna")
    other = await visitors()
    other.expected.append("404")
    await other.open(battle.links["anna"])
    await expect(other.page.locator(".problem")).not_to_be_empty()


async def test_another_link_in_the_same_place_is_followed_and_a_broken_one_is_told(
    visitors: Visitors, caller: Caller
) -> None:
    visitor = await visitors()
    visitor.expected.append("404")
    await visitor.open("/join#%AAAAA-AAAAA")
    await expect(visitor.page.locator("#code")).to_have_value("%AAAAA-AAAAA")
    await expect(visitor.page.locator(".problem")).not_to_be_empty()
    battle = running(caller, "crossfire-d6")
    await visitor.open(battle.links["anna"])
    await expect(visitor.page.locator(".headline")).to_be_visible()
    assert visitor.page.url.startswith(f"{caller.url}/play#encounter={battle.id}")


async def test_a_lost_reply_is_asked_for_again(visitors: Visitors, caller: Caller) -> None:
    battle = running(caller, "crossfire-d6")
    visitor = await visitors()
    visitor.expected += ["net::ERR", "Failed to load"]
    lost: list[int] = []

    async def lose(route: Route) -> None:
        answer = await route.fetch()
        if lost:
            await route.fulfill(response=answer)
        else:
            lost.append(answer.status)
            await route.abort()

    await visitor.page.route("**/v1/join", lose)
    await visitor.open(battle.links["anna"])
    await expect(visitor.page.locator(".headline")).to_be_visible()
    assert lost == [201]


async def test_a_seat_goes_on_on_another_device(visitors: Visitors, caller: Caller) -> None:
    battle = running(caller, "crossfire-d6")
    phone = await at_the_table(visitors, battle, "anna")
    await phone.page.locator(".menu summary").click()
    await phone.page.get_by_role("button", name="Continue on another device").click()
    code = await phone.page.locator(".ownCode").text_content()
    other = await visitors()
    await other.open(f"/join#{code}")
    await expect(other.page.locator(".frame .seat")).to_contain_text("Anna")
    caller.act(battle.path, {"type": "note", "text": "Both are here."})
    for page in (phone.page, other.page):
        await expect(page.locator(".told").first).to_contain_text("Both are here.")


async def test_nothing_is_left_of_a_removed_seat(visitors: Visitors, caller: Caller) -> None:
    battle = running(caller, "crossfire-d6")
    phone = await at_the_table(visitors, battle, "anna")
    phone.visitor.expected.append("401")
    assert battle.id in await phone.page.evaluate(STORED)
    answer = caller.http.delete(f"{battle.path}/seats/anna", headers={"Idempotency-Key": "gone"})
    assert answer.status_code == 200, answer.text
    await expect(phone.page.locator("main")).to_contain_text("yours no longer")
    assert battle.id not in await phone.page.evaluate(STORED)


async def test_a_lost_network_is_told_and_what_was_missed_comes(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "crossfire-d6")
    seat = battle.mover()
    phone = await at_the_table(visitors, battle, seat)
    phone.visitor.expected.append("ERR_INTERNET_DISCONNECTED")
    await phone.visitor.context.set_offline(True)
    await expect(phone.banner).to_have_class("banner offline")
    await expect(phone.page.locator(".stale")).to_contain_text("Not live")
    assert battle.act(seat, battle.legal(seat, sample=1)["samples"][0]) == 201
    told = battle.view()["seq"]
    await phone.visitor.context.set_offline(False)
    await expect(phone.banner).to_have_class("banner live")
    await expect(phone.page.locator(".told").first).to_contain_text(f"event {told}")


@pytest.mark.soak
async def test_a_killed_service_is_told_and_the_page_goes_on_behind_it(
    browser: Browser, caller: Caller, process: ServiceProcess
) -> None:
    with Caller(process.url, caller.token) as here:
        battle = running(here, "crossfire-d6")
    visitor = await Visitor.arriving(browser, process.url)
    visitor.expected += ["net::ERR", "Failed to load"]
    await visitor.open(battle.links["anna"])
    banner = visitor.page.locator(".banner")
    await expect(banner).to_have_class("banner live")
    process.kill()
    await expect(banner).to_have_class("banner offline")
    await process.start()
    await expect(banner).to_have_class("banner live")
    with Caller(process.url, caller.token) as here:
        here.act(battle.path, {"type": "note", "text": "It goes on."})
    await expect(visitor.page.locator(".told").first).to_contain_text("It goes on.")
    await visitor.leave()


async def test_what_is_hidden_is_nowhere_in_a_players_browser(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "crossfire-d6")
    mentions = {}
    for seat in battle.players:
        visitor = await visitors()
        mentions[seat] = _mentions_of_the_hidden(visitor, await visitor.overheard())
        await visitor.open(battle.links[seat])
        await expect(visitor.page.locator(".combatant").first).to_be_visible()
        caller.act(battle.path, {"type": "note", "text": "Anybody there?"})
        await expect(visitor.page.locator(".told").first).to_contain_text("Anybody there?")
    # The side that hides finds it on its page, in its store and in what was told.
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await mentions["boris"]() <= 2:  # noqa: ASYNC110 - what was told rings no bell
            await asyncio.sleep(0.05)
    assert await mentions["anna"]() == 0


def _mentions_of_the_hidden(
    visitor: Visitor, told: list[str]
) -> Callable[[], Coroutine[None, None, int]]:
    """Counts the texts in a browser that name whoever lies in ambush."""

    async def counted() -> int:
        page = visitor.page
        texts = [await page.content(), await page.evaluate(STORED), *told]
        return sum(AMBUSHER in each.lower() for each in texts)

    return counted


async def test_a_page_takes_less_than_a_hundred_kilobytes_and_so_does_what_it_is_told(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "crossfire-d6")
    visitor = await visitors()
    sizes = await visitor.measured()
    await visitor.open(battle.links["anna"])
    await expect(visitor.page.locator(".headline")).to_be_visible()
    told = {url: size for url, size in sizes.items() if "/v1/" in url}
    page = sum(sizes.values()) - sum(told.values())
    assert 20_000 < page < MOST_BYTES, sizes
    assert 1 < len([url for url in sizes if "/web/" in url]) <= MOST_FILES, sizes
    assert sum(told.values()) < MOST_BYTES, told

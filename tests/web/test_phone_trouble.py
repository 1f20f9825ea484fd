"""Bad codes, lost replies, removed seats, a lost network, a killed service; what stays hidden."""

import asyncio
import json
import re
from collections.abc import Callable, Coroutine

import pytest
from playwright.async_api import Browser, Route, expect

from service.demo.mill.creation import AMBUSHER
from tests.api.serving import Caller
from tests.durability.rig import ServiceProcess
from tests.patience import PATIENCE_SECONDS
from tests.web.battles import running, running_until_asked
from tests.web.phone import at_the_table
from tests.web.visitor import Visitor, Visitors

pytestmark = pytest.mark.slow

STORED = "JSON.stringify(localStorage)"
FOCUSED_TOP = """() => document.activeElement.closest("main, header")?.matches("main")
  ? document.activeElement.getBoundingClientRect().top : null"""
MOST_BYTES = 61_000
MOST_TOLD_BYTES = 35_000
MOST_FILES = 6
"""As many as a browser asks for at a time."""


@pytest.mark.soak
async def test_a_wrong_code_is_told_and_stays_to_be_mended(
    visitors: Visitors, caller: Caller
) -> None:
    visitor = await visitors()
    visitor.expected += ["404", "401"]
    await visitor.open("/join#AAAAA-AAAAA")
    await expect(visitor.page.locator(".problem")).not_to_be_empty()
    await expect(visitor.page.locator("#code")).to_have_value("AAAAA-AAAAA")
    assert "warlog.joining" not in await visitor.page.evaluate(STORED)
    battle = running(caller, "crossfire-d6")
    await visitor.page.locator("#code").fill(battle.links["anna"].partition("#")[2].lower())
    await visitor.page.get_by_role("button", name="Join").click()
    await expect(visitor.page.locator(".headline")).to_be_visible()
    # The link leads to the same seat when it is opened again in this browser.
    await visitor.open(battle.links["anna"])
    await expect(visitor.page.locator(".frame .seat")).to_contain_text("Anna")
    other = await visitors()
    other.expected += ["404", "401"]
    await other.open(battle.links["anna"])
    await expect(other.page.locator(".problem")).not_to_be_empty()


@pytest.mark.soak
async def test_another_link_in_the_same_place_is_followed_and_a_broken_one_is_told(
    visitors: Visitors, caller: Caller
) -> None:
    visitor = await visitors()
    visitor.expected += ["404", "401"]
    await visitor.open("/join#%AAAAA-AAAAA")
    await expect(visitor.page.locator("#code")).to_have_value("%AAAAA-AAAAA")
    await expect(visitor.page.locator(".problem")).not_to_be_empty()
    battle = running(caller, "crossfire-d6")
    await visitor.open(battle.links["anna"])
    await expect(visitor.page.locator(".headline")).to_be_visible()
    here = re.escape(f"{caller.url}/play#encounter={battle.id}")
    await expect(visitor.page).to_have_url(re.compile(f"^{here}"))


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


async def test_seats_of_one_browser_are_kept_apart_and_links_lead_to_them_again(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "crossfire-d6")
    visitor = await visitors()
    visitor.expected += ["401", "404"]
    page, name = visitor.page, visitor.page.locator(".frame .seat")
    for _ in range(2):
        for seat in ("anna", "boris"):
            await visitor.open("/join")
            await visitor.open(f"{battle.links[seat]}&to=play")
            await expect(name).to_contain_text(seat.title())
            await expect(page.locator(".headline")).to_be_visible()
            await visitor.open(f"/play#encounter={battle.id}&seat={seat}")
            await expect(name).to_contain_text(seat.title())
    await visitor.open("/join")
    await visitor.open(f"{battle.links['anna']}&to=replay")
    await expect(name).to_contain_text("Anna")
    here = re.escape(f"{caller.url}/replay/{battle.id}#seat=anna")
    await expect(page).to_have_url(re.compile(f"^{here}"))
    # A page of the seat that is open would forget it at once.
    await visitor.open("/join")
    gone = caller.http.delete(f"{battle.path}/seats/anna", headers={"Idempotency-Key": "away"})
    assert gone.status_code == 200
    await visitor.open(f"/play#encounter={battle.id}&seat=anna")
    await expect(page.locator("main")).to_contain_text("yours no longer")
    seats = "Object.keys(localStorage).filter((key) => key.startsWith('warlog.seat.'))"
    kept = {key.removeprefix("warlog.seat.") for key in await page.evaluate(seats)}
    assert f"{battle.id}.boris.token" in kept
    assert not {key for key in kept if key.startswith(f"{battle.id}.anna.")}


@pytest.mark.parametrize("refusal", [(429, "rate_limited"), (404, "unknown_invitation")])
async def test_a_seat_whose_reply_was_lost_is_had_after_a_refusal(
    visitors: Visitors, caller: Caller, refusal: tuple[int, str]
) -> None:
    """Too many tries say nothing of a token, and a used code nothing of the one sent with it."""
    status, code = refusal
    battle = running(caller, "crossfire-d6")
    visitor = await visitors()
    visitor.expected += ["net::ERR", "Failed to load"]
    tries: list[int] = []

    async def answer(route: Route) -> None:
        tries.append(status if tries else (await route.fetch()).status)
        if len(tries) == 1:
            await route.abort()
        elif len(tries) == 2 or status == 404:
            problem = {"status": status, "code": code, "detail": "Not now.", "params": {}}
            headers = {"content-type": "application/problem+json", "retry-after": "100"}
            await route.fulfill(status=status, headers=headers, body=json.dumps(problem))
        else:
            await route.fallback()

    await visitor.page.route("**/v1/join", answer)
    await visitor.open(battle.links["anna"])
    if status == 429:
        await expect(visitor.page.locator(".problem")).to_contain_text("Not now.")
        await visitor.page.get_by_role("button", name="Join").click()
    await expect(visitor.page.locator(".headline")).to_be_visible()
    assert tries[:2] == [201, status]
    assert "warlog.joining" not in await visitor.page.evaluate(STORED)


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


async def test_the_connection_is_told_wherever_the_page_stands(
    visitors: Visitors, caller: Caller
) -> None:
    battle, seat = running_until_asked(caller, "tactical-d20")
    phone = await at_the_table(visitors, battle, seat, viewport={"width": 320, "height": 568})
    page = phone.page
    await expect(page.locator(".card.question").first).to_be_visible()
    await page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert await page.evaluate("scrollY") > 0
    await expect(phone.banner).to_be_in_viewport(ratio=1)
    banner = await phone.banner.bounding_box()
    assert banner is not None
    assert (banner["y"], banner["width"]) == (0, 320)
    assert banner["height"] < 32
    # What the keyboard goes back to is not hidden behind it.
    controls = page.locator("main :is(a, button, input, summary):visible")
    await controls.last.focus()
    for _ in range(await controls.count()):
        focused = await page.evaluate(FOCUSED_TOP)
        if focused is None:
            break
        assert focused >= banner["height"]
        await page.keyboard.press("Shift+Tab")
    phone.visitor.expected.append("ERR_INTERNET_DISCONNECTED")
    await phone.visitor.context.set_offline(True)
    await expect(phone.banner).to_contain_text("Offline since")
    await expect(phone.banner).to_be_in_viewport(ratio=1)


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
    # The side that hides finds it on its page, in its store and in what was shown.
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await mentions["boris"]() <= 2:  # noqa: ASYNC110 - what was shown rings no bell
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


async def test_a_page_takes_at_most_61_kilobytes_and_less_is_sent_until_a_player_may_act(
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
    assert sum(told.values()) < MOST_TOLD_BYTES, told

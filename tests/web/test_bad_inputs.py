"""What a page says of what is of no use: a lost seat, a wrong token or address, a broken file."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Route, expect

from tests.api.serving import Caller
from tests.patience import PATIENCE_SECONDS
from tests.soak import with_soak
from tests.web.battles import running
from tests.web.visitor import STREAMS, Visitors

pytestmark = pytest.mark.slow

TOKEN = """() => {
  const key = Object.keys(localStorage).find((each) => each.endsWith(".token"));
  return JSON.parse(localStorage[key]).token;
}"""
STORED = "JSON.stringify(localStorage)"
REMOVED = {"en-GB": "This seat is yours no longer", "ru-RU": "Это место больше не ваше"}
UNKNOWN = {"en-GB": "Nobody goes by that token or key", "ru-RU": "Такого токена или ключа нет"}
OPEN = {"en-GB": "Open", "ru-RU": "Открыть"}


@pytest.mark.parametrize("language", with_soak([*REMOVED][:1], [*REMOVED][1:]))
@pytest.mark.parametrize(
    ("to", "seat"), [("watch", "eve"), pytest.param("replay", "anna", marks=pytest.mark.soak)]
)
async def test_whose_seat_is_taken_away_is_told_so_and_nothing_of_it_is_left(
    visitors: Visitors, caller: Caller, to: str, seat: str, language: str
) -> None:
    battle = running(caller, "crossfire-d6")
    visitor = await visitors(locale=language)
    visitor.expected.append("401")
    page = visitor.page
    await visitor.open(f"{battle.links[seat]}&to={to}")
    await expect(page.locator(".banner")).to_have_class("banner live")
    assert battle.id in await page.evaluate(STORED)
    gone = caller.http.delete(f"{battle.path}/seats/{seat}", headers={"Idempotency-Key": "gone"})
    assert gone.status_code == 200, gone.text
    await expect(page.get_by_role("alert")).to_contain_text(REMOVED[language])
    await expect(page.locator("#token")).to_be_visible()
    assert battle.id not in await page.evaluate(STORED)


@pytest.mark.parametrize("language", UNKNOWN)
async def test_a_wrong_token_is_told_in_words_and_stays_to_be_mended(
    visitors: Visitors, caller: Caller, language: str
) -> None:
    visitor = await visitors(locale=language)
    visitor.expected.append("401")
    page = visitor.page
    await visitor.open("/watch")
    await page.locator("#token").fill("half a token")
    await page.get_by_role("button", name=OPEN[language]).click()
    await expect(page.get_by_role("alert")).to_contain_text(UNKNOWN[language])
    await expect(page.locator("#token")).to_have_value("half a token")


@pytest.mark.soak
async def test_an_address_without_a_battle_is_told_and_another_token_asked_for(
    visitors: Visitors, caller: Caller
) -> None:
    visitor = await visitors()
    visitor.expected.append("404")
    page = visitor.page
    await visitor.open("/replay/00000000-0000-4000-8000-000000000000")
    await page.locator("#token").fill(caller.token or "")
    await page.get_by_role("button", name="Open").click()
    await expect(page.get_by_role("alert")).to_contain_text("There is no such battle here")
    await expect(page.locator("#token")).to_be_visible()


async def test_a_file_that_is_no_bundle_is_told_with_what_helps(
    visitors: Visitors, caller: Caller, tmp_path: Path
) -> None:
    visitor = await visitors()
    visitor.expected.append("400")
    page = visitor.page
    foreign = tmp_path / "foreign.txt"
    foreign.write_text("Dear diary.\n")
    await visitor.open("/replay")
    await page.locator("#token").fill(caller.token or "")
    await page.get_by_role("button", name="Open").click()
    await page.get_by_label("Drop the bundle of a battle here").set_input_files(foreign)
    card = page.locator(".drop")
    await expect(card.get_by_role("alert")).to_contain_text("Line 1")
    await expect(card).to_contain_text("Save the bundle again where the battle was played")


async def test_whoever_waits_long_to_join_is_told_why_and_comes_in(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "crossfire-d6")
    visitor = await visitors()
    answered = asyncio.Event()

    async def hold(route: Route) -> None:
        await answered.wait()
        await route.continue_()

    await visitor.page.route("**/v1/join", hold)
    await visitor.open(battle.links["anna"])
    await expect(visitor.page.get_by_role("status")).to_contain_text("The service does not answer")
    answered.set()
    await expect(visitor.page.locator(".headline .big")).not_to_be_empty()


@pytest.mark.soak
async def test_whoever_finds_the_service_full_is_told_so_until_there_is_room(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "crossfire-d6")
    visitor = await visitors()
    visitor.expected.append("429")
    page = visitor.page
    await visitor.open(battle.links["anna"])
    banner = page.locator(".banner")
    await expect(banner).to_have_class("banner live")
    token = await page.evaluate(TOKEN)
    await page.goto("about:blank")
    async with AsyncExitStack() as others:
        own = {"Authorization": f"Bearer {token}"}
        limits = httpx.Limits(max_connections=None)
        client = await others.enter_async_context(
            httpx.AsyncClient(
                base_url=visitor.url, headers=own, limits=limits, timeout=PATIENCE_SECONDS
            )
        )
        taken = 0
        while taken <= STREAMS:
            stream = client.stream("GET", f"{battle.path}/stream")
            answer = await others.enter_async_context(stream)
            if answer.status_code == 429:
                break
            taken += 1
        assert taken in (STREAMS - 1, STREAMS)
        await visitor.open(battle.links["anna"])
        await expect(banner).to_contain_text(f"More than {STREAMS} streams of one caller")
    await expect(banner).to_have_class("banner live")
    await expect(banner).to_have_text("● Live")

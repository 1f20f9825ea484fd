"""How a replay is met by whoever opens it: where it is, and what it checks unasked."""

from typing import Any

import pytest
from playwright.async_api import Page, Request, expect

from tests.api.serving import SHOT, Caller
from tests.patience import until
from tests.replay.golden import FOLDER as BUNDLES
from tests.soak import with_soak
from tests.web.test_replay import DESKTOP, drop, stands_behind
from tests.web.visitor import NewToken, Visitor, Visitors

pytestmark = pytest.mark.slow

REVEAL = {"type": "end_encounter", "reveal": "now", "open": "all"}
SAVING = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"
HIDDEN = "Object.defineProperty(document, 'visibilityState', {get: () => window.seen || 'hidden'})"
SHOWN = "window.seen = 'visible'; document.dispatchEvent(new Event('visibilitychange'))"
AT_REST = "new Promise((done) => setTimeout(() => requestIdleCallback(() => done(true)), 3_000))"
"""Twice as long as a page has to be at rest."""


def fought(caller: Caller, *more: dict[str, Any]) -> str:
    """The id of a battle: its start is event 2, a shot event 3, a note event 4."""
    encounter = caller.started()
    caller.act(encounter, SHOT)
    caller.act(encounter, {"type": "note", "text": "The gate is open."})
    for action in more:
        caller.act(encounter, action)
    return encounter.rpartition("/")[2]


async def opened(visitor: Visitor, address: str, token: str | None) -> Page:
    await visitor.open(f"/replay/{address}")
    await visitor.page.get_by_label("Token or key").fill(token or "")
    await visitor.page.get_by_role("button", name="Open").click()
    return visitor.page


def audits(visitor: Visitor) -> list[Request]:
    asked = [each for each in visitor.requests if "/v1/" in each.url]
    return [each for each in asked if each.url.split("?")[0].endswith(("/audit", "/bundle"))]


async def test_what_is_over_opens_at_its_start_and_what_goes_on_at_its_newest(
    visitors: Visitors, caller: Caller, new_token: NewToken
) -> None:
    running, over = fought(caller), fought(caller, REVEAL)
    for address, seq in ((running, 4), (over, 2), (f"{over}#e=1", 1), (f"{over}#e=5", 5)):
        visitor = await visitors(viewport=DESKTOP)
        await stands_behind(await opened(visitor, address, await new_token()), seq)


@pytest.mark.soak
async def test_a_bundle_of_a_battle_that_is_over_opens_at_its_start(
    visitors: Visitors, caller: Caller, new_token: NewToken
) -> None:
    visitor = await visitors(viewport=DESKTOP)
    page = await drop(visitor, await new_token(), BUNDLES / "crossfire-d6-sealed.ndjson")
    await expect(page.locator(".event h2")).to_contain_text("The battle begins.")


@pytest.mark.soak
async def test_a_second_bundle_opens_where_a_first_one_would(
    visitors: Visitors, caller: Caller, new_token: NewToken
) -> None:
    visitor = await visitors(viewport=DESKTOP)
    page = await drop(visitor, await new_token(), BUNDLES / "crossfire-d6-sealed.ndjson")
    at_start = page.locator(".event h2", has_text="The battle begins.")
    await expect(at_start).to_be_visible()
    start = page.url
    await page.keyboard.press("End")
    await expect(at_start).to_have_count(0)
    await expect(page).not_to_have_url(start)
    choose = page.get_by_label("Drop the bundle of a battle here")
    await choose.set_input_files(BUNDLES / "crossfire-d6-supplied.ndjson")
    await expect(at_start).to_be_visible()


async def test_what_is_over_is_checked_unasked_and_again_when_asked(
    visitors: Visitors, caller: Caller, new_token: NewToken
) -> None:
    visitor = await visitors(viewport=DESKTOP)
    page = await opened(visitor, fought(caller, REVEAL), await new_token())
    await expect(page.locator(".badge .good")).to_have_count(3)
    scene = next(at for at, each in enumerate(visitor.requests) if "/scene" in each.url)
    assert all(visitor.requests.index(each) > scene for each in audits(visitor))
    many = len(audits(visitor))
    await page.get_by_role("button", name="Check now").click()
    await until(lambda: len(audits(visitor)) >= 2 * many)
    await expect(page.get_by_role("button", name="Check now")).to_be_enabled()
    assert len(audits(visitor)) == 2 * many


@pytest.mark.soak
async def test_what_is_revealed_later_is_checked_then(
    visitors: Visitors, caller: Caller, new_token: NewToken
) -> None:
    visitor = await visitors(viewport=DESKTOP)
    battle = fought(caller, {"type": "end_encounter"})
    page = await opened(visitor, battle, await new_token())
    badge = page.locator(".badge")
    await expect(badge).to_contain_text("The seed is sealed until the battle is revealed.")
    caller.act(f"/v1/encounters/{battle}", {"type": "reveal", "seed": True, "open": "all"})
    await expect(badge).not_to_contain_text("The seed is sealed until the battle is revealed.")
    await expect(badge.locator(".good")).to_have_count(3)


@pytest.mark.soak
@pytest.mark.parametrize("state", with_soak(["running"], ["saving data"]))
async def test_nothing_is_checked_unasked_of_what_goes_on_or_where_data_is_dear(
    visitors: Visitors, caller: Caller, new_token: NewToken, state: str
) -> None:
    visitor = await visitors(viewport=DESKTOP)
    if state == "saving data":
        await visitor.page.add_init_script(SAVING)
    battle = fought(caller) if state == "running" else fought(caller, REVEAL)
    page = await opened(visitor, battle, await new_token())
    await expect(page.locator(".event h2")).not_to_be_empty()
    assert await page.evaluate(AT_REST)
    assert audits(visitor) == []
    await page.get_by_role("button", name="Check now").click()
    await expect(page.locator(".badge .good")).to_have_count(3)


@pytest.mark.soak
async def test_a_page_behind_others_checks_once_it_is_shown(
    visitors: Visitors, caller: Caller, new_token: NewToken
) -> None:
    visitor = await visitors(viewport=DESKTOP)
    await visitor.page.add_init_script(HIDDEN)
    page = await opened(visitor, fought(caller, REVEAL), await new_token())
    await expect(page.locator(".event h2")).not_to_be_empty()
    assert await page.evaluate(AT_REST)
    assert audits(visitor) == []
    await page.evaluate(SHOWN)
    await expect(page.locator(".badge .good")).to_have_count(3)

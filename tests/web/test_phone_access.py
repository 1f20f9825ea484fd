"""The phone without a finger: by keyboard alone, by the accessibility tree, by the rules of axe."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from tests.api.serving import Caller
from tests.clients import tools
from tests.web.battles import running, running_until_asked
from tests.web.browsers import HERE
from tests.web.phone import at_the_table
from tests.web.visitor import Visitors

pytestmark = pytest.mark.slow

MOST_TABS = 60


async def violations(page: Page) -> list[tuple[str, list[Any]]]:
    """What axe finds wrong with a page as it is."""
    source = (tools.node_modules(HERE) / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    await page.evaluate(source)
    report = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        (each["id"], [node["html"][:200] for node in each["nodes"]])
        for each in report["violations"]
    ]


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
async def test_axe_finds_nothing_at_any_step(
    visitors: Visitors, caller: Caller, scheme: str
) -> None:
    battle = running(caller, "squad-d100")
    visitor = await visitors(color_scheme=scheme, reduced_motion="reduce")
    await visitor.open("/join")
    await expect(visitor.page.locator("#code")).to_be_visible()
    assert await violations(visitor.page) == []
    phone = await at_the_table(visitors, battle, battle.mover(), color_scheme=scheme)
    assert await violations(phone.page) == []
    await phone.page.locator(".menu summary").click()
    assert await violations(phone.page) == []
    await phone.page.locator(".menu summary").click()
    await phone.act("Aimed shot")
    assert await violations(phone.page) == []
    await phone.choose_first()
    await expect(phone.page.locator(".preview")).to_be_visible()
    assert await violations(phone.page) == []
    await phone.confirm()
    await phone.outcome.locator("summary").click()
    await expect(phone.outcome.locator(".why").first).to_be_visible()
    assert await violations(phone.page) == []


async def test_axe_finds_nothing_wrong_with_a_question(visitors: Visitors, caller: Caller) -> None:
    battle, seat = running_until_asked(caller, "tactical-d20")
    phone = await at_the_table(visitors, battle, seat, locale="ru-RU")
    await expect(phone.page.locator(".card.question").first).to_be_visible()
    assert await violations(phone.page) == []


async def tab_to(page: Page, text: str) -> None:
    """Press the tabulator until the control with this text has the focus."""
    focused = "(document.activeElement.innerText || document.activeElement.value || '').trim()"
    for _ in range(MOST_TABS):
        await page.keyboard.press("Tab")
        if (await page.evaluate(focused)).startswith(text):
            return
    raise AssertionError(f"the keyboard does not reach {text}")


async def test_a_turn_is_played_by_keyboard_alone(visitors: Visitors, caller: Caller) -> None:
    battle = running(caller, "squad-d100")
    phone = await at_the_table(visitors, battle, battle.mover())
    page = phone.page
    # What an action would come to is asked for in addition, and may come too late for a quick hand.
    phone.visitor.expected.append("422")
    for action in ("Kneeling down", "End the turn"):
        before = await phone.outcome.text_content() or ""
        await expect(page.get_by_role("button", name=action)).to_be_visible()
        await tab_to(page, action)
        await page.keyboard.press("Enter")
        await expect(page.locator(".confirm")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(phone.outcome).not_to_have_text(before)


async def test_a_turn_is_played_by_roles_and_names_alone(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "squad-d100")
    turn = battle.view()["state"]["turn"]
    phone = await at_the_table(visitors, battle, battle.mover())
    page = phone.page
    await page.get_by_role("button", name="Aimed shot").click()
    await page.get_by_role("radio").first.check()
    await page.get_by_role("button", name="Take:").click()
    await page.get_by_role("button", name="Confirm: Aimed shot").click()
    told = page.get_by_role("region", name="What happened")
    await expect(told).to_contain_text("aimed shot at")
    await page.get_by_role("button", name="End the turn").click()
    await page.get_by_role("button", name="Confirm: End the turn").click()
    await expect(told).to_contain_text("turn")
    status = page.get_by_role("button", name="Aimed shot")
    await expect(status).to_have_count(0)
    assert battle.view()["state"]["turn"] != turn


async def test_actions_are_offered_in_the_words_of_the_rulebook_only(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "squad-d100")
    visitor = await visitors(locale="ru-RU")
    begun, may_go_on = asyncio.Event(), asyncio.Event()

    async def wait(route: Route) -> None:
        begun.set()
        await may_go_on.wait()
        await route.fallback()

    await visitor.page.route("**/v1/rulesets/*", wait)
    await visitor.open(battle.links["anna"])
    await begun.wait()
    await expect(visitor.page.locator(".headline")).to_contain_text("Ваш ход")
    assert await visitor.page.locator(".actions").count() == 0
    may_go_on.set()
    names = visitor.page.locator(".actions button")
    await expect(names.filter(has_text="Приседание на колено")).to_have_count(1)
    assert not any(each.isascii() for each in await names.all_text_contents())


@pytest.mark.parametrize("width", [320, pytest.param(1280, marks=pytest.mark.soak)])
async def test_nothing_is_wider_than_the_screen(
    visitors: Visitors, caller: Caller, width: int
) -> None:
    battle = running(caller, "squad-d100")
    viewport = {"width": width, "height": 700}
    phone = await at_the_table(visitors, battle, battle.mover(), viewport=viewport, locale="ru-RU")
    widest = "document.documentElement.scrollWidth"
    assert await phone.page.evaluate(widest) == width
    await phone.page.locator(".actions button").first.click()
    assert await phone.page.evaluate(widest) == width

"""What the phone says can be read: whole words, in the reader's language, on small screens."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.api.serving import Caller
from tests.soak import with_soak
from tests.web.battles import CREATIONS, WebBattle, running, running_until_asked
from tests.web.phone import at_the_table
from tests.web.visitor import Visitors

pytestmark = pytest.mark.slow

ON_CELLS = sorted(CREATIONS.keys() - {"melody-d6"})
"""Battles whose actions are listed for whoever has the turn, not for units."""

BROKEN_WORDS = """(selector) => [...document.querySelectorAll(selector)].flatMap((each) => {
  const nodes = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (nodes.nextNode()) {
    const node = nodes.currentNode;
    for (const word of node.data.matchAll(/[^\\s]+/gu)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((one) => Math.round(one.top)));
      if (lines.size > 1) broken.push(word[0]);
    }
  }
  return broken;
})"""
"""Words that go over more than one line."""
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
RUSSIAN_WITH_ID = re.compile(r"[a-z]+_[a-z0-9_]+")


def small(width: int) -> dict[str, object]:
    return {"locale": "ru-RU", "viewport": {"width": width, "height": 640}}


@pytest.mark.parametrize("width", with_soak([360], [320]))
@pytest.mark.parametrize("ruleset", with_soak([*ON_CELLS][-1:], [*ON_CELLS][:-1]))
async def test_what_can_be_done_is_written_in_whole_words(
    visitors: Visitors, caller: Caller, ruleset: str, width: int
) -> None:
    battle = running(caller, ruleset)
    phone = await at_the_table(visitors, battle, battle.mover(), **small(width))
    await expect(phone.page.locator(".actions button").first).to_be_visible()
    assert await broken_words(phone.page, ".actions button, h1, .seat") == []
    assert await phone.page.evaluate(FITS)
    await phone.page.locator(".menu summary").click()
    assert await broken_words(phone.page, ".sheet label, .sheet button") == []
    assert await phone.page.evaluate(FITS)


async def broken_words(page: Page, selector: str) -> list[str]:
    words: list[str] = await page.evaluate(BROKEN_WORDS, selector)
    return words


@pytest.mark.parametrize("ruleset", with_soak([*ON_CELLS][:1], [*ON_CELLS][1:]))
async def test_choices_of_every_action_are_in_the_readers_language(
    visitors: Visitors, caller: Caller, ruleset: str
) -> None:
    """No id of an action, a parameter or an option is where a word belongs."""
    battle = running(caller, ruleset)
    phone = await at_the_table(visitors, battle, battle.mover(), **small(360))
    buttons = phone.page.locator(".actions button")
    await expect(buttons.first).to_be_visible()
    for at in range(await buttons.count()):
        await buttons.nth(at).click()
        text = await phone.page.locator(".walk").inner_text()
        assert not RUSSIAN_WITH_ID.search(text), text
        await phone.page.get_by_role("button", name="Назад", exact=True).click()


async def test_a_question_says_in_russian_what_it_is(visitors: Visitors, caller: Caller) -> None:
    battle, seat = running_until_asked(caller, "seeker-d100")
    phone = await at_the_table(visitors, battle, seat, **small(360))
    await expect(phone.page.locator(".question h2").first).to_contain_text(": Ответ на атаку")


async def test_hits_of_a_burst_are_counted_in_words(visitors: Visitors, caller: Caller) -> None:
    battle = running(caller, "squad-d100")
    phone = await at_the_table(visitors, battle, "anna", **small(360))
    await phone.act("Очередь")
    await phone.choose_first()
    line = phone.page.locator(".preview summary")
    await expect(line).to_contain_text("1 попадание ")
    await expect(line).to_contain_text("2 попадания ")
    await expect(line).to_contain_text("5 попаданий ")


async def test_what_was_agreed_to_is_undone_and_nothing_that_came_after(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "crossfire-d6")
    seat = battle.mover()
    phone = await at_the_table(visitors, battle, seat)
    await turn_about(battle, seat, "S")
    undo = phone.page.get_by_role("button", name="Undo my last step")
    await undo.click()
    await expect(phone.page.locator(".undo .main")).to_be_focused()
    # Another device of the seat continues.
    await turn_about(battle, seat, "N")
    await expect(phone.page.locator(".undo .main")).to_have_count(0)
    await expect(undo).to_be_visible()


async def turn_about(battle: WebBattle, seat: str, facing: str) -> None:
    who = battle.view(seat)["state"]["turn"]
    assert battle.act(seat, {"type": "set_facing", "combatant": who, "facing": facing}) == 201


async def test_a_unit_is_shown_with_its_members_and_a_side_with_what_it_can_do(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "melody-d6")
    seat = battle.mover()
    phone = await at_the_table(visitors, battle, seat)
    actors = phone.page.locator(".actions button")
    await expect(actors.filter(has=phone.page.locator(".members")).first).to_be_visible()
    alone = actors.filter(has_text=": End the turn")
    await expect(actors.last).to_have_text(await alone.inner_text())
    await alone.click()
    await expect(phone.page.locator(".confirm")).to_have_text("Confirm: End the turn")

"""What is half done on the phone, and what lies between; where the focus is meanwhile."""

import pytest
from playwright.async_api import expect

from tests.api.serving import Caller
from tests.web.battles import WebBattle, running
from tests.web.phone import Phone, at_the_table
from tests.web.visitor import Visitors

pytestmark = pytest.mark.slow

WHO = "maxim_gander"
SHOT = {
    "type": "aimed_shot",
    "combatant": WHO,
    "weapon": "rifle",
    "target": "mercenary_2_6",
}


async def move_begun(phone: Phone) -> None:
    """A move to (2, 1) is put together, and not yet confirmed."""
    await phone.act("Move")
    await destination_chosen(phone, "at (2, 1)")


async def destination_chosen(phone: Phone, place: str) -> None:
    """The move leads somewhere, and what it would come to has been answered.

    A preview that is still on its way when others act is refused by then, which no page can know.
    """
    await phone.page.locator(".byList summary").click()
    async with phone.page.expect_response("**/preview") as previewed:
        await phone.choose(place)
    assert (await previewed.value).status == 200
    await expect(phone.page.locator(".settled")).to_have_text(f"Way{place}")


async def test_an_action_that_is_half_done_outlives_a_question_and_typed_dice_a_reload(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "squad-d100", dice="supplied")
    phone = await at_the_table(visitors, battle, "anna")
    page = phone.page
    await move_begun(phone)
    before = battle.view()["seq"]
    assert battle.act("anna", SHOT) == 201
    await expect(phone.headline).to_have_text("You are asked")
    await expect(page.locator(".confirm")).to_have_count(0)
    # What had the focus gave way to the question.
    await page.wait_for_function("() => document.activeElement.closest('.question')")
    await page.locator(".dice input").fill("4")
    await page.reload()
    await expect(page.locator(".dice input")).to_have_value("4")
    await page.locator(".menu summary").click()
    await page.get_by_label("Language").select_option("ru")
    await expect(page.locator(".dice input")).to_have_value("4")
    await page.locator(".menu summary").click()
    await page.get_by_label("Язык").select_option("en")
    caller.act(battle.path, {"type": "rewind", "to": before})
    await expect(page.locator(".dice input")).to_have_count(0)
    await expect(page.locator(".settled")).to_have_text("Wayat (2, 1)")
    await phone.confirm()
    assert place_of(battle) == {"x": 2, "y": 1}
    # Done: it is not begun again with the next page.
    await page.reload()
    await expect(page.locator(".actions")).to_be_visible()
    await expect(page.locator(".card.note")).to_have_count(0)


def place_of(battle: WebBattle) -> dict[str, int]:
    fighters = battle.view()["state"]["combatants"]
    place: dict[str, int] = next(each["place"] for each in fighters if each["id"] == WHO)
    return place


@pytest.mark.soak
async def test_what_became_impossible_meanwhile_is_said(visitors: Visitors, caller: Caller) -> None:
    battle = running(caller, "squad-d100")
    phone = await at_the_table(visitors, battle, "anna")
    await move_begun(phone)
    change = {"type": "place", "combatant": "mercenary_2_6", "place": {"x": 2, "y": 1}}
    caller.act(battle.path, {"type": "adjust", "changes": [change], "reason": "He runs there."})
    note = phone.page.locator("main .note")
    await expect(note).to_have_text("at (2, 1) is possible no longer. Choose again.")
    await expect(phone.page.locator(".settled")).to_have_count(0)
    await destination_chosen(phone, "at (3, 1)")
    await expect(note).to_have_count(0)
    assert battle.act("anna", {"type": "end_turn", "combatant": WHO}) == 201
    await expect(note).to_contain_text("Maxim Gander: Move is possible no longer")
    await expect(phone.page.locator(".walk")).to_have_count(0)


async def test_the_focus_goes_to_what_comes_next_and_never_nowhere(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "squad-d100", dice="supplied")
    phone = await at_the_table(visitors, battle, "anna")
    page = phone.page
    await page.get_by_role("button", name="End the turn").focus()
    # Another device of the seat does something, so that other actions are listed.
    assert battle.act("anna", {"type": "kneel", "combatant": WHO}) == 201
    await expect(
        page.locator(".actions").get_by_role("button", name="Kneeling down")
    ).to_have_count(0)
    await expect(page.get_by_role("button", name="End the turn")).to_be_focused()
    await page.get_by_role("button", name="Aimed shot").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".choice h3")).to_be_focused()
    await page.get_by_role("radio").first.focus()
    await page.keyboard.press("Space")
    await page.keyboard.press("Enter")
    await expect(page.locator(".confirm")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator(".question h2")).to_be_focused()
    await expect(page.locator(".question h2")).to_have_text("Anna: Roll the dice")
    await page.keyboard.press("Tab")
    await page.keyboard.type("99")
    await page.keyboard.press("Enter")
    await expect(page.locator(".question")).to_have_count(0)
    await expect(page.get_by_role("heading", name="What happened")).to_be_focused()

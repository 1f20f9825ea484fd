"""What a player is asked, in every ruleset: the card, its options, the dice of the table."""

import pytest
from playwright.async_api import Route, expect

from tests.api.serving import Caller
from tests.soak import with_soak
from tests.web.battles import running, running_until_asked
from tests.web.phone import at_the_table
from tests.web.visitor import Visitors

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("ruleset", with_soak(["seeker-d100"], ["tactical-d20", "melody-d6"]))
async def test_a_question_is_answered_with_the_options_of_the_service(
    visitors: Visitors, caller: Caller, ruleset: str
) -> None:
    battle, seat = running_until_asked(caller, ruleset)
    asked = battle.questions(seat)
    decision = asked[0]
    phone = await at_the_table(visitors, battle, seat)
    card = phone.page.locator(".card.question")
    await expect(phone.headline).to_have_text("You are asked")
    await expect(card).to_have_count(len(asked))
    assert await card.first.locator(".option").count() in {0, len(decision["options"])}
    await expect(phone.page.locator("#announced")).to_contain_text("You are asked")
    await phone.choose_first(".card.question")
    await card.first.locator(".confirm").click()
    await expect(phone.page.locator(f"[id='q-{decision['id']}']")).to_have_count(0)
    assert decision["id"] not in {each["id"] for each in battle.view()["decisions"]}
    await expect(phone.page.locator(".card.note")).to_have_count(0)


async def test_the_faces_of_real_dice_are_sent(visitors: Visitors, caller: Caller) -> None:
    battle = running(caller, "squad-d100", dice="supplied")
    seat = battle.mover()
    phone = await at_the_table(visitors, battle, seat)
    await phone.act("Aimed shot")
    await phone.choose_first()
    await phone.confirm()
    roll = battle.view(seat)["decisions"][0]["roll"]
    die = phone.page.locator(".dice input")
    await expect(die).to_have_count(roll["count"])
    await die.first.fill("101")
    await phone.page.get_by_role("button", name="These are the faces").click()
    assert battle.view(seat)["decisions"][0]["roll"] == roll
    await die.first.fill("99")
    await phone.page.get_by_role("button", name="These are the faces").click()
    await expect(phone.outcome).to_contain_text("99")


async def test_what_was_missed_is_said(visitors: Visitors, caller: Caller) -> None:
    battle, seat = running_until_asked(caller, "tactical-d20")
    decision = battle.questions(seat)[0]
    phone = await at_the_table(visitors, battle, seat)
    await expect(phone.headline).to_have_text("You are asked")
    passed = {"type": "force_pass", "decision_id": decision["id"]}
    caller.act(battle.path, passed)
    await expect(phone.page.locator(".card.note")).to_contain_text("closed without an answer")


async def test_an_answer_counts_once_however_often_it_is_given(
    visitors: Visitors, caller: Caller
) -> None:
    battle, seat = running_until_asked(caller, "tactical-d20")
    phone = await at_the_table(visitors, battle, seat)
    before = battle.view()["seq"]
    decision = battle.questions(seat)[0]
    card = phone.page.locator(".card.question")
    await expect(card).to_have_count(len(battle.questions(seat)))
    await phone.choose_first(".card.question")
    # Two taps in a hurry, both of them before an answer can be there.
    confirm = "button => { button.click(); button.click(); }"
    await card.first.locator(".confirm").evaluate(confirm)
    await expect(phone.page.locator(f"[id='q-{decision['id']}']")).to_have_count(0)
    page = caller.get(f"{battle.path}/events?after={before}").json()
    events = [each.get("seen", each["event"]) for each in page["events"]]
    types = [each["action"]["type"] for each in events]
    assert types.count("answer") == 1
    for told in (".card.note", ".problem"):
        await expect(phone.page.locator(told)).to_have_count(0)


async def test_an_answer_that_came_is_not_told_as_missed_though_its_reply_was_lost(
    visitors: Visitors, caller: Caller
) -> None:
    battle, seat = running_until_asked(caller, "tactical-d20")
    phone = await at_the_table(visitors, battle, seat)
    phone.visitor.expected.append("Failed to load")

    async def lose(route: Route) -> None:
        await route.fetch()
        await route.fulfill(status=503, headers={"retry-after": "100"}, body="{}")

    await phone.page.route("**/actions", lose)
    decision = battle.questions(seat)[0]
    card = phone.page.locator(".card.question")
    await expect(card).to_have_count(len(battle.questions(seat)))
    await phone.choose_first(".card.question")
    await card.first.locator(".confirm").click()
    await expect(phone.page.locator(f"[id='q-{decision['id']}']")).to_have_count(0)
    await expect(phone.page.locator(".card.note")).to_have_count(0)

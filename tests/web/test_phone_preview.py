"""What an action would come to, before it is confirmed: a line, unfolded into its rules."""

import asyncio
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Route, expect

from service.demo.bridge.creation import fighter, melee
from tests.api.serving import Caller
from tests.web.battles import SEED, running, started
from tests.web.phone import at_the_table
from tests.web.visitor import Visitors

pytestmark = pytest.mark.slow

SWORD = melee("sword", 6, "1d8+3")
PINCER = {
    "ruleset": "tactical-d20",
    "title": "Two on one",
    "seed": SEED,
    "sides": [{"id": "west"}, {"id": "east"}],
    "seats": [{"id": "anna", "role": "player", "sides": ["west"], "name": "Anna"}],
    "setup": {
        "map": {"form": "ascii", "rows": ["......"] * 4},
        "combatants": [
            fighter("ada", "west", (1, 1), 16, SWORD, initiative=30),
            fighter("mara", "west", (3, 1), 16, SWORD, initiative=30),
            fighter("bob", "east", (2, 1), 16, SWORD, conditions=["prone"]),
        ],
    },
}


RULES = "/v1/rulesets/tactical-d20"


@pytest.mark.parametrize(
    ("locale", "attack", "line"),
    [
        ("en-GB", "Attack", "+2 flanking, +4 prone · miss 10%, hit 85%, critical hit 5%"),
        (
            "ru-RU",
            "Атака",
            "+2 взятие в тиски, +4 распластанность · "
            "промах 10 %, попадание 85 %, критическое попадание 5 %",
        ),
    ],
)
async def test_a_line_tells_modifiers_by_word_and_chances_and_unfolds_into_rules(
    visitors: Visitors, caller: Caller, locale: str, attack: str, line: str
) -> None:
    phone = await at_the_table(visitors, started(caller, PINCER), "anna", locale=locale)
    await phone.act(attack)
    await phone.choose_first()
    preview = phone.page.locator(".preview")
    await expect(preview.locator("summary")).to_have_text(line)
    await expect(preview.locator("li").first).to_be_hidden()
    await preview.locator("summary").click()
    rules = {each["id"]: each[locale[:2]] for each in caller.get(RULES).json()["rules"]}
    lines = [f"+2 {rules['TD-FLANK-1']} TD-FLANK-1", f"+4 {rules['TD-PRONE-3']} TD-PRONE-3"]
    await expect(preview.locator("li")).to_have_text(lines)
    await expect(preview.locator("li").first).to_be_visible()


async def test_who_confirms_before_the_line_came_no_longer_asks_for_it(
    visitors: Visitors, caller: Caller
) -> None:
    """Behind the action its preview would be refused, and the refusal be shown as a fault."""
    phone = await at_the_table(visitors, started(caller, PINCER), "anna")
    acted = asyncio.Event()

    async def once_acted(route: Route) -> None:
        await acted.wait()
        await route.continue_()

    await phone.page.route("**/preview", once_acted)
    await phone.act("Attack")
    async with phone.page.expect_event("requestfailed") as failed:
        await phone.choose_first()
        async with phone.page.expect_response("**/actions") as answered:
            await phone.page.locator(".confirm").click()
        assert (await answered.value).status == 201
        acted.set()
    assert urlsplit((await failed.value).url).path.endswith("/preview")
    await phone.page.unroute_all(behavior="ignoreErrors")


FACING = {
    **PINCER,
    "title": "One on one",
    "seats": [*PINCER["seats"], {"id": "boris", "role": "player", "sides": ["east"]}],
    "setup": {
        "map": {"form": "ascii", "rows": ["......"] * 4},
        "combatants": [
            fighter("ada", "west", (1, 1), 16, SWORD, initiative=30),
            fighter("bob", "east", (2, 1), 16, SWORD),
        ],
    },
}


async def test_it_is_not_asked_for_anew_while_somebody_else_is_asked(
    visitors: Visitors, caller: Caller
) -> None:
    """Until that is answered nothing may be done, and a preview would be refused."""
    battle = started(caller, FACING)
    phone = await at_the_table(visitors, battle, "anna")
    async with phone.page.expect_response("**/preview"):
        await phone.act("Attack")
        await phone.choose_first()
    asked: list[str] = []
    phone.page.on("request", lambda each: asked.append(urlsplit(each.url).path.split("/")[-1]))
    away = {"type": "move", "combatant": "ada", "path": [{"x": 0, "y": 1}]}
    # Another device of the seat walks off, past somebody who may strike at that.
    assert battle.act("anna", away) == 201
    async with phone.page.expect_response("**/legal-actions*"):
        await expect(phone.headline).to_have_text("Somebody else is asked")
    await phone.page.evaluate("new Promise((done) => setTimeout(done, 300))")
    assert "preview" not in asked


@pytest.mark.parametrize(
    ("ruleset", "price"), [("squad-d100", "4 points"), ("tactical-d20", "5 ft")]
)
async def test_the_cost_of_a_walk_is_told_in_what_is_paid(
    visitors: Visitors, caller: Caller, ruleset: str, price: str
) -> None:
    battle = running(caller, ruleset)
    phone = await at_the_table(visitors, battle, battle.mover())
    await phone.act("Move")
    await phone.page.locator(".choice details.byList summary").click()
    await expect(phone.page.locator(".choice .option").first).to_contain_text(f" · {price}")

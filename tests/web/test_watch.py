"""The big screen in a real browser: what the whole room may see, as it happens."""

import pytest
from playwright.async_api import expect

from tests.api.joining import joined
from tests.api.serving import SHOT, Caller
from tests.soak import with_soak
from tests.web.battles import CREATIONS, running
from tests.web.test_phone_access import violations
from tests.web.visitor import Visitors

pytestmark = pytest.mark.slow

SIZE = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"


async def test_the_room_sees_what_happens_with_an_observers_seat_only(
    visitors: Visitors, caller: Caller
) -> None:
    encounter = caller.started()
    screen = await visitors(viewport={"width": 1280, "height": 800})
    page = screen.page
    await screen.open("/watch")
    token = page.get_by_label("Token or key")
    with joined(caller, encounter) as bob:
        await token.fill(bob.token or "")
        await page.get_by_role("button", name="Open").click()
        await expect(page.get_by_role("alert")).to_contain_text("an observer's invitation")
    with joined(caller, encounter, {"id": "eve", "role": "observer", "name": "Screen"}) as eve:
        await token.fill(eve.token or "")
        await page.get_by_role("button", name="Open").click()
        await expect(page.locator(".whose")).to_contain_text("Round 1. The turn of")
        await expect(page.locator(".seat bdi")).to_have_text("Screen")
        seq = caller.act(encounter, SHOT)["version"]
        told = eve.http.get(f"{encounter}/events/{seq}?explain=en").json()["explanation"]
        await expect(page.locator(".newest")).to_have_text(told["narration"])
        await expect(page.locator(".newest")).to_be_in_viewport(ratio=1)
        await expect(page.locator(".earlier li").first).to_have_text(
            "Seat eve (“Screen”): observer."
        )
        await page.reload()
        await expect(page.locator(".newest")).to_have_text(told["narration"])


@pytest.mark.parametrize("ruleset", with_soak([*CREATIONS][:1], [*CREATIONS][1:]))
async def test_all_of_it_is_in_sight_on_every_screen_of_a_room(
    visitors: Visitors, caller: Caller, ruleset: str
) -> None:
    battle = running(caller, ruleset)
    screen = await visitors(reduced_motion="reduce", bypass_csp=True)
    page = screen.page
    with joined(caller, battle.path, {"id": "screen", "role": "observer"}) as observer:
        await screen.open("/watch")
        await page.get_by_label("Token or key").fill(observer.token or "")
        await page.get_by_role("button", name="Open").click()
        note = "The fog lifts from the river, and everybody looks around. " * 6
        for sentence in ("It dawns. ", note):
            told = {"type": "note", "text": sentence.strip()}
            caller.act(battle.path, told)
            await expect(page.locator(".newest")).to_contain_text(told["text"])
            for width, height in ((1920, 1080), (1600, 900), (1280, 720)):
                await page.set_viewport_size({"width": width, "height": height})
                size = await page.evaluate(SIZE)
                assert size == [width, height]
                for part in (".whose", ".newest", ".board svg", ".zoom"):
                    await expect(page.locator(part)).to_be_in_viewport(ratio=1)
                box = await page.locator(".board svg").bounding_box()
                assert box is not None
                assert box["height"] > height / 3
        assert await violations(page) == []

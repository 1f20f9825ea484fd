"""What calls for a player: the countdown, what is said aloud, vibration, notices, installing."""

import struct
from urllib.parse import urljoin

import pytest
from playwright.async_api import expect

from tests.api.serving import Caller
from tests.api.test_timers import in_melee
from tests.web.battles import started
from tests.web.phone import Phone
from tests.web.test_phone_battle import DUEL
from tests.web.visitor import Visitors

pytestmark = pytest.mark.slow

WRONG_CLOCK = """
window.ahead = 3600000;
const now = Date.now;
Date.now = () => now() + window.ahead;
"""
DEVICE = """
window.calls = [];
Navigator.prototype.vibrate = () => window.calls.push("vibrated");
Notification.requestPermission = async () => "granted";
ServiceWorkerContainer.prototype.register = async () => ({
  active: { state: "activated" },
  showNotification: async (text, { tag, data }) => window.calls.push([text, tag, data]),
});
Object.defineProperty(Document.prototype, "hidden", { get: () => window.isAway ?? false });
"""
PLAIN_HTTP = "Object.defineProperty(window, 'isSecureContext', { value: false });"
HEAR = """() => {
  window.heard = [];
  const place = document.querySelector("#announced");
  const changes = { childList: true, characterData: true, subtree: true };
  const hear = () => place.textContent && window.heard.push(place.textContent);
  new MutationObserver(hear).observe(place, changes);
}"""
LEFT = """() => {
  const [minutes, seconds] = document.querySelector(".question .countdown").textContent
    .match(/[0-9]+:[0-9]+/)[0].split(":");
  return 60 * minutes + Number(seconds);
}"""
BLOW = {"type": "attack", "combatant": "seeker", "weapon": "club", "target": "cultist"}
YOUR_TURN = "It is your turn."


async def prepared(visitors: Visitors, link: str, *scripts: str) -> Phone:
    """A phone at the table whose browser is changed by scripts."""
    visitor = await visitors()
    for script in scripts:
        await visitor.context.add_init_script(script)
    await visitor.open(link)
    phone = Phone(visitor)
    await expect(phone.banner).to_have_class("banner live")
    await expect(phone.page.locator("#announced")).to_be_attached()
    return phone


async def test_a_question_counts_down_by_the_services_clock_and_calls_twice(
    visitors: Visitors, caller: Caller
) -> None:
    battle = started(caller, in_melee())
    phone = await prepared(visitors, battle.links["carl"], WRONG_CLOCK, DEVICE)
    page = phone.page
    await page.locator(".menu summary").click()
    await page.get_by_label("Vibrate when I am asked").check()
    await page.get_by_label("Notify me when I am asked").check()
    await page.evaluate(HEAR)
    await page.evaluate("window.isAway = true")
    assert battle.act("olga", BLOW) == 201
    countdown = page.locator(".question .countdown")
    await expect(countdown).to_have_class("countdown ")
    left = await page.evaluate(LEFT)
    assert 10 < left < 1_200
    await page.evaluate(f"window.ahead += {1000 * (left - 8)}")
    announced = page.locator("#announced")
    await expect(announced).to_have_text("Ten seconds left to answer.")
    await expect(countdown).to_have_class("countdown last")
    await page.wait_for_function(f"() => ({LEFT})() < 8")
    texts = ["You are asked: Answer to an attack.", "Ten seconds left to answer."]
    assert await page.evaluate("window.heard") == texts
    notices = [["vibrated", [text, "warlog", page.url]] for text in texts]
    assert await page.evaluate("window.calls") == [call for each in notices for call in each]


async def test_every_turn_is_said_and_over_plain_http_what_needs_https(
    visitors: Visitors, caller: Caller
) -> None:
    battle = started(caller, DUEL)
    seat = battle.mover()
    [other] = set(battle.players) - {seat}
    phone = await prepared(visitors, battle.links[seat], PLAIN_HTTP)
    page = phone.page
    await expect(page.locator("#announced")).to_have_text(YOUR_TURN)
    await page.evaluate(HEAR)
    for each in (seat, other):
        samples = battle.legal(each, sample=50)["samples"]
        assert battle.act(each, next(one for one in samples if one["type"] == "end_turn")) == 201
    await page.wait_for_function("() => window.heard.length > 0")
    assert await page.evaluate("window.heard") == [YOUR_TURN]
    await page.locator(".menu summary").click()
    await expect(page.get_by_label("Notify me when I am asked")).to_be_disabled()
    sheet = page.locator(".menu .sheet")
    await expect(sheet).to_contain_text("Notices and installing need HTTPS")


async def test_the_browser_finds_nothing_wrong_with_what_is_installed(
    visitors: Visitors, caller: Caller
) -> None:
    visitor = await visitors()
    await visitor.open("/play")
    session = await visitor.context.new_cdp_session(visitor.page)
    found = await session.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = caller.get(found["url"].removeprefix(caller.url)).json()
    assert urljoin(found["url"], manifest["start_url"]) == f"{caller.url}/play"
    assert urljoin(found["url"], manifest["scope"]) == f"{caller.url}/"
    for icon in manifest["icons"]:
        address = urljoin(found["url"], icon["src"]).removeprefix(caller.url)
        answer = caller.get(address)
        assert answer.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            assert "{}x{}".format(*struct.unpack(">II", answer.content[16:24])) == icon["sizes"]
    sizes = {icon["sizes"] for icon in manifest["icons"] if icon["type"] == "image/png"}
    assert sizes == {"192x192", "512x512"}

"""The search of the documentation in a real browser, in both languages and without a mouse."""

import pytest
from playwright.async_api import Page, expect

from service.api import docs
from tests.soak import with_soak
from tests.web.test_phone_access import violations
from tests.web.visitor import PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow

WIDTH = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
UNDERSCORES = "Deprecated: escaping deep link whitespace"
PAGES = (
    "guides",
    "guides/live-updates",
    "audits",
    "hidden",
    "scenes",
    "specification",
    "problems",
    "streams",
)


async def reader(visitors: Visitors, path: str, **options: object) -> Visitor:
    visitor = await visitors(**options)
    visitor.expected.append(UNDERSCORES)
    await visitor.open(path)
    return visitor


async def looked_for(page: Page, phrase: str) -> list[str]:
    """Where the hits of a phrase lead to, best first."""
    await page.get_by_role("searchbox").fill(phrase)
    status = page.get_by_role("status")
    await expect(status).not_to_be_empty()
    await expect(status).not_to_contain_text("…")
    links = await page.get_by_role("search").get_by_role("link").all()
    return [str(await link.get_attribute("href")) for link in links]


@pytest.mark.parametrize(
    ("phrase", "best"),
    [
        pytest.param("sealed answers", "/docs/guides/decisions#sealed", marks=pytest.mark.soak),
        pytest.param("rewinding", "/docs/guides/undo", marks=pytest.mark.soak),
        ("history_diverged", "/docs/problems#history_diverged"),
        pytest.param("decision_clos", "/docs/problems#decision_closed", marks=pytest.mark.soak),
        pytest.param("heartbeat", "/docs/streams#record-heartbeat", marks=pytest.mark.soak),
        pytest.param("canonical json", "/docs/specification#canonical", marks=pytest.mark.soak),
        ("simulations", "/docs/guides/forks#simulations"),
        pytest.param("rate limit", "/docs/guides/rate-limits-and-cors", marks=pytest.mark.soak),
        pytest.param("post simulations", "/docs#/encounters/simulate", marks=pytest.mark.soak),
        ("reciept", "/docs/audits#receipts"),
    ],
)
async def test_a_phrase_leads_to_its_section(visitors: Visitors, phrase: str, best: str) -> None:
    visitor = await reader(visitors, "/docs/guides")
    found = await looked_for(visitor.page, phrase)
    assert best in found[:5]
    assert await visitor.page.evaluate(WIDTH)


@pytest.mark.parametrize(
    ("phrase", "best"),
    [
        ("перемотку", "/docs/guides/undo"),
        pytest.param("перемоткой боя", "/docs/guides/undo", marks=pytest.mark.soak),
        pytest.param("жетонами", "/docs/guides/seats#join", marks=pytest.mark.soak),
        ("обьяснения", "/docs/guides/explain-a-roll"),
        pytest.param("скрытого", "/docs/guides/hidden-information", marks=pytest.mark.soak),
        pytest.param("too_few_faces", "/docs/problems#too_few_faces", marks=pytest.mark.soak),
    ],
)
async def test_a_russian_word_is_found_in_another_form(
    visitors: Visitors, phrase: str, best: str
) -> None:
    visitor = await reader(visitors, "/docs/audits", locale="ru-RU")
    assert best in (await looked_for(visitor.page, phrase))[:3]


@pytest.mark.soak
async def test_what_is_nowhere_is_said_so(visitors: Visitors) -> None:
    visitor = await reader(visitors, "/docs/problems")
    assert await looked_for(visitor.page, "zeppelin xylophone") == []
    said = visitor.page.get_by_role("status")
    await expect(said).to_have_text("Nothing is found for “zeppelin xylophone”.")


async def test_a_hit_is_gone_to_with_the_keyboard_alone(visitors: Visitors) -> None:
    visitor = await reader(visitors, "/docs/hidden")
    page = visitor.page
    await page.keyboard.press("/")
    box = page.get_by_role("searchbox", name="Search the documentation")
    await expect(box).to_be_focused()
    await page.keyboard.type("long poll")
    links = page.get_by_role("search").get_by_role("link")
    await expect(links.first).to_have_attribute("href", "/docs/guides/live-updates#long-poll")
    await page.keyboard.press("ArrowDown")
    await expect(links.nth(0)).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await expect(links.nth(1)).to_be_focused()
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("ArrowUp")
    await expect(box).to_be_focused()
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/docs/guides/live-updates#long-poll")
    await expect(page.locator("#long-poll h2")).to_be_in_viewport()


@pytest.mark.soak
async def test_escape_empties_the_box(visitors: Visitors) -> None:
    visitor = await reader(visitors, "/docs/streams")
    page = visitor.page
    assert await looked_for(page, "cursor")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("searchbox")).to_be_focused()
    await expect(page.get_by_role("searchbox")).to_have_value("")
    await expect(page.get_by_role("search").get_by_role("link")).to_have_count(0)


@pytest.mark.soak
async def test_a_call_is_opened_from_beside_the_reference(visitors: Visitors) -> None:
    visitor = await reader(visitors, "/docs?ruleset=melody-d6")
    page = visitor.page
    await expect(page.locator("#operations-play-act")).to_be_attached()
    await looked_for(page, "exchange invitation token")
    await page.get_by_role("search").get_by_role("link", name="POST /v1/join").click()
    call = page.locator("#operations-seats-join")
    await expect(call.locator(".opblock-body .responses-wrapper")).to_be_visible()
    await expect(call).to_be_in_viewport()
    await looked_for(page, "list_legal_actions")
    hits = page.get_by_role("search").get_by_role("link")
    await hits.filter(has_text="GET /v1/encounters/{encounter}/legal-actions").click()
    call = page.locator("#operations-play-list_legal_actions")
    await expect(call.locator(".opblock-body .responses-wrapper")).to_be_visible()
    await expect(call).to_be_in_viewport()
    await expect(page.locator("#rulebook")).to_have_value("melody-d6")


async def test_the_index_is_fetched_by_who_looks_for_something_and_by_nobody_else(
    visitors: Visitors,
) -> None:
    visitor = await reader(visitors, "/docs/guides")
    await expect(visitor.page.get_by_role("searchbox")).to_be_visible()
    asked = {each.url.removeprefix(visitor.url) for each in visitor.requests}
    assert asked == {"/docs/guides", "/docs/docs.css", "/docs/search.js"}
    await looked_for(visitor.page, "seed")
    asked = {each.url.removeprefix(visitor.url) for each in visitor.requests} - asked
    [module] = [name for name in docs.built_files() if name.startswith("search_index-")]
    assert asked == {"/docs/search.en.json", f"/docs/{module}"}


@pytest.mark.soak
async def test_an_index_that_does_not_come_is_asked_for_again(visitors: Visitors) -> None:
    visitor = await reader(visitors, "/docs/guides")
    visitor.expected.append("Failed to load resource")
    page = visitor.page
    await page.route("**/search.en.json", lambda route: route.abort())
    await page.get_by_role("searchbox").fill("seed")
    said = page.get_by_role("status")
    await expect(said).to_have_text("The index could not be fetched. Try again.")
    await page.unroute("**/search.en.json")
    assert "/docs/specification#dice" in await looked_for(page, "seed dice")


@pytest.mark.soak
@pytest.mark.parametrize("name", with_soak([*PAGES][:1], [*PAGES][1:]))
async def test_every_page_has_the_box_and_fits_a_phone(visitors: Visitors, name: str) -> None:
    visitor = await reader(visitors, f"/docs/{name}")
    assert await looked_for(visitor.page, "event seed")
    assert await visitor.page.evaluate(WIDTH)
    box = await visitor.page.get_by_role("searchbox").bounding_box()
    assert box is not None
    assert box["width"] > PHONE["width"] / 2


@pytest.mark.soak
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_axe_finds_nothing_in_the_box_and_its_hits(visitors: Visitors, theme: str) -> None:
    visitor = await reader(visitors, "/docs/guides", color_scheme=theme, bypass_csp=True)
    assert await looked_for(visitor.page, "token")
    assert await violations(visitor.page) == []

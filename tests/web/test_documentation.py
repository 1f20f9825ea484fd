"""The reference in a real browser: calls by their anchors, search, a phone's width, the policy."""

import pytest
from playwright.async_api import expect

from tests.web.visitor import PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow

WIDTH = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
UNDERSCORES = "Deprecated: escaping deep link whitespace"
"""Said of every anchor with an underscore, which the renderer tries to read as a space first."""


async def reader(visitors: Visitors) -> Visitor:
    visitor = await visitors()
    visitor.expected.append(UNDERSCORES)
    return visitor


async def test_a_call_is_shown_by_its_anchor_on_a_phone(visitors: Visitors) -> None:
    visitor = await reader(visitors)
    await visitor.open("/docs?ruleset=squad-d100#/seats/join")
    page = visitor.page
    call = page.locator("#operations-seats-join")
    await expect(call.locator(".opblock-body .responses-wrapper")).to_be_visible()
    await expect(call).to_be_in_viewport()
    await expect(page.locator(".opblock.is-open")).to_have_count(1)
    answer = call.locator("tr.response td.response-col_description").first
    assert await answer.evaluate("(cell) => cell.clientWidth") > PHONE["width"] / 2
    await expect(page.locator("#rulebook")).to_have_value("squad-d100")
    assert await page.evaluate(WIDTH)


async def test_the_pages_of_an_audit_are_as_wide_as_a_phone(visitors: Visitors) -> None:
    visitor = await reader(visitors)
    widths = {}
    for path in ("/docs/audits", "/docs/specification"):
        await visitor.open(path)
        widths[path] = await visitor.page.evaluate(WIDTH)
    assert widths == {"/docs/audits": True, "/docs/specification": True}


async def test_a_call_is_found_by_words_of_its_summary(visitors: Visitors) -> None:
    visitor = await reader(visitors)
    await visitor.open("/docs")
    page = visitor.page
    await expect(page.locator("#operations-play-act")).to_be_attached()
    await page.locator(".operation-filter-input").fill("SIMULATIONS fork")
    await expect(page.locator(".opblock")).to_have_count(1)
    await expect(page.locator(".opblock-summary-path")).to_contain_text("simulations")
    assert await page.evaluate(WIDTH)


@pytest.mark.soak
async def test_the_reference_has_one_title_and_asks_for_no_server(visitors: Visitors) -> None:
    visitor = await reader(visitors)
    await visitor.open("/docs")
    page = visitor.page
    await expect(page.locator("#operations-play-act")).to_be_attached()
    await expect(page.get_by_role("heading", name="Warlog")).to_have_count(1)
    await expect(page.get_by_role("heading", name="Warlog")).to_have_text("Warlog")
    shown = await page.get_by_role("combobox").evaluate_all("(all) => all.map((each) => each.id)")
    assert shown == ["rulebook"]
    authorize = page.get_by_role("button", name="Authorize")
    await expect(authorize).to_be_in_viewport(ratio=1)


@pytest.mark.soak
async def test_another_rulebook_is_chosen_and_the_call_stays_open(visitors: Visitors) -> None:
    visitor = await reader(visitors)
    await visitor.open("/docs#/seats/join")
    page = visitor.page
    await expect(page.locator("#operations-seats-join .opblock-body")).to_be_visible()
    await page.locator("#rulebook").select_option("melody-d6")
    await page.wait_for_url("**/docs?ruleset=melody-d6#/seats/join")
    await expect(page.locator("#operations-seats-join .opblock-body")).to_be_visible()
    asked = {each.url.removeprefix(visitor.url) for each in visitor.requests}
    assert {"/docs/crossfire-d6.openapi.json", "/docs/melody-d6.openapi.json"} <= asked

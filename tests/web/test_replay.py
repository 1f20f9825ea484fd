"""The replay in a real browser: map, log and event move together, for each with their own view."""

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from service.demo.mill.creation import AMBUSHER
from service.engine.hashing import part_commit
from service.engine.log import canonical
from tests.api.serving import SHOT, Caller
from tests.replay.golden import FOLDER as BUNDLES
from tests.web.battles import running
from tests.web.test_phone_access import violations
from tests.web.visitor import PHONE, NewToken, Visitor, Visitors

pytestmark = pytest.mark.slow

DESKTOP = {"width": 1280, "height": 900}
TEXT = ("text", "everyone")

ONE_AT_A_TIME = "429"
"""The page wants further audits of a file before the first is over, and asks again for them."""


@pytest.fixture(scope="module")
def played(caller: Caller) -> str:
    """The id of a battle: a shot is event 3, a note event 4, a rewind to event 3 event 5."""
    encounter = caller.started()
    caller.act(encounter, SHOT)
    caller.act(encounter, {"type": "note", "text": "The gate is open."})
    caller.act(encounter, {"type": "rewind", "to": 3})
    return encounter.rpartition("/")[2]


async def look(visitor: Visitor, encounter: str, token: str | None, seq: int) -> Page:
    """The replay of an encounter, behind an event."""
    await visitor.open(f"/replay/{encounter}#e={seq}")
    await visitor.page.get_by_label("Token or key").fill(token or "")
    await visitor.page.get_by_role("button", name="Open").click()
    await stands_behind(visitor.page, seq)
    return visitor.page


async def stands_behind(page: Page, seq: int) -> None:
    """Map, event, log and address are those behind an event."""
    await expect(page.locator(f"html[data-event='{seq}']")).to_be_attached()
    await expect(page.locator(".event")).to_contain_text(f"Event {seq} ")
    await expect(page.locator(".log [aria-current=true] .seq")).to_have_text(str(seq))
    await expect(page).to_have_url(re.compile(f"#e={seq}$"))


async def test_map_log_and_event_move_together(
    visitors: Visitors, caller: Caller, played: str
) -> None:
    visitor = await visitors(viewport=DESKTOP)
    page = await look(visitor, played, caller.token, 3)
    told = caller.http.get(f"/v1/encounters/{played}/events/3?explain=en").json()["explanation"]
    await expect(page.locator(".event h2")).to_have_text(told["narration"])
    texts = [each["rule"]["id"] for each in told["effects"][0]["modifiers"]]
    assert (
        await page.locator(".effect").first.locator(".modifiers > li code").all_inner_texts()
        == [each["rule"]["id"] for effect in told["effects"] for each in effect["modifiers"]][
            : len(texts)
        ]
    )
    await expect(page.locator(".face")).to_have_text(
        [str(each["face"]) for each in told["dice"]["draws"]]
    )
    for part in (".board svg", ".log [aria-current=true]", ".event h2"):
        await expect(page.locator(part).first).to_be_in_viewport(ratio=1)
    for key, seq in (("ArrowRight", 4), ("End", 5), ("Home", 1), ("PageDown", 3)):
        await page.keyboard.press(key)
        await stands_behind(page, seq)
    await page.get_by_text("1 event, taken back by event 5").click()
    await page.locator(".log a", has_text="The gate is open.").click()
    await stands_behind(page, 4)
    sign = page.get_by_role("button", pressed=False).and_(page.locator("g.sign")).first
    await sign.click()
    await expect(page.locator("g.sign.chosen")).to_have_count(1)


async def test_an_event_stands_in_the_turn_in_which_it_was_asked_for(
    visitors: Visitors, caller: Caller
) -> None:
    address = caller.started()
    caller.act(address, SHOT)
    caller.act(address, {"type": "end_turn", "combatant": SHOT["combatant"]})
    visitor = await visitors(viewport=DESKTOP)
    page = await look(visitor, address.rpartition("/")[2], caller.token, 4)
    shown = caller.http.get(address).json()["state"]
    names = {each["id"]: each.get("name", each["id"]) for each in shown["combatants"]}
    turns = page.locator(".log .turn")
    await expect(turns.locator("h3")).to_have_text(names[SHOT["combatant"]])
    await expect(turns.last.locator(".seq")).to_have_text(["3", "4"])


async def test_browser_and_service_say_what_was_checked(
    visitors: Visitors, caller: Caller, played: str
) -> None:
    visitor = await visitors(viewport=DESKTOP)
    page = await look(visitor, played, caller.token, 3)
    await page.get_by_role("button", name="Check now").click()
    badge = page.locator(".badge")
    await expect(badge).to_contain_text("Signed by this service's published key.")
    await expect(badge).to_contain_text("The service decided every event again: nothing differs.")
    await expect(badge).to_contain_text("The seed is sealed until the battle is revealed.")


async def test_lines_are_filtered_and_stepped_through(
    visitors: Visitors, caller: Caller, played: str
) -> None:
    visitor = await visitors()
    page = await look(visitor, played, caller.token, 3)
    await page.get_by_text("Filters").click()
    await page.get_by_label("Only").select_option("rewinds")
    await expect(page.get_by_text("2 events shown")).to_be_visible()
    await page.get_by_role("button", name="Next event").click()
    await stands_behind(page, 4)


async def test_the_game_master_gives_seats_and_takes_them_at_the_desk(
    visitors: Visitors, caller: Caller
) -> None:
    address = caller.started()
    visitor = await visitors(viewport=DESKTOP)
    page = await look(visitor, address.rpartition("/")[2], caller.token, 2)
    desk = page.locator(".desk")
    await desk.get_by_text("Add a seat").click()
    await desk.get_by_label("Name").fill("Eve & co")
    await desk.get_by_role("checkbox", name="raiders").check()
    await desk.get_by_role("button", name="Add and make a code").click()
    invitation = desk.locator(".invitation")
    await expect(invitation).to_contain_text("Code for Eve & co, good once:")
    link = await invitation.locator("a").get_attribute("href")
    assert link is not None
    phone = await visitors()
    phone.expected.append("401")
    await phone.page.goto(link)
    row = desk.locator("li", has_text="Eve & co ·")
    await expect(row).to_contain_text("player · here now")
    [eve] = [
        each
        for each in caller.http.get(f"{address}/seats").json()["seats"]
        if each.get("name") == "Eve & co"
    ]
    assert (eve["role"], eve["sides"]) == ("player", ["raiders"])
    await row.get_by_text("More", exact=True).click()
    await row.get_by_role("button", name="Take away access").click()
    await expect(row).to_contain_text("never joined")
    await row.get_by_role("button", name="Remove the seat").click()
    await expect(row).to_have_count(0)
    left = caller.http.get(f"{address}/seats").json()["seats"]
    assert eve["id"] not in [each["id"] for each in left]
    await expect(page.locator(".log a", has_text="Eve & co").first).to_be_visible()


@pytest.mark.soak
async def test_the_game_master_invites_ends_and_reveals_at_the_desk(
    visitors: Visitors, caller: Caller, new_token: NewToken
) -> None:
    address = caller.started()
    visitor = await visitors(viewport=DESKTOP)
    # What is revealed is checked unasked, maybe while the next test has something checked.
    page = await look(visitor, address.rpartition("/")[2], await new_token(), 2)
    desk = page.locator(".desk")
    await desk.get_by_label("Note for the log").fill("Dawn comes.")
    await desk.get_by_role("button", name="Write").click()
    await expect(page.locator(".log a", has_text="Dawn comes.")).to_be_visible()
    seat = {"id": "eve", "role": "observer"}
    caller.post(f"{address}/seats", {"seat": seat, "invite": False})
    await desk.locator("li", has_text="eve ·").get_by_role("button", name="New code").click()
    await expect(desk.get_by_role("img", name="QR code of the invitation")).to_be_visible()
    code = await desk.locator(".invitation .code").inner_text()
    assert await desk.locator(".invitation a").inner_text() == f"{caller.url}/join#{code}"
    await desk.get_by_text("End the battle").click()
    await desk.get_by_role("button", name="End and reveal the seed").click()
    await expect(page.locator(".log a", has_text="Dawn comes.")).to_be_visible()
    await expect(desk.get_by_role("button", name="Reveal the seed")).to_have_count(0)
    view = caller.http.get(address).json()
    assert (view["state"]["status"], view["table"]["opened"]) == ("ended", "sides")
    assert len(view["table"]["seed"]) == 64


def note_in(bundle: Path) -> str:
    """What the text that the fourth event of a bundle holds gives as a commitment."""
    lines = [json.loads(line) for line in bundle.read_bytes().splitlines()]
    [event] = [each for each in lines if each.get("event", {}).get("seq") == 4]
    [part] = [each for each in event["parts"] if (each["kind"], each["audience"]) == TEXT]
    return part_commit(bytes.fromhex(part["salt"]), canonical.encode(part["body"])).hex()


async def test_a_bundle_is_replayed_from_its_file_and_a_forged_one_is_told(
    visitors: Visitors, caller: Caller, played: str, tmp_path: Path
) -> None:
    bundle = caller.http.get(f"/v1/encounters/{played}/bundle").text
    genuine, forged = tmp_path / "genuine.ndjson", tmp_path / "forged.ndjson"
    genuine.write_text(bundle)
    forged.write_text(bundle.replace("The gate is open.", "The gate is shut."))
    visitor = await visitors(viewport=DESKTOP)
    visitor.expected.append(ONE_AT_A_TIME)
    page = visitor.page
    await visitor.open("/replay")
    await page.get_by_label("Token or key").fill(caller.token or "")
    await page.get_by_role("button", name="Open").click()
    choose = page.get_by_label("Drop the bundle of a battle here")
    await choose.set_input_files(genuine)
    badge = page.locator(".badge")
    await badge.wait_for()
    await expect(badge).to_contain_text("The service decided every event again: nothing differs.")
    await expect(badge).to_contain_text("Signed by this service's published key.")
    await page.keyboard.press("Home")
    for seq in (2, 3):
        await page.keyboard.press("ArrowRight")
        await expect(page.locator(".log [aria-current=true] .seq")).to_have_text(str(seq))
    stored = caller.http.get(f"/v1/encounters/{played}/events/3?explain=en").json()
    explained = stored["explanation"]
    lines = [line for effect in explained["effects"] for line in effect["modifiers"]]
    assert lines
    await expect(page.locator(".event h2")).to_have_text(explained["narration"])
    await expect(page.locator(".modifiers > li > p:first-child")).to_contain_text(
        [line["rule"]["text"] for line in lines]
    )
    await expect(page.locator(".face")).to_have_text(
        [str(die["face"]) for die in explained["dice"]["draws"]]
    )
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".event .note")).to_have_text(
        "Event 5 went back behind this one: it does not count any more."
    )
    await choose.set_input_files(forged)
    was, became = note_in(genuine), note_in(forged)
    for language, tells in (
        (None, "Differs at event 4: parts.text.everyone: {was} instead of {became}"),
        ("ru", "Расхождение в событии 4: parts.text.everyone: {was} вместо {became}"),
    ):
        if language:
            await page.locator("header.frame summary").click()
            await page.get_by_label("Language").select_option(language)
        await expect(badge).to_contain_text(tells.format(was=was, became=became))
    await expect(badge).to_contain_text(
        "Служба решила заново: расхождение в событии 4."
        " Событие 4: Часть не та, на которую дано обязательство. parts.text.everyone",
        use_inner_text=True,
    )


async def drop(visitor: Visitor, token: str | None, bundle: Path) -> Page:
    """The replay of a bundle's file."""
    visitor.expected.append(ONE_AT_A_TIME)
    page = visitor.page
    await visitor.open("/replay")
    await page.get_by_label("Token or key").fill(token or "")
    await page.get_by_role("button", name="Open").click()
    await page.get_by_label("Drop the bundle of a battle here").set_input_files(bundle)
    await page.locator(".badge").wait_for()
    return page


@pytest.mark.soak
async def test_a_bundle_that_another_service_signed_is_told_as_such(
    visitors: Visitors, caller: Caller, played: str, tmp_path: Path
) -> None:
    own = tmp_path / "own.ndjson"
    own.write_text(caller.http.get(f"/v1/encounters/{played}/bundle").text)
    visitor = await visitors(viewport=DESKTOP)
    page = await drop(visitor, caller.token, BUNDLES / "tactical-d20-rewound.ndjson")
    badge = page.locator(".badge")
    await expect(badge).to_contain_text("Signed by another key than this service's.")
    await expect(badge).to_contain_text("The service decided every event again: nothing differs.")
    await page.get_by_label("Drop the bundle of a battle here").set_input_files(own)
    await expect(badge).to_contain_text("Signed by this service's published key.")
    await expect(badge).to_contain_text("The service decided every event again: nothing differs.")


@pytest.mark.soak
async def test_a_forged_die_is_told_with_the_face_that_was_drawn(
    visitors: Visitors, caller: Caller, tmp_path: Path
) -> None:
    forged = tmp_path / "forged.ndjson"
    genuine = (BUNDLES / "crossfire-d6-sealed.ndjson").read_text("utf-8")
    forged.write_text(genuine.replace('"face":4', '"face":3', 1))
    visitor = await visitors(viewport=DESKTOP)
    page = await drop(visitor, caller.token, forged)
    await expect(page.locator(".badge")).to_contain_text(
        "Die 5 of stream 1, of 6 sides: stored 3, recomputed 4"
    )
    await page.get_by_role("link", name="Look", exact=True).click()
    await expect(page.locator(".event .problem")).to_contain_text("stored 3, recomputed 4")


async def test_what_a_seat_cannot_see_is_marked_where_the_game_master_looks_through_it(
    visitors: Visitors, caller: Caller
) -> None:
    battle = running(caller, "crossfire-d6")
    smoke = {"type": "set_terrain", "secret": True, "cells": [{"x": 0, "y": 0, "smoke": True}]}
    caller.act(battle.path, smoke)
    head = battle.view()["seq"]
    visitor = await visitors(viewport=DESKTOP)
    page = await look(visitor, battle.id, caller.token, head)
    await expect(page.locator(".untold, .unseen")).to_have_count(0)
    seats = page.get_by_label("Look as")
    for seat, name, sees_ambush in (("anna", "Anna", False), ("boris", "Boris", True)):
        await seats.select_option(seat)
        await stands_behind(page, head)
        note = f"not seen by {name}"
        hidden = page.get_by_role("button", name=re.compile(f"^{AMBUSHER}.*{note}", re.IGNORECASE))
        await expect(page.get_by_role("img", name=note)).not_to_have_count(0)
        await expect(hidden).to_have_count(0 if sees_ambush else 1)
        mark = page.locator(".log .untold", has_text=f"Not told to {name}:")
        await expect(mark.last).to_be_visible()
    await seats.select_option("")
    await stands_behind(page, head)
    await expect(page.locator(".untold, .unseen")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
async def test_axe_finds_nothing_wrong_with_the_replay(
    visitors: Visitors, caller: Caller, played: str, scheme: str
) -> None:
    visitor = await visitors(viewport=DESKTOP, color_scheme=scheme, reduced_motion="reduce")
    page = await look(visitor, played, caller.token, 3)
    await page.get_by_role("button", name="Check now").click()
    await expect(page.locator(".badge .good")).to_have_count(3)
    await page.locator(".desk .overrule > summary").click()
    await expect(page.get_by_role("group", name="Change 1")).to_be_visible()
    await page.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
    assert await violations(page) == []
    await page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    await page.get_by_label("Look as").select_option(index=1)
    await stands_behind(page, 3)
    assert await violations(page) == []
    wide = await page.evaluate("document.documentElement.scrollWidth")
    assert wide == PHONE["width"]


@pytest.mark.soak
async def test_a_bundle_is_looked_at_with_the_eyes_that_it_has_the_parts_for(
    visitors: Visitors, caller: Caller
) -> None:
    visitor = await visitors(viewport=DESKTOP)
    page = await drop(visitor, caller.token, BUNDLES / "crossfire-d6-sealed.ndjson")
    seats = page.get_by_label("Look as")
    await expect(seats.locator("option")).to_have_text(
        ["its own reader", "red", "blue", "an onlooker"]
    )
    await expect(page.locator(".untold, .unseen, .lacking")).to_have_count(0)
    await page.keyboard.press("Home")
    await seats.select_option("everyone")
    await stands_behind(page, 1)
    await expect(page.get_by_text("What an onlooker was entitled to see.")).to_be_visible()
    await expect(page.locator(".unseen g.sign title")).to_have_text(
        re.compile("^Bina.*not seen by an onlooker$")
    )
    await page.keyboard.press("ArrowRight")
    await stands_behind(page, 2)
    await expect(page.locator(".log .untold").first).to_contain_text("Not told to an onlooker:")
    await expect(page.get_by_role("heading", name="Against the odds")).to_be_visible()


@pytest.mark.soak
async def test_what_a_bundle_withholds_is_said_and_not_shown(
    visitors: Visitors, caller: Caller
) -> None:
    visitor = await visitors(viewport=DESKTOP)
    page = await drop(visitor, caller.token, BUNDLES / "crossfire-d6-sealed-red.ndjson")
    note = page.locator(".lacking")
    await expect(page.get_by_label("Look as").locator("option")).to_have_text(
        ["its own reader", "an onlooker"]
    )
    await page.keyboard.press("Home")
    await stands_behind(page, 1)
    await expect(note).to_have_count(0)
    await expect(page.locator(".board")).to_be_visible()
    await page.keyboard.press("End")
    await stands_behind(page, 57)
    await expect(page.locator(".board")).to_have_count(0)
    await expect(note).to_contain_text("No map from event 16 on")
    await expect(note).to_contain_text("there may be more: order of turns, hidden from")
    await page.get_by_text("Who is on the map").click()
    await page.locator(".who button").first.click()
    await expect(page.locator(".sheet-lines div", has_text="hidden from")).to_contain_text(
        "perhaps more"
    )
    await page.locator("header.frame summary").click()
    await page.get_by_label("Language").select_option("ru")
    await expect(note).to_contain_text("запись не раскрывает того, что на ней было бы видно")
    await expect(note).to_contain_text("может быть и ещё что-то: порядок ходов, от кого скрыт")

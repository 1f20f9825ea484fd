"""`warlog demo` plays a battle of each rulebook over HTTP and proves it."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from service.cli.demo import BATTLES, PREVIEWS_PER_MINUTE, with_room_for_previews
from service.cli.network_address import network_address
from service.demo.page_links import is_of_this_machine
from service.demo.qr_code import qr_code
from service.eventstore.embedded import Dsns
from service.settings import Limits
from tests.patience import PATIENCE_SECONDS

COMMAND = [sys.executable, "-m", "service", "demo"]


@pytest.fixture
def environment(empty_database: Dsns, tmp_path: Path) -> dict[str, str]:
    return os.environ | {
        "WARLOG_DATABASE_URL": empty_database.app,
        "WARLOG_MIGRATE_URL": empty_database.owner,
        "WARLOG_ERASE_URL": empty_database.eraser,
        "WARLOG_DATA_DIR": str(tmp_path),
    }


@pytest.mark.slow
def test_a_battle_of_each_rulebook_is_played_and_served(
    environment: dict[str, str], tmp_path: Path
) -> None:
    said = served_until_told(environment, *(["--lan"] if network_address() else []))
    require_battles(said, tmp_path)
    assert f"The key of its owner is in {tmp_path / 'owner-key'}\n" in said


@pytest.mark.soak
def test_it_stops_after_the_battles_and_a_second_time_makes_no_key(
    environment: dict[str, str], tmp_path: Path
) -> None:
    done = subprocess.run(
        [*COMMAND, "--once"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    require_battles(done.stdout, tmp_path)
    assert "The key of its owner" not in served_until_told(environment)


def test_its_previews_wait_for_no_limit() -> None:
    usual, more = Limits(), Limits(previews_per_minute=PREVIEWS_PER_MINUTE + 1)
    assert with_room_for_previews(usual) == replace(usual, previews_per_minute=PREVIEWS_PER_MINUTE)
    assert with_room_for_previews(more) == more


def require_battles(said: str, folder: Path) -> None:
    """A battle of each rulebook is played, exported into the folder and audited clean."""
    # Which scenes come up depends on the dice; these always do.
    for scene in ("The battle begins.", "The battle is over", "The seed of the dice is revealed"):
        assert said.count(scene) >= len(BATTLES), scene
    for scene in ("Ambush at the mill", "The warehouse raid", " is asked: ", " (answered)."):
        assert scene in said, scene
    for scene in ("The hangar", "Начался раунд 1.", "█.x....█"):
        assert scene in said, scene
    shooters = re.findall(r"^ +(?:\d+  )?(\w+) shoots at", said, re.MULTILINE)
    assert shooters
    # Everybody has a name there with a capital letter, and an id without one.
    assert [each for each in shooters if each[0].islower()] == []
    clean = "that can be seen here were drawn again from the seed and fit"
    assert said.count(clean) == len(BATTLES)
    bundles = sorted((folder / "demo").glob("*.ndjson"))
    assert len(bundles) == len(BATTLES)
    keys = folder / "demo" / "keys.json"
    assert all(f"audit --keys {keys} {bundle}" in said for bundle in bundles)
    assert said.count("signed by a key that is trusted here") == len(BATTLES)


def served_until_told(environment: dict[str, str], *options: str) -> str:
    """What the demonstration said that keeps serving; it is asked something, and asked to stop."""
    with subprocess.Popen(
        [*COMMAND, *options],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        told = []
        for line in process.stdout:
            told.append(line)
            if "Serving until" in line:
                break
        found = re.search(r"'Authorization: Bearer (\S+)' (http://\S+)", "".join(told))
        assert found is not None
        request = urllib.request.Request(found[2], headers={"Authorization": f"Bearer {found[1]}"})
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            assert answer.status == 200
        try_links("".join(told), options)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 0
    return "".join(told)


LINK = re.compile(r"(http://([0-9.]+):[0-9]+)/join#([0-9A-Z-]+)&to=(play|replay|watch)")


def try_links(told: str, options: tuple[str, ...]) -> None:
    """Each link leads to a page, and its code to a seat that may do what the page is for."""
    links = LINK.findall(told)
    assert [to for *_, to in links] == ["play", "replay", "watch"] * len(BATTLES)
    assert {host for _, host, *_ in links} == {network_address() if options else "127.0.0.1"}
    battles = []
    for url, _, code, to in links:
        assert f"{url}/join#{code}&to={to}" in told
        seat = httpx.post(f"{url}/v1/join", json={"code": code}).raise_for_status().json()
        assert httpx.get(f"{url}/join").headers["Content-Type"].startswith("text/html")
        bearer = {"Authorization": f"Bearer {seat['token']}"}
        me = httpx.get(f"{url}/v1/me", headers=bearer).json()["battle"]
        standing = (seat["role"], me["encounter"]["status"], me["is_my_move"])
        battles.append(me["encounter"]["encounter"])
        assert (
            standing
            == {
                "play": ("player", "running", True),
                "replay": ("player", "ended", False),
                "watch": ("observer", "running", False),
            }[to]
        )
        if to == "replay":
            report = httpx.get(
                f"{url}/v1/encounters/{seat['encounter']}/audit",
                headers=bearer,
            )
            assert report.json()["clean"], report.text
        if to == "play":
            assert qr_code(f"{url}/join#{code}&to=play") in told
    assert len(set(battles)) == 2 * len(BATTLES), "phone and table are at one battle"


def test_a_link_is_of_this_machine_or_not() -> None:
    told = {
        "http://127.0.0.1:1/join#X": True,
        "http://[::1]:1/join#X": True,
        "http://localhost/join#X": True,
        "http://192.0.2.7:1/join#X": False,
        "https://warlog.example/join#X": False,
    }
    assert {link: is_of_this_machine(link) for link in told} == told


def test_a_picture_of_a_link_has_light_around_it_and_its_marks_in_three_corners() -> None:
    """What a reader looks for first; that the rest is read, the library's own tests hold."""
    lines = qr_code("http://192.0.2.7:40605/join#NE4WZ-8WHTF&to=play").split("\n")
    halves = {" ": (True, True), "▀": (False, True), "▄": (True, False), "█": (False, False)}
    rows = [[halves[each][half] for each in line] for line in lines for half in (0, 1)]
    size = len(lines[0])
    assert {len(row) for row in rows} == {size}
    assert not any(any(row) for row in (*rows[:2], *rows[size - 2 : size]))
    mark = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
    for top, left in ((2, 2), (2, size - 9), (size - 9, 2)):
        corner = [
            "".join(".#"[each] for each in row[left : left + 7]) for row in rows[top : top + 7]
        ]
        assert corner == mark

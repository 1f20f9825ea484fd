"""The pictures of the README and of the documentation are what the service draws.

`python -m tests.api.test_pictures` in a checkout draws them again.
"""

import asyncio
import tempfile
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from service.api import docs
from service.api.negotiation import LANGUAGES
from tests.api.examples import EXAMPLES
from tests.api.picture_battles import GUARDED_YARD, STOPPED
from tests.api.serving import START, Caller, Served, settings_for
from tests.api.test_readme import README
from tests.clients.bodies import shown_in_readme
from tests.house.walk import postgres, prepared

Json = dict[str, Any]
SMALL_BYTES: Final = 90_000
FOLDER: Final = Path(docs.__file__).parent
CREATIONS: Final[dict[str, Json]] = {
    "crossfire": next(body for path, body in shown_in_readme() if path == "/v1/encounters"),
    "seeker": next(
        each.value for each in EXAMPLES["create_encounter"] if each.name == "seeker_d100"
    ),
    "melody": GUARDED_YARD,
    "tactical": {
        "ruleset": "tactical-d20",
        "title": "The lit passage",
        "sides": [{"id": "watch"}, {"id": "raiders"}],
        "setup": {
            "map": {
                "form": "cells",
                "bounds": {"x": 0, "y": 0, "width": 12, "height": 6},
                "cells": [
                    *({"x": x, "y": y, "light": "dim"} for x in (8, 9) for y in (0, 1, 4, 5)),
                    *({"x": x, "y": y, "light": "dark"} for x in (10, 11) for y in range(6)),
                    *({"x": x, "y": 3, "concealment_pct": 20} for x in (5, 6)),
                    {"x": 6, "y": 2, "concealment_pct": 20},
                    {"x": 2, "y": 5, "opaque": True, "concealment_pct": 50},
                    {"x": 7, "y": 3, "cover": "normal", "low_height_ft": 3},
                    {"x": 3, "y": 0, "wall": True},
                    {"x": 3, "y": 1, "wall": True},
                    {"x": 4, "y": 0, "wall": True, "transparent": True},
                ],
                "borders": [
                    *({"axis": "v", "x": 3, "y": y, "wall": True} for y in (4, 5)),
                    {"axis": "h", "x": 5, "y": 2, "cover": "normal"},
                    {"axis": "h", "x": 6, "y": 2, "wall": True, "transparent": True},
                ],
            },
            "combatants": [
                {
                    "id": "ivy",
                    "name": "Ivy",
                    "side": "watch",
                    "place": {"x": 1, "y": 3},
                    "health_max": 20,
                    "weapons": [
                        {
                            "id": "bow",
                            "kind": "ranged",
                            "attack_bonus": 7,
                            "range_increment_ft": 60,
                            "damage": {"sides": 8, "bonus": 2},
                        }
                    ],
                },
                {
                    "id": "bram",
                    "name": "Bram",
                    "side": "watch",
                    "place": {"x": 4, "y": 4},
                    "health_max": 24,
                    "conditions": ["prone"],
                },
                {
                    "id": "ogre",
                    "name": "Ogre",
                    "side": "raiders",
                    "place": {"x": 8, "y": 2},
                    "size": 2,
                    "height_ft": 10,
                    "health_max": 40,
                    "ac": {"kac": 14},
                },
                {
                    "id": "lurker",
                    "side": "raiders",
                    "place": {"x": 11, "y": 5},
                    "hidden": True,
                    "health_max": 9,
                },
            ],
            "battle": {
                "order": [{"combatant": each} for each in ("ivy", "bram", "ogre", "lurker")]
            },
        },
    },
}
ACTIONS: Final[dict[str, list[Json]]] = {
    "melody": list(STOPPED),
    "crossfire": [
        {
            "action": {
                "type": "ranged_attack",
                "combatant": "mara",
                "weapon": "rifle",
                "target": "ghoul",
            },
            "dice": [6, 5, 3, 1, 1, 1],
        }
    ],
    "seeker": [
        {
            "action": {
                "type": "attack",
                "combatant": "seeker",
                "weapon": "w_revolver",
                "target": "cultist",
            }
        },
        {
            "action": {"type": "answer", "decision_id": "d3.1", "choice": {"type": "pass"}},
            "dice": [12, 7],
        },
    ],
    "tactical": [
        {
            "action": {"type": "attack", "combatant": "ivy", "weapon": "bow", "target": "ogre"},
            "dice": [15, 61, 5],
        }
    ],
}
"""What follows the start of each battle, with the table's own dice."""


def pictures(caller: Caller, name: str) -> dict[str, bytes]:
    """The picture of a battle after its last action, by the name of its file."""
    encounter = caller.create(CREATIONS[name] | {"dice": "supplied"})
    for body in ({"action": START}, *ACTIONS[name]):
        answer = caller.post(f"{encounter}/actions", body)
        assert answer.status_code == 201, answer.text
    return {
        file: caller.get(
            f"{encounter}/scene", accept="image/svg+xml", accept_language=language
        ).content
        for language, file in docs.PICTURES[f"{name}.svg"].items()
    }


@pytest.mark.parametrize("name", list(CREATIONS))
def test_a_committed_picture_is_what_the_service_draws(caller: Caller, name: str) -> None:
    for file, picture in pictures(caller, name).items():
        assert (FOLDER / file).read_bytes() == picture, "run python -m tests.api.test_pictures"


def test_the_readme_and_the_page_of_scenes_show_every_picture(served: Served) -> None:
    readme = README.read_text(encoding="utf-8")
    assert "](service/api/docs/crossfire.svg)" in readme
    for language in LANGUAGES:
        headers = {"Accept-Language": language}
        page = httpx.get(f"{served.url}/docs/scenes", headers=headers)
        for name, files in docs.PICTURES.items():
            assert f'src="/docs/{name}"' in page.text
            picture = httpx.get(f"{served.url}/docs/{name}", headers=headers)
            assert picture.headers["Content-Type"] == "image/svg+xml"
            assert "sandbox" in picture.headers["Content-Security-Policy"]
            assert picture.content == (FOLDER / files[language]).read_bytes()


def test_the_page_of_scenes_shows_small_pictures_of_the_pages(served: Served) -> None:
    for language in LANGUAGES:
        headers = {"Accept-Language": language}
        page = httpx.get(f"{served.url}/docs/scenes", headers=headers)
        for name, files in docs.SCREENS.items():
            assert f'src="/docs/{name}"' in page.text
            screen = httpx.get(f"{served.url}/docs/{name}", headers=headers)
            assert screen.headers["Content-Type"] == "image/jpeg"
            assert screen.content == (FOLDER / files[language]).read_bytes()
            assert len(screen.content) < SMALL_BYTES


def draw() -> None:
    """Write all of them."""
    with (
        tempfile.TemporaryDirectory(prefix="warlog-pictures-") as folder,
        postgres(Path(folder)) as dsns,
    ):
        token = asyncio.run(prepared(dsns))
        with Served(settings_for(dsns)) as served, Caller(served.url, token) as caller:
            for name in CREATIONS:
                for file, picture in pictures(caller, name).items():
                    (FOLDER / file).write_bytes(picture)


if __name__ == "__main__":
    draw()

"""The pictures of the README and of the documentation are what the service draws.

`python -m tests.api.test_pictures` in a checkout draws them anew.
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
from tests.api.serving import START, Caller, Served, settings_for
from tests.api.test_readme import README
from tests.clients.bodies import shown_in_readme
from tests.house.walk import postgres, prepared

Json = dict[str, Any]
FOLDER: Final = Path(docs.__file__).parent
CREATIONS: Final[dict[str, Json]] = {
    "crossfire": next(body for path, body in shown_in_readme() if path == "/v1/encounters"),
    "seeker": next(
        each.value for each in EXAMPLES["create_encounter"] if each.name == "seeker_d100"
    ),
}
ACTIONS: Final[dict[str, list[Json]]] = {
    "crossfire": [
        {
            "action": {
                "type": "ranged_attack",
                "combatant": "mara",
                "weapon": "rifle",
                "target": "ghoul",
            },
            "dice": [6, 6, 5, 1, 1],
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

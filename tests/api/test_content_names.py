"""What a table calls its Melodies is shown wherever an event is shown, in the same words."""

import json
from typing import Any, Final

import pytest

from service.api.negotiation import LANGUAGES
from tests.api.serving import START, Caller
from tests.soak import with_soak

TITLE: Final = {"en": "Grandmother's Kettle", "ru": "Бабушкин чайник"}
TUNE: Final[dict[str, Any]] = {
    "id": "kettle_tune",
    "name": TITLE,
    "colour": "red",
    "difficulty": 5,
    "targeting": "model",
    "range": 60_000,
    "duration": "lasting",
    "effects": [{"kind": "mod_hit_at", "delta": -1}],
    "mp_effects": [{"kind": "mod_hit_at", "delta": -2}],
    "mistake_table": "slips",
}
CONTENT: Final = {
    "weapons": [{"id": "blade", "kind": "melee", "strength": 3}],
    "melodies": [TUNE],
    "mistake_tables": [{"id": "slips", "rows": [[]] * 6}],
}
SONG: Final[dict[str, Any]] = {
    "id": "s1",
    "melody": "kettle_tune",
    "combatant": "lena",
    "target": "lena",
    "shape": {"kind": "model", "origin": {"x": 3000, "y": 3000}},
}
STOP: Final = {"type": "stop_melody", "combatant": "lena"}
TOLD: Final = {
    "en": "The Melody Grandmother's Kettle of lena is over (stopped). lena is under the Melody"
    " Grandmother's Kettle no longer.",
    "ru": "lena: Мелодия Бабушкин чайник прекращена (остановлено). lena: больше не под действием"
    " Мелодии Бабушкин чайник.",
}


def warrior(combatant: str, side: str, x: int, **more: object) -> dict[str, Any]:
    place = {"x": x, "y": 3000}
    return {
        "id": combatant,
        "side": side,
        "unit": combatant,
        "place": place,
        "weapons": ["blade"],
        **more,
    }


def battle(caller: Caller, **more: object) -> str:
    """A battle in which Lena's Melody, in play from the start, is over with event 3."""
    singing = {"singer": {"melodies": ["kettle_tune"]}, "songs": ["s1"]}
    lena = warrior("lena", "red", 3000, **singing, **more)
    encounter = caller.create(
        {
            "ruleset": "melody-d6",
            "sides": [{"id": "red"}, {"id": "blue"}],
            "seats": [{"id": "eve", "role": "observer"}],
            "setup": {
                "content": CONTENT,
                "units": [
                    {"id": one, "side": side, "kind": "lone"}
                    for one, side in (("lena", "red"), ("leo", "blue"))
                ],
                "combatants": [
                    {**lena, "conditions": ["melody"]},
                    warrior("leo", "blue", 30_000),
                ],
                "songs": [SONG],
                "battle": {"round": 1, "first_side": "red", "turn_side": "red"},
            },
        }
    )
    caller.act(encounter, START)
    caller.act(encounter, STOP)
    return encounter


@pytest.mark.soak
@pytest.mark.parametrize("language", with_soak(LANGUAGES[:1], LANGUAGES[1:]))
def test_a_melody_that_is_over_is_told_by_its_name_everywhere(
    caller: Caller, language: str
) -> None:
    encounter = battle(caller)
    with caller.seated("eve") as eve:
        page = eve.get(f"{encounter}/events?after=2&narrate={language}").json()
        [record] = page["events"]
        explained = eve.get(f"{encounter}/events/3?explain={language}").json()["explanation"]
        own = eve.get(f"{encounter}/bundle").content
    assert record["narration"] == TOLD[language]
    assert explained["narration"] == TOLD[language]
    for bundle, viewpoint in ((own, ""), (caller.get(f"{encounter}/bundle").content, "everyone")):
        for include in ("narration", "narration,explanation"):
            query = f"?include={include}" + (f"&viewpoint={viewpoint}" if viewpoint else "")
            [view] = views(caller, bundle, query, language)[2]
            assert view["narration"] == TOLD[language], (viewpoint, include)
            assert view.get("explanation", explained) == explained


def test_of_a_hidden_singer_no_name_is_told(caller: Caller) -> None:
    encounter = battle(caller, hidden=True)
    with caller.seated("eve") as eve:
        for language in LANGUAGES:
            told = eve.get(f"{encounter}/events?after=2&narrate={language}")
            explained = eve.get(f"{encounter}/events/3?explain={language}")
            assert TITLE[language] not in told.text + explained.text
            own = caller.get(f"{encounter}/events?after=2&narrate={language}").text
            assert TITLE[language] in own


def views(caller: Caller, bundle: bytes, query: str, language: str) -> list[list[dict[str, Any]]]:
    """What each viewpoint is shown of each event of a bundle."""
    answer = caller.http.post(
        f"/v1/audits{query}",
        content=bundle,
        headers={
            "Content-Type": "application/x-ndjson",
            "Accept": "application/x-ndjson",
            "Accept-Language": language,
        },
    )
    assert answer.status_code == 200, answer.text
    records = [json.loads(line) for line in answer.text.splitlines()]
    return [record["views"] for record in records if record["type"] == "event"]

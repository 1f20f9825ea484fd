"""One event, explained: as JSON, as a page, to whoever may see what of it."""

import hmac
import json
from typing import Any

import pytest

from service.api import strict_json
from service.api.explanation_page import WIDTH
from service.api.negotiation import LANGUAGES
from tests.api.serving import CREATION, SHOT, START, SUPPLIED, Caller, problem

PAGE = "text/plain"
SEALED_FIELDS = {"stream", "number", "sides", "face", "purpose", "combatant"}


def explanation(caller: Caller, encounter: str, seq: int, explain: str = "en") -> dict[str, Any]:
    answer = caller.get(f"{encounter}/events/{seq}?explain={explain}")
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()["explanation"]
    return told


def shot(caller: Caller) -> str:
    """A battle with a shot as event 3."""
    encounter = caller.started()
    caller.act(encounter, SHOT)
    return encounter


def over(caller: Caller, encounter: str) -> str:
    """The same, ended and with its seed revealed."""
    caller.act(encounter, {"type": "end_encounter", "reveal": "now"})
    return encounter


def test_an_event_comes_as_ever_and_with_its_explanation_if_asked(caller: Caller) -> None:
    encounter = shot(caller)
    bare = caller.get(f"{encounter}/events/3").json()
    answer = caller.get(f"{encounter}/events/3?explain=en")
    told = answer.json()
    assert answer.headers["Content-Language"] == "en"
    assert {**bare, "explanation": told["explanation"]} == told
    assert "explanation" not in bare
    assert told["explanation"]["action"]["type"] == SHOT["type"]
    sentences = [effect["sentence"] for effect in told["explanation"]["effects"]]
    assert len(sentences) == len((bare.get("seen") or bare["event"])["effects"])
    assert told["explanation"]["narration"].split(". ")[0] in " ".join(sentences)


def test_every_modifier_has_its_rule_and_the_phrase_of_the_rulebook(caller: Caller) -> None:
    encounter = shot(caller)
    rules = {
        rule["id"]: rule
        for rule in caller.get(f"/v1/rulesets/{CREATION['ruleset']}").json()["rules"]
    }
    for language in LANGUAGES:
        effects = explanation(caller, encounter, 3, language)["effects"]
        [attack] = [each for each in effects if each["type"] == "attack_resolved"]
        event = caller.get(f"{encounter}/events/3").json()
        [stored] = [
            each
            for each in (event.get("seen") or event["event"])["effects"]
            if each["type"] == "attack_resolved"
        ]
        lines = stored["detail"]["breakdown"]
        assert [(each["amount"], each["rule"]["id"]) for each in attack["modifiers"]] == [
            (line["amount"], line["rule"]) for line in lines
        ]
        named = [each["rule"] for each in attack["modifiers"]] + attack["rules"]
        assert named
        for rule in named:
            assert rule["text"] == rules[rule["id"]][language]
            assert rule.get("source") == rules[rule["id"]].get("source")


def test_while_the_seed_is_sealed_a_die_is_named_and_nothing_more(caller: Caller) -> None:
    encounter = shot(caller)
    with caller.seated("vera") as vera:
        for one in (caller, vera):
            dice = explanation(one, encounter, 3)["dice"]
            assert dice.keys() == {"mode", "note", "draws", "blocks"}
            assert (dice["mode"], dice["blocks"]) == ("sealed", [])
            assert dice["draws"]
            assert all(die.keys() <= SEALED_FIELDS | {"uncounted"} for die in dice["draws"])


def test_once_the_seed_is_out_one_hmac_draws_every_die_again(caller: Caller) -> None:
    encounter = over(caller, shot(caller))
    event = caller.get(f"{encounter}/events/3").json()["event"]
    dice = explanation(caller, encounter, 3)["dice"]
    made = {
        block["block"]: hmac.new(
            bytes.fromhex(dice["key"]), bytes.fromhex(block["input"]), "sha256"
        ).digest()
        for block in dice["blocks"]
    }
    assert {block["block"]: bytes.fromhex(block["bytes"]) for block in dice["blocks"]} == made
    stream = b"".join(made[number] for number in sorted(made))
    assert dice["draws"]
    for die, draw in zip(dice["draws"], event["draws"], strict=True):
        proof = die["proof"]
        start = proof["offset"] + proof["skipped"]
        assert stream[start] % die["sides"] + 1 == draw["face"] == die["face"]


def test_dice_of_the_table_are_told_as_such_even_when_the_seed_is_out(caller: Caller) -> None:
    encounter = caller.create(SUPPLIED)
    caller.act(encounter, START)
    over(caller, encounter)
    for seq in range(1, 4):
        dice = explanation(caller, encounter, seq)["dice"]
        assert (dice["mode"], dice["blocks"], "key" in dice) == ("supplied", [], False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_text_of_terminal_width_in_either_language(
    caller: Caller, language: str
) -> None:
    encounter = over(caller, shot(caller))
    answer = caller.get(f"{encounter}/events/3?explain={language}", accept=PAGE)
    assert answer.headers["Content-Type"].startswith(PAGE)
    assert answer.headers["Content-Language"] == language
    told = explanation(caller, encounter, 3, language)
    flat = " ".join(answer.text.split())
    assert answer.text.endswith("\n")
    long = [line for line in answer.text.splitlines() if len(line) > WIDTH]
    assert all(len(line.split()) <= 2 for line in long), "only hashes are longer than a line"
    for text in (
        told["narration"],
        told["dice"]["note"],
        told["dice"]["key"],
        told["action"]["label"],
        *(effect["sentence"] for effect in told["effects"]),
        *(line["rule"]["text"] for effect in told["effects"] for line in effect["modifiers"]),
        *(block["bytes"] for block in told["dice"]["blocks"]),
    ):
        assert " ".join(text.split()) in flat


def test_the_language_is_the_one_named_or_the_one_accepted(caller: Caller) -> None:
    encounter = caller.started()
    path = f"{encounter}/events/2"
    spoken = {
        (explain, accepted): caller.get(
            f"{path}{explain}", accept_language=accepted, accept=media_type
        ).headers.get("Content-Language")
        for explain, media_type in (
            ("", "application/json"),
            ("?explain", "application/json"),
            ("?explain=", "application/json"),
            ("?explain=true", "application/json"),
            ("?explain=en", "application/json"),
            ("?explain=ru", PAGE),
        )
        for accepted in ("ru", "en")
    }
    assert spoken == {
        ("", "ru"): None,
        ("", "en"): None,
        ("?explain", "ru"): "ru",
        ("?explain", "en"): "en",
        ("?explain=", "ru"): "ru",
        ("?explain=", "en"): "en",
        ("?explain=true", "ru"): "ru",
        ("?explain=true", "en"): "en",
        ("?explain=en", "ru"): "en",
        ("?explain=en", "en"): "en",
        ("?explain=ru", "ru"): "ru",
        ("?explain=ru", "en"): "ru",
    }
    page = caller.get(path, accept=PAGE, accept_language="ru")
    assert page.headers["Content-Language"] == "ru"
    assert "Бой начался." in page.text


@pytest.mark.parametrize("explain", ["de", "EN", "1", "en,ru", "%D1%80%D1%83"])
def test_another_value_is_refused_by_name_in_both_languages(caller: Caller, explain: str) -> None:
    encounter = caller.started()
    details = set()
    for language in LANGUAGES:
        answer = caller.get(
            f"{encounter}/events/2?explain={explain}", accept_language=language, accept=PAGE
        )
        told = problem(answer)
        assert (answer.status_code, told["code"]) == (400, "malformed")
        assert told["params"]["path"] == "query.explain"
        assert "en | ru | true" in told["detail"]
        details.add(told["detail"])
    assert len(details) == len(LANGUAGES)


def test_an_event_that_is_not_there_is_not_explained(caller: Caller, stranger: Caller) -> None:
    encounter = caller.started()
    assert problem(caller.get(f"{encounter}/events/9?explain=en"))["code"] == "unknown_event"
    for one in ("2", "9"):
        answer = stranger.get(f"{encounter}/events/{one}?explain=en")
        assert problem(answer)["code"] == "unknown_encounter"


def test_rewound_events_say_which_one_went_back_and_a_redo_takes_it_back(caller: Caller) -> None:
    encounter = shot(caller)
    assert explanation(caller, encounter, 3)["remarks"] == []
    caller.act(encounter, {"type": "rewind", "to": 2})
    [remark] = explanation(caller, encounter, 3)["remarks"]
    assert (remark["kind"], remark["seq"]) == ("rewound", 4)
    assert "4" in remark["text"]
    assert explanation(caller, encounter, 2)["remarks"] == []
    assert explanation(caller, encounter, 4)["remarks"] == []
    caller.act(encounter, {"type": "rewind", "to": 3})
    assert explanation(caller, encounter, 3)["remarks"] == []
    [remark] = explanation(caller, encounter, 4)["remarks"]
    assert (remark["kind"], remark["seq"]) == ("rewound", 5)


def test_overrides_and_erased_texts_are_told(caller: Caller) -> None:
    encounter = caller.started()
    change = {"type": "hp", "combatant": "raider", "value": 1}
    caller.act(encounter, {"type": "adjust", "changes": [change], "reason": "the wall fell"})
    told = explanation(caller, encounter, 3)
    assert [remark["kind"] for remark in told["remarks"]] == ["override"]
    assert "“the wall fell”" in told["narration"]
    caller.act(encounter, {"type": "erase", "seqs": [3]})
    told = explanation(caller, encounter, 3)
    assert [remark["kind"] for remark in told["remarks"]] == ["override", "erased"]
    assert "the wall fell" not in json.dumps(told)


def test_names_are_those_that_the_caller_knows(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Such a name is refused today, and is in logs that were begun before.
    monkeypatch.setattr(strict_json, "DISPLAY_NAMES", frozenset())
    hunter, raider = CREATION["setup"]["combatants"]
    people = [{**hunter, "name": "Mara \u202e\n"}, {**raider, "name": "Bork", "hidden": True}]
    encounter = caller.create({**CREATION, "setup": {**CREATION["setup"], "combatants": people}})
    caller.act(encounter, START)
    change = {"type": "hp", "combatant": raider["id"], "value": 1}
    caller.act(encounter, {"type": "adjust", "changes": [change], "reason": "a trap"})
    assert "Bork: " in explanation(caller, encounter, 3)["narration"]
    with caller.seated("vera") as vera:
        for seq in (1, 2, 3):
            page = vera.get(f"{encounter}/events/{seq}?explain=en", accept=PAGE).text
            assert "Bork" not in page
            assert raider["id"] not in page
            assert "\u202e" not in page
        assert "Mara" in vera.get(f"{encounter}/events/1?explain=en", accept=PAGE).text
        [remark] = explanation(vera, encounter, 3)["remarks"]
        assert remark["kind"] == "hidden"


def test_a_seat_is_told_by_the_name_that_it_had_then(caller: Caller) -> None:
    encounter = caller.create()
    rename = {"type": "change_seat", "seat": "vera"}
    caller.act(encounter, {**rename, "name": "Vera P."})
    with caller.seated("vera") as vera:
        vera.act(encounter, {"type": "contribute", "value": "ab" * 32})
        caller.act(encounter, {**rename, "name": "Vera Q."})
        for one in (caller, vera):
            told = explanation(one, encounter, 3)
            assert (told["by"], told["narration"]) == (
                "seat Vera P. (player)",
                "Vera P. mixes 32 bytes of chance into the dice.",
            )
    given = explanation(caller, encounter, 4)["narration"]
    assert given.startswith("Seat vera (“Vera Q.”): player")

"""Metadata: what an integrator hangs on encounters, seats and combatants, shown to whom it may."""

import json
from typing import Any

import pytest

from tests.api.joining import join
from tests.api.serving import START, Caller, problem
from tests.api.streaming import following
from tests.encounters.random_actions import RULESETS, battle
from tests.kit.rigs import rig_of

Tree = dict[str, Any]

ODD = '{"Foundry-ID": "8hRvDPnX",  "scale":\n 1.50, "none": null, "big": 123456789012345678901}'
"""As somebody may send it: keys, numbers and spaces that nothing else here has."""

MODULE = json.loads(ODD)
SEAT = {"discord": "rita#1"}


def tree(ruleset: str) -> Tree:
    """Metadata on everything that takes any; `r2` and `b2` are hidden."""
    made = battle(ruleset, "sealed")
    people = [
        person | {"metadata": {"token": f"of {person['id']}"}}
        for person in made["setup"]["combatants"]
    ]
    seats = [seat | {"metadata": {"player": seat["id"]}} for seat in made["seats"]]
    setup = made["setup"] | {"combatants": people}
    return made | {"metadata": {"foundry_id": "w1"}, "setup": setup, "seats": seats}


def tokens(view: Tree) -> Tree:
    return {each["id"]: each["metadata"] for each in view["state"]["combatants"]}


def keeps(view: Tree) -> Tree:
    return {each["id"]: each.get("metadata") for each in view["table"]["seats"]}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_everybody_is_told_what_they_may_know(caller: Caller, ruleset: str) -> None:
    encounter = caller.create(tree(ruleset))
    everyone = {"r1": {"token": "of r1"}, "b1": {"token": "of b1"}}
    seats = {each: {"player": each} for each in ("rita", "bob", "olaf")}
    for seat, more in (
        ("rita", {"r2": {"token": "of r2"}}),
        ("bob", {"b2": {"token": "of b2"}}),
        ("olaf", {}),
    ):
        with caller.seated(seat) as own:
            view = own.get(encounter).json()
            assert view["metadata"] == {"foundry_id": "w1"}
            assert view["title"] == "A test of tables"
            assert "metadata" not in view["table"]
            assert tokens(view) == everyone | more
            alone = {each: {"player": each} if each == seat else None for each in seats}
            assert keeps(view) == alone
            listed = own.get(f"{encounter}/seats").json()["seats"]
            assert {each["id"]: each.get("metadata") for each in listed} == alone
            for other in seats:
                read = own.get(f"{encounter}/seats/{other}").json()
                assert read.get("metadata") == alone[other]
            [event] = own.get(f"{encounter}/events").json()["events"]
            shown = event["seen"]["effects"]
            assert (
                shown[0]["metadata"] == event["seen"]["action"]["metadata"] == {"foundry_id": "w1"}
            )
            assert "player" not in json.dumps(shown).replace('"role": "player"', "")
    whole = caller.get(encounter).json()
    assert tokens(whole) == everyone | {each: {"token": f"of {each}"} for each in ("r2", "b2")}
    assert keeps(whole) == seats


def test_what_was_sent_is_kept_in_the_text_as_it_came(caller: Caller) -> None:
    made = json.dumps(tree("crossfire-d6")).replace('{"foundry_id": "w1"}', ODD)
    headers = {"Content-Type": "application/json", "Idempotency-Key": "k1"}
    answer = caller.http.post("/v1/encounters", content=made, headers=headers)
    assert answer.status_code == 201, answer.text
    told = answer.json()
    assert told["view"]["metadata"] == MODULE
    assert '"scale":1.50,"none":null' in answer.text
    [event] = told["events"]
    assert "Foundry-ID" not in json.dumps(event["event"])
    [text] = [
        part for part in event["parts"] if (part["kind"], part["audience"]) == ("text", "everyone")
    ]
    assert [["action", "metadata"], ODD] in text["body"]["entries"]
    encounter = answer.headers["Location"]
    assert caller.get(f"{encounter}/audit").json()["clean"] is True
    with following(caller, f"{encounter}/stream?after=0") as reader:
        assert reader.until("event").data["seen"]["effects"][0]["metadata"] == MODULE
    again = caller.http.post("/v1/encounters", content=made, headers=headers)
    assert again.json()["view"]["metadata"] == MODULE
    assert again.headers["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_metadata_are_stated_wherever_a_name_is(caller: Caller, ruleset: str) -> None:
    made = tree(ruleset)
    encounter = caller.create({**made, "metadata": {}})
    assert caller.get(encounter).json()["metadata"] == {}
    caller.act(encounter, {"type": "configure", "metadata": {"foundry_id": "w2"}})
    caller.act(encounter, {"type": "configure"})
    first = made["setup"]["combatants"][0]
    late = first | {"id": "late", "place": rig_of(ruleset).deeds.free}
    if "unit" in first:
        late["unit"] = "latecomers"
    caller.act(encounter, {"type": "add_combatant", "combatant": late | {"metadata": {"n": [1]}}})
    seat = {"id": "ann", "role": "observer"}
    caller.act(encounter, {"type": "add_seat", "seat": seat | {"metadata": {"a": 1}}})
    made_seat = caller.post(
        f"{encounter}/seats", {"seat": seat | {"id": "eve", "metadata": {"e": 1}}}
    ).json()
    assert made_seat["seat"]["metadata"] == {"e": 1}
    caller.act(encounter, {"type": "change_seat", "seat": "ann", "role": "player"})
    caller.act(encounter, {"type": "change_seat", "seat": "rita", "metadata": {"b": {"c": None}}})
    changed = caller.http.patch(
        f"{encounter}/seats/bob", json={"metadata": SEAT}, headers={"Idempotency-Key": "p"}
    )
    assert changed.json()["seat"]["metadata"] == SEAT
    view = caller.get(encounter).json()
    assert view["metadata"] == {"foundry_id": "w2"}
    assert tokens(view)["late"] == {"n": [1]}
    olaf = {"player": "olaf"}
    assert keeps(view) == {
        "rita": {"b": {"c": None}},
        "bob": SEAT,
        "olaf": olaf,
        "ann": {"a": 1},
        "eve": {"e": 1},
    }
    token = join(caller.url, made_seat["invitation"]["code"]).json()["token"]
    with Caller(caller.url, token) as eve:
        mine = eve.get("/v1/me").json()
        assert mine["seat"]["metadata"] == {"e": 1}
        assert keeps(eve.get(encounter).json())["eve"] == {"e": 1}
    assert caller.get(f"{encounter}/audit").json()["clean"] is True


@pytest.mark.parametrize("ruleset", RULESETS)
def test_who_is_revealed_is_revealed_with_its_metadata(caller: Caller, ruleset: str) -> None:
    encounter = caller.create(tree(ruleset))
    caller.act(encounter, START)
    show = {"type": "adjust", "changes": [{"type": "reveal", "combatant": "b2"}]}
    with caller.seated("rita") as rita:
        assert "b2" not in tokens(rita.get(encounter).json())
        caller.act(encounter, show)
        assert tokens(rita.get(encounter).json())["b2"] == {"token": "of b2"}
        last = rita.get(f"{encounter}/events?after=2").json()["events"][0]
        [shown] = [each for each in last["seen"]["effects"] if each["type"] == "revealed"]
        assert shown["combatant"]["metadata"] == {"token": "of b2"}


def test_erased_metadata_are_gone(caller: Caller) -> None:
    encounter = caller.create(tree("crossfire-d6"))
    caller.act(encounter, {"type": "change_seat", "seat": "rita", "metadata": SEAT})
    caller.act(encounter, {"type": "erase", "seqs": [1, 2]})
    view = caller.get(encounter).json()
    assert "metadata" not in view
    assert "title" not in view
    assert keeps(view) == dict.fromkeys(("rita", "bob", "olaf"))
    assert all("metadata" not in each for each in view["state"]["combatants"])
    everything = caller.get(f"{encounter}/events").text + caller.get(f"{encounter}/bundle").text
    assert "of r1" not in everything
    assert "discord" not in everything
    assert caller.get(f"{encounter}/audit").json()["clean"] is True


def test_what_is_no_object_is_told_where_it_stands(caller: Caller) -> None:
    encounter = caller.create()
    long = {"x": "y" * 4096}
    for action, path in (
        ({"type": "configure", "metadata": long}, "$.action.metadata"),
        (
            {"type": "add_seat", "seat": {"id": "x", "role": "gm", "metadata": long}},
            "$.action.seat.metadata",
        ),
        ({"type": "add_combatant", "combatant": {"metadata": long}}, "$.action.combatant.metadata"),
    ):
        told = problem(caller.post(f"{encounter}/actions", {"action": action}))
        assert (told["status"], told["params"]) == (
            400,
            {"path": path, "why": "too_many_bytes", "bytes": 4104, "limit": 4096},
        )
    for value, got in (
        (None, "null"),
        ([], "array"),
        ("{}", "string"),
        (1, "integer"),
        (True, "boolean"),
    ):
        told = problem(caller.post("/v1/encounters", {"metadata": value}))
        wrong = {"path": "$.metadata", "why": "wrong_type", "expected": "object", "got": got}
        assert (told["status"], told["params"]) == (400, wrong)
    told = problem(caller.post(f"{encounter}/actions", {"action": START | {"metadata": {}}}))
    assert told["params"]["why"] == "unknown_field"

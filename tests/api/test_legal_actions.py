"""Legal actions of sides and units, and all that a caller may do, asked over HTTP.

The battles are of a toy ruleset in which sides have the turn and units act within it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec
import pytest

from service.app import build
from service.eventstore.embedded import Dsns
from service.rulesets import RULESETS as PUBLISHED
from tests.api.serving import Caller, Served, problem, settings_for
from tests.patience import PATIENT
from tests.toy.side_battles import SEATS, SIDES, TROOPERS
from tests.toy.sides import RULESETS

Tree = dict[str, Any]
START: Final = {"type": "start_encounter"}
GUARDS: Final = {"type": "activate_unit", "unit": "guards"}
DARE: Final = {"type": "dare", "side": "red"}
EVERYBODY: Final = ("gm", "rita", "ned", "bea", "bob", "bill", "olaf")
"""Rita plays red and bea blue; ned has one of red, bob and bill have one of blue each; olaf looks
on.
"""


@pytest.fixture(scope="module")
def served(database: Dsns) -> Iterator[Served]:
    """A service that knows the toy ruleset of sides, too."""
    settings = settings_for(database)
    edge = build(settings, rulesets={**PUBLISHED, **RULESETS}, patience=PATIENT)
    with Served(settings, edge=edge) as running:
        yield running


@pytest.fixture
def battle(caller: Caller) -> str:
    """A battle in red's turn; its address."""
    encounter = caller.create(
        {
            "ruleset": "toy-sides",
            "sides": msgspec.to_builtins(SIDES),
            "seats": msgspec.to_builtins(SEATS),
            "setup": {"troopers": msgspec.to_builtins(TROOPERS)},
        }
    )
    caller.act(encounter, START)
    return encounter


@contextmanager
def asking(caller: Caller, by: str) -> Iterator[Caller]:
    """The game master, or somebody's seat."""
    if by == "gm":
        yield caller
        return
    with caller.seated(by) as seated:
        yield seated


def legal(caller: Caller, battle: str, by: str, query: str = "") -> Tree:
    """What somebody is shown of legal actions."""
    with asking(caller, by) as who:
        answer = who.get(f"{battle}/legal-actions{query}")
    assert answer.status_code == 200, answer.text
    told: Tree = answer.json()
    return told


def refused(caller: Caller, battle: str, by: str, action: Tree) -> tuple[int, str]:
    """Status and code with which an action is refused."""
    with asking(caller, by) as who:
        told = problem(who.post(f"{battle}/actions", {"action": action}))
    return told["status"], told["code"]


def all_of(caller: Caller, battle: str, by: str) -> dict[str, list[str]]:
    """The types of actions that somebody may take, by whom they belong to."""
    return {
        " ".join(str(each[name]) for name in ("side", "unit", "combatant") if name in each): [
            node["type"] for node in each["actions"]
        ]
        for each in legal(caller, battle, by)["actors"]
    }


def voices(caller: Caller, battle: str, by: str) -> list[Tree]:
    """The domains of those who may shout together."""
    return [
        node["params"]["combatants"]
        for each in legal(caller, battle, by)["actors"]
        for node in each["actions"]
        if node["type"] == "shout"
    ]


def test_everybody_is_told_all_that_he_may_do_and_what_is_done_together_once(
    caller: Caller, battle: str
) -> None:
    side = ["shout", "dare", "end_turn"]
    units = {"guards": ["activate_unit"], "spies": ["activate_unit"]}
    nothing: dict[str, list[str]] = {}
    assert {name: all_of(caller, battle, name) for name in EVERYBODY} == {
        "gm": {"red": side, **units},
        "rita": {"red": side, **units},
        "ned": {"red": side, "guards": ["activate_unit"]},
        **dict.fromkeys(("bea", "bob", "bill", "olaf"), nothing),
    }
    three = {"some_of": ["r1", "r2", "r3"], "min": 1, "max": 3}
    assert voices(caller, battle, "rita") == voices(caller, battle, "gm") == [three]
    assert voices(caller, battle, "ned") == [{"some_of": ["r1"], "min": 1, "max": 1}]
    caller.act(battle, GUARDS)
    within = {"red": ["shout", "dare"], "guards": ["end_activation"]}
    assert all_of(caller, battle, "rita") == all_of(caller, battle, "ned") == within


def test_an_answer_names_whom_it_is_about(caller: Caller, battle: str) -> None:
    told = legal(caller, battle, "ned", "?unit=guards")
    node = {"type": "activate_unit", "params": {}, "example": GUARDS}
    assert told == {"ruleset": "toy-sides", "version": 2, "unit": "guards", "actions": [node]}
    assert legal(caller, battle, "ned", "?combatant=r1") == {
        "ruleset": "toy-sides",
        "version": 2,
        "combatant": "r1",
        "actions": [],
    }
    end = {"type": "end_turn", "params": {}, "example": {"type": "end_turn", "side": "red"}}
    told = legal(caller, battle, "ned", "?side=red")
    assert (told["side"], sorted(told)) == ("red", ["actions", "ruleset", "side", "version"])
    assert told["actions"][-1] == end
    assert legal(caller, battle, "rita", "?side=blue")["actions"] == []
    everything = legal(caller, battle, "ned")
    assert sorted(everything) == ["actors", "ruleset", "version"]
    assert everything["actors"] == [
        {"side": "red", "actions": told["actions"]},
        {"unit": "guards", "actions": [node]},
    ]


def test_whoever_controls_any_of_the_side_that_is_asked_is_told_of_its_answers(
    caller: Caller, battle: str
) -> None:
    caller.act(battle, DARE)
    told = {name: all_of(caller, battle, name) for name in EVERYBODY}
    asked = ("gm", "bea", "bob", "bill")
    assert told == {name: {"blue": ["answer"]} if name in asked else {} for name in EVERYBODY}
    standing = {
        name: legal(caller, battle, name, "?side=blue")["actions"][0]["params"]["choice"]
        for name in asked
    }
    assert standing == {
        name: {
            "params": {
                "type": {
                    "one_of": [
                        {"value": "stand_up", "params": {"combatant": {"one_of": members}}},
                        "pass",
                    ]
                }
            }
        }
        for name, members in (
            ("gm", ["b1", "b2", "b3"]),
            ("bea", ["b1", "b2", "b3"]),
            ("bob", ["b1"]),
            ("bill", ["b2"]),
        )
    }


@pytest.mark.parametrize("query", ["?sample=30", "?unit=guards&sample=5", "?side=red&sample=30"])
@pytest.mark.parametrize("by", ["gm", "rita", "ned"])
def test_samples_of_every_form_are_accepted(
    caller: Caller, battle: str, by: str, query: str
) -> None:
    told = legal(caller, battle, by, query)
    assert len(told["samples"]) == int(query.split("sample=")[1])
    with asking(caller, by) as who:
        for sample in told["samples"]:
            if sample["type"] in ("shout", "activate_unit", "end_activation"):
                who.act(battle, sample)
                who.act(battle, {"type": "rewind", "to": 2})


@pytest.mark.parametrize("by", ["bob", "bill", "bea", "gm"])
def test_a_sampled_answer_of_a_side_is_taken(caller: Caller, battle: str, by: str) -> None:
    caller.act(battle, DARE)
    sampled = legal(caller, battle, by, "?sample=12")["samples"]
    kinds = {each["choice"]["type"] for each in sampled}
    assert kinds == {"stand_up", "pass"}
    with asking(caller, by) as who:
        who.act(battle, sampled[0])
    assert refused(caller, battle, by, sampled[1]) == (409, "decision_closed")


def test_nobody_answers_with_those_of_another_seat_of_his_side(caller: Caller, battle: str) -> None:
    [decision] = caller.act(battle, DARE)["decisions"]
    answer = {"type": "answer", "decision_id": decision["id"]}
    stolen = {**answer, "choice": {"type": "stand_up", "combatant": "b1"}}
    assert refused(caller, battle, "bill", stolen) == (403, "not_your_combatant")
    for choice in ({"type": "pass"}, stolen["choice"]):
        theirs = {**answer, "choice": choice}
        assert refused(caller, battle, "ned", theirs) == (403, "not_your_decision")
    with asking(caller, "bill") as bill:
        bill.act(battle, {**answer, "choice": {"type": "stand_up", "combatant": "b2"}})


@pytest.mark.parametrize(
    ("query", "path", "why"),
    [
        ("?combatant=r1&unit=guards", "query.unit", "excluded_parameter"),
        ("?side=red&unit=guards", "query.side", "excluded_parameter"),
        ("?combatant=r1&side=red&unit=guards", "query.unit", "excluded_parameter"),
        ("?unit=two+words", "query.unit", "wrong_form"),
        ("?unit=", "query.unit", "wrong_form"),
        ("?side=Ж", "query.side", "wrong_form"),
        ("?combatant=a.b", "query.combatant", "wrong_form"),
        (f"?side={'x' * 65}", "query.side", "wrong_form"),
        ("?side=red&side=blue", "query.side", "repeated_parameter"),
        ("?units=guards", "query.units", "unknown_parameter"),
        ("?sample=51", "query.sample", "out_of_bounds"),
    ],
)
def test_a_question_that_cannot_be_read_is_malformed(
    caller: Caller, battle: str, query: str, path: str, why: str
) -> None:
    for language in ("en", "ru"):
        answer = caller.get(f"{battle}/legal-actions{query}", accept_language=language)
        told = problem(answer)
        assert (told["status"], told["code"]) == (400, "malformed")
        assert (told["params"]["path"], told["params"]["why"]) == (path, why)


def test_two_at_once_are_refused_in_both_languages(caller: Caller, battle: str) -> None:
    asked = f"{battle}/legal-actions?combatant=r1&side=red"
    said = [caller.get(asked, accept_language=each).json()["detail"] for each in ("en", "ru")]
    assert said == [
        "query.side cannot be asked beside combatant.",
        "query.side: нельзя задать вместе с combatant.",  # noqa: RUF001
    ]


@pytest.mark.parametrize(
    ("by", "query", "code", "params"),
    [
        ("rita", "?unit=nobody", "unknown_unit", {"unit": "nobody"}),
        ("bea", "?unit=spies", "unknown_unit", {"unit": "spies"}),
        ("olaf", "?unit=ghosts", "unknown_unit", {"unit": "ghosts"}),
        ("rita", "?side=green", "unknown_side", {"side": "green"}),
        ("bea", "?combatant=r3", "unknown_combatant", {"combatant": "r3"}),
        ("rita", "?combatant=guards", "unknown_combatant", {"combatant": "guards"}),
    ],
)
def test_whoever_does_not_exist_for_the_caller_is_refused(
    caller: Caller, battle: str, by: str, query: str, code: str, params: Tree
) -> None:
    with asking(caller, by) as who:
        told = problem(who.get(f"{battle}/legal-actions{query}", accept_language="ru"))
    assert (told["status"], told["code"]) == (422, code)
    assert {name: told["params"][name] for name in params} == params
    assert told.get("allowed") == (["red", "blue"] if code == "unknown_side" else None)
    assert not told["detail"].isascii(), "said in Russian"


def test_a_ruleset_of_combatants_has_sides_that_can_do_nothing_and_no_units(
    caller: Caller,
) -> None:
    encounter = caller.started()
    assert legal(caller, encounter, "gm", "?side=village")["actions"] == []
    told = problem(caller.get(f"{encounter}/legal-actions?unit=hunter"))
    assert (told["status"], told["code"]) == (422, "unknown_unit")
    alone = legal(caller, encounter, "gm", "?combatant=hunter&sample=9")
    everything = legal(caller, encounter, "gm", "?sample=9")
    assert everything["actors"] == [{"combatant": "hunter", "actions": alone["actions"]}]
    assert everything["samples"] == alone["samples"]

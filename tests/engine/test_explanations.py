"""An explanation says what mattered in words, and how to draw every die again."""

import hmac
import json
import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from msgspec import UNSET, Struct

from service.api.negotiation import LANGUAGES
from service.engine import hashing
from service.engine.narration.explainer import (
    ACTIONS_WITHOUT_FACTS,
    WITH_FACTS,
    EventContext,
    explainer_of,
)
from service.engine.narration.explanation import (
    ExplainedAction,
    ExplainedDice,
    ExplainedEffect,
    ExplainedFact,
    ExplainedModifier,
    ExplainedRule,
    Explanation,
)
from service.engine.narration.fact_labels import FACT_LABELS
from service.engine.narration.fact_reader import UNTOLD, FactReader
from service.engine.narration.names import NO_NAMES, Names
from service.engine.narration.phrases import PHRASES
from service.engine.narration.template import Voice
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary.catalogue import Language
from tests.engine.golden_views import BUNDLES, SLUGS, known_words, views
from tests.kit.rig import Rig
from tests.kit.rigs import EVERY_RIG, RIGS, rig_of

SEALED = EventContext(mode="sealed")
WORD = re.compile(r"[a-z_]+")
LABELS = {term.id for term in FACT_LABELS}


@cache
def key_of(bundle: str) -> bytes:
    """The key of all dice, from the bundle alone and without the service's own derivation."""
    lines = [json.loads(line) for line in (BUNDLES / bundle).read_text().splitlines()]
    effects = [each for line in lines if "event" in line for each in line["event"]["effects"]]
    shares = [bytes.fromhex(each["value"]) for each in effects if each["type"] == "contributed"]
    message = b"warlog/dice/1\x00" + lines[0]["encounter"].encode()
    message += sha256(b"".join(shares)).digest() if shares else b""
    return hmac.new(bytes.fromhex(lines[0]["seed"]), message, "sha256").digest()


def explained(
    ruleset: Ruleset[Any],
    event: dict[str, Any],
    context: EventContext = SEALED,
    names: Names = NO_NAMES,
    language: Language = "en",
) -> Explanation:
    return explainer_of(ruleset, language).explanation(event, names, context)


@pytest.mark.parametrize(
    ("line", "in_area", "rules"),
    [
        ({"rule": "TD-LOW-1", "amount": 2}, False, ["TD-COVER-5"]),
        ({"rule": "TD-LOW-1", "amount": 4}, False, ["TD-COVER-2"]),
        ({"rule": "TD-LOW-1", "amount": 8}, False, ["TD-COVER-6"]),
        ({"rule": "TD-COVER-8", "amount": 8}, False, ["TD-COVER-6"]),
        ({"rule": "TD-LOW-1", "amount": 1}, True, ["TD-COVER-5"]),
        ({"rule": "TD-LOW-1", "amount": 2}, True, ["TD-COVER-2"]),
        ({"rule": "TD-LOW-1", "amount": 4}, True, ["TD-COVER-6"]),
        ({"rule": "TD-COVER-6", "amount": 8}, False, []),
        ({"rule": "TD-SOFT-1", "amount": 4}, False, []),
        (
            {"rule": "TD-LOW-1", "amount": 0, "note": "not_stacking", "rules": ["TD-COVER-6"]},
            False,
            ["TD-COVER-6"],
        ),
        ({"rule": "TD-COVER-5", "amount": 2, "rules": ["TD-LOW-1"]}, False, ["TD-LOW-1"]),
        ({"rule": "TD-LOW-1", "amount": "8", "rules": 3}, False, []),
    ],
)
def test_a_row_of_cover_names_the_rule_of_its_grade(
    line: dict[str, Any], in_area: bool, rules: list[str]
) -> None:
    effect: dict[str, Any] = (
        {"type": "area_resolved", "victims": [{"target": "t", "breakdown": [line]}]}
        if in_area
        else {"type": "attack_resolved", "detail": {"against": {"breakdown": [line]}}}
    )
    ruleset = rig_of("tactical-d20").ruleset
    [told] = explained(ruleset, {"effects": [effect]}).effects
    [row] = told.modifiers
    assert [each.id for each in row.rules] == rules
    assert all(each.text != PHRASES["en"].no_rule for each in row.rules)


def test_places_and_lengths_of_melody_are_told_exactly_in_one_unit() -> None:
    area = {"kind": "beam", "origin": {"x": 1501, "y": 2000}, "length": 8000, "half_width": 1250}
    event = {"effects": [{"type": "area_resolved", "area": area}]}
    [told] = explained(rig_of("melody-d6").ruleset, event).effects
    assert [(each.path, each.value) for each in told.facts] == [
        ("area.kind", "beam"),
        ("area.origin", "(1.501, 2)"),
        ("area.length", "8"),
        ("area.half_width", "1.25"),
    ]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_die_follows_from_the_key_and_the_bytes_that_are_named(slug: str) -> None:
    bundle, ruleset = f"{slug}-sealed.ndjson", rig_of(slug).ruleset
    context = EventContext(mode="sealed", key=key_of(bundle))
    count = 0
    for event in views(bundle, GAME_MASTER):
        dice = explained(ruleset, event, context).dice
        assert [die.face for die in dice.draws] == [draw["face"] for draw in event["draws"]]
        if dice.key is UNSET:
            assert (event["draws"], dice.blocks) == ([], ())
            continue
        streams: dict[int, bytes] = {}
        for block in dice.blocks:
            made = hmac.new(bytes.fromhex(dice.key), bytes.fromhex(block.input), "sha256")
            assert block.bytes == made.hexdigest()
            assert len(streams.get(block.stream, b"")) == 32 * block.block
            streams[block.stream] = streams.get(block.stream, b"") + made.digest()
        for die in dice.draws:
            assert die.proof is not UNSET
            read = bytes.fromhex(die.proof.bytes)
            start = die.proof.offset
            assert streams[die.stream][start : start + len(read)] == read
            value = int.from_bytes(read[die.proof.skipped :], "big")
            assert die.face == die.proof.face == value % die.sides + 1
            count += 1
    assert count > 20


def test_bytes_that_are_skipped_are_named() -> None:
    draws = [
        {"stream": 0, "number": number, "sides": 100, "face": 1, "purpose": "attack"}
        for number in range(1, 40)
    ]
    event = {"seq": 5, "draws": draws, "effects": [], "action": {"type": "note"}}
    dice = explained(
        rig_of("seeker-d100").ruleset, event, EventContext(mode="sealed", key=bytes(32))
    ).dice
    proofs = [die.proof for die in dice.draws if die.proof is not UNSET]
    assert any(proof.skipped for proof in proofs)
    for proof in proofs:
        read = bytes.fromhex(proof.bytes)
        assert all(value >= 200 for value in read[: proof.skipped])
        assert read[-1] < 200
        assert len(read) == proof.skipped + 1
    assert [block.block for block in dice.blocks] == list(range(len(dice.blocks)))
    assert dice.blocks[0].bytes == hashing.stream_block(bytes(32), 5, 0, 0).hex()


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize(("kind", "key"), [("sealed", None), ("supplied", bytes(32))])
def test_without_a_seed_that_is_out_no_byte_is_told(
    slug: str, kind: str, key: bytes | None
) -> None:
    context = EventContext(mode="supplied" if kind == "supplied" else "sealed", key=key)
    for event in views(f"{slug}-{kind}.ndjson", GAME_MASTER):
        dice = explained(rig_of(slug).ruleset, event, context).dice
        assert (dice.key, dice.blocks) == (UNSET, ())
        assert all(die.proof is UNSET for die in dice.draws)
        if event["draws"]:
            assert ("rolled its own" in dice.note) == (kind == "supplied")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", SLUGS)
def test_facts_of_whole_battles_have_names_in_both_languages(slug: str, language: Language) -> None:
    known = known_words(rig_of(slug).ruleset)
    labels: set[str] = set()
    words: set[str] = set()

    def noticed(word: str) -> str:
        words.add(word)
        return word

    def labelled(name: str) -> str:
        labels.add(name)
        return name

    reader = FactReader(language, labelled, Voice(noticed, noticed, noticed, NO_NAMES, language))
    for viewer in (GAME_MASTER, Viewer(sides=("red",))):
        for event in views(f"{slug}-sealed.ndjson", viewer):
            action = event.get("action", {"type": "create_encounter"})
            if action["type"] not in ACTIONS_WITHOUT_FACTS:
                reader.facts(action)
            for effect in event["effects"]:
                if effect["type"] in WITH_FACTS:
                    reader.facts(effect)
    assert labels <= LABELS, labels - LABELS
    assert {word for word in words - known if WORD.fullmatch(word)} == set()


@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_every_field_that_may_be_told_has_its_name(rig: Rig) -> None:
    hints = get_type_hints(rig.ruleset.event)
    listed, _ = get_args(hints["effects"])
    told = [each for each in get_args(listed) if tag(each) in WITH_FACTS]
    told += [each for each in get_args(hints["action"]) if tag(each) not in ACTIONS_WITHOUT_FACTS]
    fields = {name for kind in told for name in fields_of(kind, set())}
    lacking = fields - LABELS - UNTOLD - {"facts", "x", "y"}
    assert lacking == set()


@pytest.mark.parametrize("rig", EVERY_RIG, ids=repr)
def test_every_word_of_an_action_that_is_told_has_its_name(rig: Rig) -> None:
    actions = get_args(get_type_hints(rig.ruleset.event)["action"])
    told = [each for each in actions if tag(each) not in ACTIONS_WITHOUT_FACTS]
    words = {word for kind in told for word in words_of(kind, set())}
    assert words - known_words(rig.ruleset) == set()


def words_of(kind: Any, met: set[Any]) -> Iterator[str]:
    """The words that fields at any depth may hold, but for what is left out whole."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    elif not isinstance(kind, type) or not issubclass(kind, Struct):
        for each in get_args(kind):
            yield from words_of(each, met)
    elif kind not in met:
        met.add(kind)
        hints = get_type_hints(kind)
        for field in msgspec.structs.fields(kind):
            if field.encode_name not in UNTOLD:
                yield from words_of(hints[field.name], met)


def tag(kind: type[Struct]) -> str:
    return str(kind.__struct_config__.tag)


def fields_of(kind: Any, met: set[Any]) -> Iterator[str]:
    """The names of all fields at any depth, but for what is left out whole."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        if kind in met or kind.__name__ in {"Roll", "GroundPart", "DrawRun"}:
            return
        met.add(kind)
        hints = get_type_hints(kind)
        for field in msgspec.structs.fields(kind):
            if field.encode_name not in UNTOLD:
                yield field.encode_name
                yield from fields_of(hints[field.name], met)
    else:
        for each in get_args(kind):
            yield from fields_of(each, met)


CANCELLED: dict[str, Any] = {
    "seq": 9,
    "by": {"kind": "seat", "id": "vera", "role": "player", "seat": "vera"},
    "action": {"type": "ranged_attack", "combatant": "m", "target": "b", "weapon": "gun"},
    "draws": [{"stream": 0, "number": 1, "sides": 6, "face": 6, "purpose": "attack"}],
    "effects": [
        {
            "type": "attack_resolved",
            "target": "b",
            "outcome": "hit",
            "rule": "CF-NONE-1",
            "detail": {
                "attacker": "m",
                "mode": "ranged",
                "distance_ft": 10,
                "obscured": False,
                "base": 3,
                "breakdown": [
                    {"rule": "CF-COVER-2", "amount": -2, "facts": {"distance_ft": 10}},
                    {
                        "rule": "CF-PRONE-1",
                        "amount": 0,
                        "note": "cover_penalty_applied",
                        "rules": ["CF-GEN-1"],
                    },
                ],
                "roll": {
                    "sides": 6,
                    "faces": [6],
                    "total": 6,
                    "draws": [{"stream": 0, "number": 1, "uncounted": "unread"}],
                },
            },
        }
    ],
}


def test_an_explanation_is_made_of_sentence_facts_rules_and_dice() -> None:
    ruleset = rig_of("crossfire-d6").ruleset
    rules = {rule.id: rule for rule in ruleset.catalogue.rules}

    def rule(one: str) -> ExplainedRule:
        return ExplainedRule(id=one, text=rules[one].en, source=rules[one].source)

    told = explained(ruleset, CANCELLED, EventContext(mode="supplied", rewound_by=12))
    assert told.by == "seat vera (player)"
    named = explained(ruleset, CANCELLED, names=Names(seats={"vera": "Vera P."}), language="ru")
    assert named.by == "место Vera P. (игрок)"
    assert told.narration == "m shoots at b: hit, 6."
    assert told.action == ExplainedAction(
        type="ranged_attack",
        label="ranged attack",
        facts=(
            ExplainedFact(path="combatant", label="combatant", value="m"),
            ExplainedFact(path="target", label="target", value="b"),
            ExplainedFact(path="weapon", label="weapon", value="gun"),
        ),
    )
    assert told.effects == (
        ExplainedEffect(
            type="attack_resolved",
            sentence="m shoots at b: hit, 6.",
            facts=(
                ExplainedFact(path="detail.mode", label="manner", value="at a distance"),
                ExplainedFact(path="detail.distance_ft", label="distance in feet", value="10"),
                ExplainedFact(path="detail.base", label="before modifiers", value="3"),
            ),
            modifiers=(
                ExplainedModifier(
                    path="detail.breakdown",
                    amount=-2,
                    rule=rule("CF-COVER-2"),
                    facts=(
                        ExplainedFact(
                            path="facts.distance_ft", label="distance in feet", value="10"
                        ),
                    ),
                ),
                ExplainedModifier(
                    path="detail.breakdown",
                    amount=0,
                    rule=rule("CF-PRONE-1"),
                    suppressed=True,
                    note="cover penalty already applied",
                    rules=(rule("CF-GEN-1"),),
                ),
            ),
            rules=(ExplainedRule(id="CF-NONE-1", text="This build has no rule of that id."),),
        ),
    )
    [die] = told.dice.draws
    assert (die.purpose, die.uncounted) == ("attack", "no rule looked at them")
    [remark] = told.remarks
    assert (remark.kind, remark.seq) == ("rewound", 12)


@pytest.mark.parametrize(
    ("reason", "in_english", "in_russian"),
    [("choice", "by choice", "по своему выбору"), ("timeout", "time is over", "время вышло")],
)
def test_why_somebody_passed_is_told_in_words(
    reason: str, in_english: str, in_russian: str
) -> None:
    choice = {"type": "pass", "reason": reason}
    action = {"type": "answer", "decision_id": "d3.1", "choice": choice}
    event = {"seq": 4, "action": action, "effects": [], "draws": []}
    for language, told in zip(LANGUAGES, (in_english, in_russian), strict=True):
        explanation = explained(rig_of("tactical-d20").ruleset, event, SEALED, language=language)
        assert isinstance(explanation.action, ExplainedAction)
        values = {fact.path: fact.value for fact in explanation.action.facts}
        assert values["choice.reason"] == told


def test_remarks_say_what_else_is_to_be_known() -> None:
    ruleset = rig_of("crossfire-d6").ruleset
    event = {"seq": 3, "effects": [{"type": "adjusted", "reason": "no"}], "draws": []}
    told = explained(ruleset, event, EventContext(mode="sealed", is_erased=True), language="ru")
    assert [remark.kind for remark in told.remarks] == ["override", "erased", "hidden"]
    assert all(remark.text for remark in told.remarks)
    assert told.narration == "Решение ведущего: «no»."
    assert told.dice == ExplainedDice(mode="sealed", note=PHRASES["ru"].no_dice)


JUNK: tuple[Any, ...] = (None, 7, True, "x", [], {}, [None], [[1]], {"x": []}, -(2**60), "\u0000")


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_events_of_any_shape_are_explained_somehow(junk: Any) -> None:
    ruleset = rig_of("tactical-d20").ruleset
    context = EventContext(mode="sealed", key=bytes(32))
    draw = {"stream": 0, "number": 1, "sides": 6, "face": 1, "purpose": junk, "combatant": junk}
    inside = dict.fromkeys(("detail", "roll", "breakdown", "facts", "rules", "victims"), junk)
    line = {"rule": junk, "amount": junk, "note": junk, "rules": junk, "facts": junk}
    attack = {"type": "attack_resolved", "rule": junk, **inside}
    effects = [{"type": junk}, attack, {**attack, "detail": {"breakdown": [line]}}]
    for language in LANGUAGES:
        for event in (
            dict.fromkeys(("seq", "by", "action", "draws", "effects"), junk),
            {"seq": 1, "by": junk, "action": {"type": junk}, "draws": [draw], "effects": effects},
            {"seq": junk, "draws": [{**draw, "stream": -1, "sides": 0}, {**draw, "sides": 70_000}]},
            {"seq": 1, "draws": [dict.fromkeys(draw, junk)]},
        ):
            assert explained(ruleset, event, context, language=language).narration

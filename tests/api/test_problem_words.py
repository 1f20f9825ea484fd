"""No sentence shows people a raw word of the rules: what represents one is said in words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

import pytest

from service import errors
from service.api import problem_texts
from service.api.message_template import fill
from service.api.negotiation import LANGUAGES
from service.api.problems import Phrasebook, problem_of
from service.encounters.access import ROUTES
from service.engine.ruleset.definition import choices_of
from service.engine.vocabulary.catalogue import Language, Message
from service.rulesets import RULESETS
from tests.api.serving import START, Caller, problem
from tests.kit.rigs import rig_of

Facts = dict[str, object]
CATALOGUES = {ruleset.slug: ruleset.catalogue for ruleset in RULESETS.values()}
KEYS = {slug: (slug, version) for slug, version in RULESETS}
PHRASEBOOK = Phrasebook({key: ruleset.catalogue for key, ruleset in RULESETS.items()})
TERM = re.compile(r"\{([a-z_]+):term\}")
LATIN = re.compile(r"[A-Za-z][A-Za-z_-]*")

IDS: Facts = {
    "combatant": "Бова",
    "turn": "Емеля",
    "target": "Вий",
    "held": "Кощей",
    "seat": "Рута",
    "side": "красные",
    "weapon": "Ружьё",
    "item": "Нож",
    "cover": "Стена",
    "sample": "Пушка",
    "scope": "право",
    "ruleset": "правила",
    "viewer": "зритель",
    "decision_id": "12",
    "origin": "страница",
    "header": "заголовок",
    "path": "поле",
    "method": "способ",
    "key": "ключ",
    "allowed": ["Нож", "Стена"],
}
"""Ids of the callers' own, and names of the protocol: shown as they are."""

DAMAGES = (
    *("truncated", "too_long", "unreadable", "not_canonical", "out_of_order", "unknown_format"),
    *("wrong_fairness", "wrong_viewer", "wrong_digest", "repeated_blob", "unnamed_blob"),
    "wrong_parts",
)
"""What a bundle is refused for, as the specification lists it."""

PROTOCOL = {
    "Idempotency-Key",
    "If-Match",
    "Authorization",
    "Bearer",
    "wk_",
    "ws_",
    "POST",
    "actions",
    "make",
    "pages",
    "Accept",
    "Upgrade",
    "JSON",
    "dice",
    "instance",
    "id",
    "Warlog-Seat",
    "Last-Event-ID",
    "warlog",
    "migrate",
    "finish",
}
"""Latin words that belong into a Russian sentence: names of headers and the like."""


def tags(kinds: object) -> list[str]:
    return [str(kind.__struct_config__.tag) for kind in get_args(kinds)]


def values_of_places(slug: str, code: str) -> dict[str, Sequence[object]]:
    """The words of the rules that the places of a message may hold, by the place's name."""
    rig = rig_of(slug)
    actions = tags(rig.ruleset.action)
    choices = [tag for tag in tags(choices_of(rig.ruleset)) if tag != "roll"]
    routes = [name for name, entry in ROUTES.items() if entry.seat in {"gm", "forker", "none"}]
    calls = ["create_encounter", "delete_encounter", "change_timers", "follow_many", *routes]
    shared: dict[str, Mapping[str, Sequence[object]]] = {
        "wrong_choice": {"allowed": [choices]},
        "decision_pending": {"decisions": [[{"id": "12", "who": "gm"}]]},
        "unknown_timer": {"timer": ["turn"], "allowed": [["turn", "12"]]},
        "faces_not_taken": {"dice": ["sealed"], "role": ["player"]},
        "damaged_bundle": {"reason": DAMAGES},
        "not_seated": {"role": ["gm", "player", "observer"]},
        "upgrade_unfinished": {"actions": [[action] for action in actions]},
        "encounter_not_running": {"status": ["setup", "running", "ended"]},
    }
    return {
        "action": [*actions, *calls],
        "purpose": sorted(rig.wording.purposes),
        **shared.get(code, {}),
        **rig.wording.places.get(code, {}),
    }


def sentences(slug: str, message: Message, language: Language) -> Iterator[str]:
    """The message with each word of the rules that it may hold, and with all else left out."""
    template = message.ru if language == "ru" else message.en
    facts: Facts = dict.fromkeys(re.findall(r"\{([a-z_]+)\}", template), 7)
    facts |= {name: value for name, value in IDS.items() if name in facts}
    places = TERM.findall(template)
    holding = {name: values_of_places(slug, message.code)[name] for name in places}
    for at in range(max((len(values) for values in holding.values()), default=1)):
        chosen = {name: values[at % len(values)] for name, values in holding.items()}
        error = errors.WarlogError(message.code, **facts, **chosen)
        error.ruleset = KEYS[slug]
        yield problem_of(error, language, "/", PHRASEBOOK, "r").detail


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", list(CATALOGUES))
def test_no_sentence_holds_a_raw_word_of_the_rules(slug: str, language: Language) -> None:
    messages = (*CATALOGUES[slug].messages, *problem_texts.MESSAGES)
    raw = {
        (message.code, sentence): words
        for message in messages
        for sentence in sentences(slug, message, language)
        if (words := raw_words(sentence, language))
    }
    assert raw == {}


def raw_words(sentence: str, language: Language) -> set[str]:
    """The words of a sentence that are none of its language, and the mark of an unknown one."""
    found = set(LATIN.findall(sentence)) - PROTOCOL
    raw = found if language == "ru" else {word for word in found if "_" in word}
    return raw | ({"?"} if "?" in sentence else set())


@pytest.mark.parametrize("slug", list(CATALOGUES))
def test_every_word_that_sentences_can_hold_is_a_term(slug: str) -> None:
    ruleset = next(each for each in RULESETS.values() if each.slug == slug)
    known = [*tags(ruleset.action), *tags(choices_of(ruleset))]
    for language in LANGUAGES:
        called = PHRASEBOOK.words(KEYS[slug], language)
        assert [word for word in known if called(word) == word and "_" in word] == []
    assert [word for word in known if PHRASEBOOK.words(KEYS[slug], "ru")(word) == word] == []


def test_the_ruleset_that_refused_says_it_whatever_rule_it_names() -> None:
    refusal: Any = errors.Refused("unknown_weapon", rule="CF-RANGE-2", weapon="x", allowed=["y"])
    details = []
    for slug in ("crossfire-d6", "seeker-d100"):
        refusal.ruleset = KEYS[slug]
        details.append(problem_of(refusal, "en", "/", PHRASEBOOK, "r").detail)
    assert details == [
        "The combatant has no weapon 'x'; it has y.",
        "The combatant has no weapon 'x' at hand; it has y.",
    ]


def test_only_what_is_marked_as_a_word_is_told_as_one() -> None:
    facts = {"part": "head", "item": "head", "allowed": ["head", "knee"]}
    called = PHRASEBOOK.words(KEYS["seeker-d100"], "ru")
    told = fill("{part:term}, {item}, {allowed:term}", facts, called)
    assert told == "голова, head, голова, knee"


@pytest.mark.parametrize("slug", list(CATALOGUES))
def test_whoever_is_asked_is_told_by_the_id_or_as_the_game_master(slug: str) -> None:
    # A seat may be called like a zone of a table, or like anything else that has a name.
    asked = [{"id": f"d{n}.1", "who": who} for n, who in enumerate(("red", "turn", "gm"), 3)]
    error = errors.Refused("decision_pending", decisions=asked)
    error.ruleset = KEYS[slug]
    told = [problem_of(error, each, "/", PHRASEBOOK, "r").detail for each in LANGUAGES]
    assert dict(zip(LANGUAGES, told, strict=True)) == {
        "en": "A question must be answered first: d3.1 red, d4.1 turn, d5.1 game master.",
        "ru": "Сначала нужно ответить на вопрос: d3.1 red, d4.1 turn, d5.1 ведущий.",
    }


@pytest.mark.parametrize("nothing", [[], ()])
def test_a_passage_that_would_list_nothing_is_left_out(nothing: object) -> None:
    assert fill("No[[; there are {allowed}]].", {"allowed": nothing}) == "No."
    assert fill("{left} left[[ of {most}]]", {"left": 0, "most": 0}) == "0 left of 0"


@pytest.mark.parametrize("route", ["actions", "preview"])
def test_a_refusal_is_told_by_the_ruleset_of_its_encounter(caller: Caller, route: str) -> None:
    told = []
    for ruleset in ("crossfire-d6", "seeker-d100"):
        examples = rig_of(ruleset).examples
        case = next(each for each in examples.cases if "weapon" in each.steps[-1].action)
        stated = examples.creation(case.setup)
        encounter = caller.create({"ruleset": ruleset, **stated})
        if "battle" in stated["setup"]:
            caller.act(encounter, START)
        action = {**case.steps[-1].action, "weapon": "spoon"}
        told.append(problem(caller.post(f"{encounter}/{route}", {"action": action}))["detail"])
    assert told[0].startswith("The combatant has no weapon 'spoon'; it has")
    assert told[1].startswith("The combatant has no weapon 'spoon' at hand")


@pytest.mark.parametrize("language", LANGUAGES)
def test_which_step_of_a_path_is_wrong_is_told_with_where_counting_begins(
    language: Language,
) -> None:
    counted = {"en": "counted from 0", "ru": "нуля"}[language]
    steps = {
        slug: getattr(message, language)
        for slug, catalogue in CATALOGUES.items()
        for message in catalogue.messages
        if "{step}" in message.en
    }
    assert steps
    assert [slug for slug, text in steps.items() if counted not in text] == []

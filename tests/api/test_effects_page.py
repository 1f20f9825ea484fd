"""The page of effects shows every effect, field, sentence and type, in both languages."""

import re
from html import escape, unescape

import httpx
import pytest

from service.api.docs.effects import effects_page
from service.api.docs.reference import newest_of
from service.api.docs.scene_effects import SCENE_EFFECTS
from service.api.docs.translations import Translator
from service.api.negotiation import LANGUAGES
from service.engine.narration.combat_sentences import COMBAT_SENTENCES
from service.engine.narration.common_sentences import COMMON_SENTENCES
from service.engine.vocabulary.catalogue import Language
from service.rulesets import RULESETS
from tests.api.published import OPENAPI
from tests.api.serving import Served
from tests.api.test_streams_page import read

SCHEMAS = OPENAPI["components"]["schemas"]
NEWEST = newest_of(RULESETS)
UNIONS = {"".join(map(str.capitalize, slug.split("-"))): slug for slug in NEWEST}
EFFECTS = {
    slug: {
        tag: SCHEMAS[target.rpartition("/")[2]]
        for tag, target in SCHEMAS[f"{name}Effect"]["discriminator"]["mapping"].items()
    }
    for name, slug in UNIONS.items()
}
SECTION = re.compile(r'<section id="([\w-]+)">(.*?)</section>', re.DOTALL)

every_language = pytest.mark.parametrize("language", LANGUAGES)


def page(language: Language) -> str:
    return effects_page(OPENAPI, NEWEST.values(), Translator(language)).decode()


def plain(section: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", section))


@every_language
def test_every_effect_and_type_has_its_place(language: Language) -> None:
    reader = read(page(language))
    assert len(reader.anchors) == len(set(reader.anchors))
    assert {link.removeprefix("#") for link in reader.links} == set(reader.anchors)
    assert {each.effect for each in SCENE_EFFECTS} | {"scene"} == {
        anchor for anchor in reader.anchors if not anchor.startswith("type-")
    }


@every_language
def test_an_effect_is_told_with_its_rulebooks_fields_and_sentences(language: Language) -> None:
    sections = dict(SECTION.findall(page(language)))
    for slug, effects in EFFECTS.items():
        for tag, schema in effects.items():
            told = plain(sections[tag])
            assert slug in told or all(tag in each for each in EFFECTS.values()), (slug, tag)
            for field in schema["properties"].keys() - {"type", "rule"}:
                assert f"<td><code>{field}</code>" in sections[tag], (tag, field)
    catalogues = [ruleset.catalogue.sentences for ruleset in NEWEST.values()]
    for sentence in (*COMMON_SENTENCES, *COMBAT_SENTENCES, *(s for own in catalogues for s in own)):
        text = sentence.ru if language == "ru" else sentence.en
        assert escape(text) in sections[sentence.effect], sentence


@every_language
def test_what_becomes_of_a_scene_is_told_in_words_and_by_its_parts(language: Language) -> None:
    sections = dict(SECTION.findall(page(language)))
    for each in SCENE_EFFECTS:
        told = plain(sections[each.effect])
        assert (each.ru if language == "ru" else each.en).replace("`", "") in told
        for parts in (each.appears, each.changes, each.goes):
            for part in parts:
                assert f"<code>{part}</code>" in sections[each.effect]


def test_the_parts_are_fields_of_the_scenes_type() -> None:
    fields = SCHEMAS["Scene"]["properties"]
    arrays = ("appears", "goes")
    for each in SCENE_EFFECTS:
        assert all(part in fields for name in arrays for part in getattr(each, name))
        for part in each.changes:
            name, _, inner = part.partition("[].")
            assert name in fields
            assert not inner or inner in SCHEMAS["SceneCombatant"]["properties"]


@every_language
def test_the_page_is_served(served: Served, language: Language) -> None:
    answer = httpx.get(f"{served.url}/docs/effects", headers={"Accept-Language": language})
    assert answer.headers["Content-Language"] == language
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert f'<html lang="{language}">' in answer.text
    assert '<section id="moved">' in answer.text

"""The page of effects: what each says, in which rulebooks, and what it changes of a scene.

How this works. Types and meanings are those of the OpenAPI document, sentences those that events
are shown in; only what becomes of a scene is written for this page, in `scene_effects.py`. Fields
that rulebooks have alike stand once.
"""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Final, NamedTuple

import msgspec

from service.api.docs.scene_effects import SCENE_EFFECTS, Parts, SceneEffect
from service.api.docs.translations import Translator
from service.api.docs.type_tables import (
    Node,
    TypeTables,
    marked,
    name_of,
    reached_from,
)
from service.api.openapi.rulesets import camel, edition_of
from service.engine.battle.state import RuleState
from service.engine.narration.combat_sentences import COMBAT_SENTENCES
from service.engine.narration.common_sentences import COMMON_SENTENCES
from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.catalogue import Language, Sentence

_OF_EVERY_EFFECT: Final = ("type", "rule")
"""Fields that the page shows once for all."""
_SCENE: Final = "Scene"

_PAGE: Final = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/search.js"></script>
<title>Warlog: {title}</title>
<main>
<h1>{heading}</h1>
{opening}
<nav>{contents}</nav>
{sections}
</main>
</html>
"""


class PageWords(NamedTuple):
    """What is on the page next to types, sentences and what becomes of a scene."""

    title: str
    heading: str
    opening: str
    every: str
    some: str
    scene: str
    nothing: str
    whole: str
    appears: str
    changes: str
    goes: str
    fields: str
    sentences: str
    shared: str
    types: str


_WORDS: Final[Mapping[Language, PageWords]] = {
    "en": PageWords(
        title="effects of events",
        heading="Effects",
        opening=(
            "An event is a list of effects: facts, in the order in which they happened. Whoever"
            " follows a battle and draws it himself learns here what each is and what of the"
            " picture it changes, in the terms of the scene. An effect that a reader is"
            " not told of changes nothing in that reader's scene.\n\n"
            "What stays drawn of an event alone, the lines of its attacks and the areas of its"
            " bursts, goes with the next event, whatever that is. `bounds` follows what is seen:"
            " where a map states no bounds, read them again whenever something appears, goes or"
            " moves. Where everything may have changed, fetch the scene again with"
            " `GET /v1/encounters/{encounter}/scene`; who wants no more than the differences"
            " follows with `scene=patch` and needs none of this.\n\n"
            "Each effect has its `type`; `rule`, where it follows from a rule of the catalogue, is"
            " that rule's id. In the sentences `{…}` is a fact of the effect by its path,"
            " `{…:form}` one in a certain form; `[[…]]` is left out where a fact in it is missing,"
            " of `[[…||…]]` the first is told of which all is there, and `<<list, …>>` is told of"
            " every element."
        ),
        every="In every rulebook.",
        some="In {}.",
        scene="In the scene",
        nothing="Nothing changes.",
        whole="Anything may change: fetch the scene again.",
        appears="appears",
        changes="changes",
        goes="goes",
        fields="Fields",
        sentences="In words",
        shared="shared by all rulebooks",
        types="Types",
    ),
    "ru": PageWords(
        title="эффекты событий",
        heading="Эффекты",
        opening=(
            "Событие — список эффектов: фактов в том порядке, в котором они случились. Кто следит"
            " за боем и рисует его сам, узнаёт здесь, что значит каждый и что он меняет на рисунке,"
            " в понятиях сцены. Эффект, о котором читателю не сказано, в его сцене не"
            " меняет ничего.\n\n"
            "Что нарисовано только ради одного события — линии его атак и области взрывов, —"
            " пропадает со следующим, каким бы оно ни было. `bounds` следует за видимым: если у"
            " карты нет своих границ, читайте их заново всякий раз, когда что-то появилось, пропало"
            " или сдвинулось. Там, где могло измениться всё, получите сцену заново через"
            " `GET /v1/encounters/{encounter}/scene`; кому нужны только различия, тот следит с"
            " `scene=patch` и обходится без всего этого.\n\n"
            "У каждого эффекта есть `type`; `rule`, если он следует из правила каталога, — id этого"
            " правила. Во фразах `{…}` — факт эффекта по его пути, `{…:вид}` — факт в определённом"
            " виде; `[[…]]` пропускается, если факта в нём нет, из `[[…||…]]` говорится первое, в"
            " котором есть всё, а `<<список, …>>` говорится о каждом элементе."
        ),
        every="Во всех правилах.",
        some="В правилах: {}.",
        scene="В сцене",
        nothing="Ничего не меняется.",
        whole="Может измениться всё: получите сцену заново.",
        appears="появляется",
        changes="меняется",
        goes="пропадает",
        fields="Поля",
        sentences="Словами",
        shared="общее для всех правил",
        types="Типы",
    ),
}


def effects_page(document: Node, rulesets: Iterable[Ruleset[RuleState]], say: Translator) -> bytes:
    """The page in the language of a translator; of each rulebook one version."""
    page = _Page(document["components"]["schemas"], tuple(rulesets), say)
    return page.whole().encode()


class _Field(NamedTuple):
    """A field as some rulebooks have it."""

    schema: Node
    is_required: bool
    slugs: list[str]


class _Page:
    """The page being written."""

    def __init__(
        self, schemas: Node, rulesets: tuple[Ruleset[RuleState], ...], say: Translator
    ) -> None:
        self._schemas = schemas
        self._rulesets = {ruleset.slug: ruleset for ruleset in rulesets}
        self._say = say
        self._language: Language = say.language
        self._said = _WORDS[say.language]
        self._forms = {
            slug: dict(_effects_of(schemas, ruleset)) for slug, ruleset in self._rulesets.items()
        }
        self._own = tuple(map(camel, self._rulesets))
        told = [form for forms in self._forms.values() for form in forms.values()]
        scene = schemas[_SCENE]
        self._shared = reached_from(schemas, [*told, scene], self._own)
        self._tables = TypeTables({*self._shared, _SCENE}, say, self._own)

    def whole(self) -> str:
        """The whole page."""
        contents = [
            f'<a href="#{each.effect}"><code>{each.effect}</code></a>' for each in SCENE_EFFECTS
        ]
        types = [f'<a href="#type-{name}"><code>{name}</code></a>' for name in self._shared]
        said = self._said
        return _PAGE.format(
            language=self._language,
            title=said.title,
            heading=said.heading,
            opening="".join(f"<p>{marked(each)}</p>" for each in said.opening.split("\n\n")),
            contents=" · ".join([f'<a href="#scene">{said.scene}</a>', *contents, *types]),
            sections="\n".join(self._sections()),
        )

    def _sections(self) -> Iterator[str]:
        scene = self._schemas[_SCENE]
        yield self._tables.section("scene", _SCENE, "", scene)
        for each in SCENE_EFFECTS:
            yield self._effect(each)
        for name, schema in self._shared.items():
            yield self._tables.section(f"type-{name}", name, "", schema)

    def _effect(self, effect: SceneEffect) -> str:
        said, tag = self._said, effect.effect
        forms = {slug: each[tag] for slug, each in self._forms.items() if tag in each}
        slugs = ", ".join(f"<code>{slug}</code>" for slug in forms)
        where = said.every if len(forms) == len(self._rulesets) else said.some.format(slugs)
        fields = list(self._fields(forms))
        return "\n".join(
            (
                f'<section id="{tag}"><h2><a href="#{tag}"><code>{tag}</code></a></h2>',
                *self._meanings(forms),
                f"<p class=faint>{where}</p>",
                f"<p><b>{said.scene}.</b> {self._in_scene(effect, forms)}</p>",
                self._tables.table(fields) if fields else "",
                f"<details><summary>{said.sentences}</summary><dl>",
                *self._sentences(tag, forms),
                "</dl></details></section>",
            )
        )

    def _meanings(self, forms: Mapping[str, Node]) -> Iterator[str]:
        """What the effect is; with the rulebook where that differs."""
        meanings: dict[str, list[str]] = {}
        for slug, form in forms.items():
            meanings.setdefault(form.get("description", ""), []).append(slug)
        for text, slugs in meanings.items():
            which = self._which(slugs, forms)
            yield f"<p>{f'<b>{which}:</b> ' if which else ''}{marked(self._say(text))}</p>"

    def _in_scene(self, effect: SceneEffect, forms: Mapping[str, Node]) -> str:
        said = self._said
        parts = (
            (said.appears, effect.appears),
            (said.changes, effect.changes),
            (said.goes, effect.goes),
        )
        listed = "; ".join(f"{verb} {_listed(each, forms)}" for verb, each in parts if each)
        general = said.whole if effect.is_whole else said.nothing
        head = f"{listed[0].upper()}{listed[1:]}." if listed else general
        return f"{head} {marked(effect.ru if self._language == 'ru' else effect.en)}"

    def _fields(self, forms: Mapping[str, Node]) -> Iterator[str]:
        """A row for each field and each way in which rulebooks have it; most have it alike."""
        rows: dict[str, dict[str, _Field]] = {}
        for slug, form in forms.items():
            for name, value in form["properties"].items():
                if name not in _OF_EVERY_EFFECT:
                    is_required = name in form.get("required", ())
                    shown = self._tables.row(name, value, is_required=is_required)
                    ways = rows.setdefault(name, {})
                    ways.setdefault(shown, _Field(value, is_required, [])).slugs.append(slug)
        for name, ways in rows.items():
            for value, is_required, slugs in ways.values():
                note = self._which(slugs, forms)
                yield self._tables.row(name, value, is_required=is_required, note=note)

    def _sentences(self, tag: str, forms: Mapping[str, Node]) -> Iterator[str]:
        """The templates of sentences, a rulebook's own before those that all share."""
        for slug in forms:
            own = [each for each in self._rulesets[slug].catalogue.sentences if each.effect == tag]
            if own:
                yield f"<dt><code>{slug}</code></dt>"
                yield from map(self._sentence, own)
        shared = [each for each in (*COMBAT_SENTENCES, *COMMON_SENTENCES) if each.effect == tag]
        if shared:
            yield f"<dt>{self._said.shared}</dt>"
            yield from map(self._sentence, shared)

    def _sentence(self, sentence: Sentence) -> str:
        text = sentence.ru if self._language == "ru" else sentence.en
        when = ", ".join(
            f"<code>{escape(path)}</code> = <code>{escape(_json(value))}</code>"
            for path, value in sentence.when.items()
        )
        return f"<dd>{f'{when}: ' if when else ''}{escape(text)}</dd>"

    def _which(self, slugs: list[str], forms: Mapping[str, Node]) -> str:
        """These rulebooks; nothing if they are all that have the effect."""
        if len(slugs) == len(forms):
            return ""
        return ", ".join(f"<code>{slug}</code>" for slug in slugs)


def _effects_of(schemas: Node, ruleset: Ruleset[RuleState]) -> Iterator[tuple[str, Node]]:
    """The effects of a rulebook by their types; a later version may have none of its own."""
    names = [f"{camel(name)}Effect" for name in (edition_of(ruleset), ruleset.slug)]
    union = next(schemas[name] for name in names if name in schemas)
    for tag, target in union["discriminator"]["mapping"].items():
        yield tag, schemas[name_of({"$ref": target})]


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode().strip('"')


def _listed(parts: Parts, forms: Mapping[str, Node]) -> str:
    """Parts of a scene, with the rulebooks where it is not all that have the effect."""
    return ", ".join(
        f"<code>{escape(part)}</code>"
        + (f" ({', '.join(slugs)})" if slugs and len(slugs) < len(forms) else "")
        for part, slugs in parts.items()
    )

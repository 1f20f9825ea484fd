"""Explains an event: the action, what came of it and why, its dice, from what its reader sees.

How this works. Everything follows from the event as its reader sees it, the rulebook, the names
that the reader knows, and the key of the dice once everyone may have it. So whoever sees the same
of two events is told the same of both. Nothing is raised whatever the event looks like.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.dice.dice import MAX_SIDES
from service.engine.narration.dice_proof import StreamProof
from service.engine.narration.explanation import (
    DieProof,
    EventRemark,
    ExplainedAction,
    ExplainedDice,
    ExplainedDie,
    ExplainedEffect,
    ExplainedModifier,
    ExplainedRule,
    Explanation,
)
from service.engine.narration.fact_labels import FACT_LABELS
from service.engine.narration.fact_reader import FactReader
from service.engine.narration.names import Names
from service.engine.narration.narrator import Narrator, lookup_of, narrator_of
from service.engine.narration.phrases import PHRASES, Phrases
from service.engine.narration.plain_text import in_one_line
from service.engine.narration.template import LONGEST_WORD, JsonObject, Voice
from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.catalogue import Language, Rule
from service.engine.vocabulary.values import DiceMode

WITH_FACTS: Final = frozenset(
    {"attack_resolved", "area_resolved", "check_resolved", "rolled", "hurt"}
)
"""Effects of which single facts matter; the others are told whole by their sentence."""

_IN_THE_SENTENCE: Final = frozenset(
    {"combatant", "target", "outcome", "detail.attacker", "detail.against.target"}
)
"""Facts that every sentence of such an effect tells, as far as the reader knows them."""

ACTIONS_WITHOUT_FACTS: Final = frozenset(
    {"create_encounter", "configure", "add_combatant", "set_terrain", "add_seat", "change_seat"}
)
"""Actions whose fields are whole sheets, maps, ground or seats."""

_BREAKDOWNS: Final = frozenset({"breakdown", "attack_breakdown"})
_RULES: Final = frozenset({"rule", "level_rule"})


class EventContext(NamedTuple):
    """What is known of an event beside what its reader sees of it.

    `key` is that of the dice, once the seed is revealed; `rewound_by` the event that went back
    behind this one, if it does not count any more; `is_erased` whether free text of it is gone that
    the reader could read.
    """

    mode: DiceMode
    key: bytes | None = None
    rewound_by: int | None = None
    is_erased: bool = False


class Explainer:
    """Explains the events of one rulebook in one language."""

    def __init__(self, ruleset: Ruleset[Any], language: Language) -> None:
        self._language = language
        self._narrator: Narrator = narrator_of(ruleset, language)
        self._phrases: Phrases = PHRASES[language]
        self._label = lookup_of(FACT_LABELS, language)
        self._rules = {rule.id: rule for rule in ruleset.catalogue.rules}
        self._amount_rules = ruleset.catalogue.amount_rules

    def explanation(self, event: JsonObject, names: Names, context: EventContext) -> Explanation:
        """All that there is to say of an event."""
        known = names.beside(event)
        voice = self._narrator.voice(known)
        reader = FactReader(self._language, self._label, voice, event.get("effects"))
        return Explanation(
            language=self._language,
            by=self._by(event.get("by"), names),
            narration=self._narrator.story(event, names),
            action=self._action(event.get("action"), reader),
            effects=tuple(
                self._effect(each, voice, reader) for each in _objects(event.get("effects"))
            ),
            dice=self._dice(event, context, voice),
            remarks=tuple(self._remarks(event, context)),
        )

    def _by(self, by: object, names: Names) -> str:
        if not isinstance(by, dict):
            return self._phrases.somebody
        one, role = _shown(by.get("id")), self._narrator.role(_shown(by.get("role")))
        match by.get("kind"):
            case "seat":
                return self._phrases.by_seat.format(name=names.seat(one), role=role)
            case "key":
                return self._phrases.by_key.format(id=one, role=role)
            case _:
                return self._phrases.by_system.format(id=one)

    def _action(self, action: object, reader: FactReader) -> ExplainedAction | UnsetType:
        if not isinstance(action, dict):
            return UNSET
        kind = _shown(action.get("type"))
        facts = () if kind in ACTIONS_WITHOUT_FACTS else reader.facts(action)
        return ExplainedAction(type=kind, label=self._narrator.word(kind), facts=facts)

    # --- effects ----------------------------------------------------------------------------

    def _effect(self, effect: JsonObject, voice: Voice, reader: FactReader) -> ExplainedEffect:
        kind = _shown(effect.get("type"))
        lines = tuple(self._modifiers(effect, "", reader))
        of_lines = {line.rule.id for line in lines}
        rules = dict.fromkeys(_rules_in(effect))
        return ExplainedEffect(
            type=kind,
            sentence=self._narrator.sentence(effect, voice).text,
            facts=reader.facts(effect, _IN_THE_SENTENCE) if kind in WITH_FACTS else (),
            modifiers=lines,
            rules=tuple(self._rule(rule) for rule in rules if rule not in of_lines),
        )

    def _modifiers(
        self, holder: JsonObject, path: str, reader: FactReader
    ) -> Iterator[ExplainedModifier]:
        """The lines of every breakdown at any depth."""
        for name, value in holder.items():
            at = f"{path}.{name}" if path else name
            if name in _BREAKDOWNS:
                yield from (self._modifier(line, at, reader) for line in _objects(value))
            elif isinstance(value, dict):
                yield from self._modifiers(value, at, reader)
            elif isinstance(value, list):
                for number, each in enumerate(value):
                    if isinstance(each, dict):
                        yield from self._modifiers(each, f"{at}[{number}]", reader)

    def _modifier(self, line: JsonObject, path: str, reader: FactReader) -> ExplainedModifier:
        amount, note = line.get("amount"), line.get("note")
        shown = amount if type(amount) is int else 0
        listed = line.get("rules")
        further = (
            dict.fromkeys(each for each in listed if isinstance(each, str))
            if isinstance(listed, list)
            else {}
        )
        further |= dict.fromkeys(self._amount_rules(line, path))
        behind = {name: line[name] for name in ("facts", "combatants", "melody") if name in line}
        return ExplainedModifier(
            path=path,
            amount=shown,
            rule=self._rule(_shown(line.get("rule"))),
            suppressed=shown == 0 and isinstance(note, str),
            note=self._narrator.word(note) if isinstance(note, str) else UNSET,
            facts=reader.facts(behind),
            rules=tuple(map(self._rule, further)),
        )

    def _rule(self, one: str) -> ExplainedRule:
        rule: Rule | None = self._rules.get(one)
        if rule is None:
            return ExplainedRule(id=one, text=self._phrases.no_rule)
        text = rule.en if self._language == "en" else rule.ru
        return ExplainedRule(id=rule.id, text=text, source=rule.source)

    # --- dice -------------------------------------------------------------------------------

    def _dice(self, event: JsonObject, context: EventContext, voice: Voice) -> ExplainedDice:
        key = context.key if context.mode == "sealed" else None
        uncounted = dict(_uncounted(event.get("effects")))
        proofs: dict[int, StreamProof] = {}
        draws = []
        for draw in _objects(event.get("draws")):
            numbers = [draw.get(name) for name in ("stream", "number", "sides", "face")]
            if not all(type(number) is int for number in numbers):
                continue
            stream, number, sides, face = (int(str(number)) for number in numbers)
            who, why = draw.get("combatant"), uncounted.get((stream, number))
            draws.append(
                ExplainedDie(
                    stream=stream,
                    number=number,
                    sides=sides,
                    face=face,
                    purpose=self._narrator.word(_shown(draw.get("purpose"))),
                    combatant=voice.names.called(who) if isinstance(who, str) else UNSET,
                    uncounted=UNSET if why is None else self._narrator.cause(why),
                    proof=_proof(key, event, stream, sides, proofs),
                )
            )
        blocks = [block for proof in proofs.values() for block in proof.blocks()]
        return ExplainedDice(
            mode=context.mode,
            note=self._note(context, bool(draws)),
            draws=tuple(draws),
            key=key.hex() if key is not None and draws else UNSET,
            blocks=tuple(blocks),
        )

    def _note(self, context: EventContext, has_draws: bool) -> str:
        """How the dice can be checked."""
        if not has_draws:
            return self._phrases.no_dice
        if context.mode == "supplied":
            return self._phrases.supplied
        return self._phrases.sealed if context.key is None else self._phrases.revealed

    def _remarks(self, event: JsonObject, context: EventContext) -> Iterator[EventRemark]:
        said = self._phrases
        if context.rewound_by is not None:
            text = said.rewound.format(seq=context.rewound_by)
            yield EventRemark(kind="rewound", text=text, seq=context.rewound_by)
        if any(each.get("type") == "adjusted" for each in _objects(event.get("effects"))):
            yield EventRemark(kind="override", text=said.override)
        if context.is_erased:
            yield EventRemark(kind="erased", text=said.erased)
        if "action" not in event:
            yield EventRemark(kind="hidden", text=said.hidden)


@lru_cache(maxsize=64)
def explainer_of(ruleset: Ruleset[Any], language: Language) -> Explainer:
    """The explainer of a ruleset; made once."""
    return Explainer(ruleset, language)


def _proof(
    key: bytes | None, event: JsonObject, stream: int, sides: int, proofs: dict[int, StreamProof]
) -> DieProof | UnsetType:
    """How the next die of a stream follows from the key."""
    seq = event.get("seq")
    if key is None or type(seq) is not int:
        return UNSET
    if not (0 <= stream <= 255 and 1 <= sides <= MAX_SIDES and seq > 0):
        return UNSET
    if stream not in proofs:
        proofs[stream] = StreamProof(key, seq, stream)
    return proofs[stream].die(sides)


def _rules_in(holder: JsonObject) -> Iterator[str]:
    """The rules that an effect names at any depth, but for those of its breakdowns."""
    for name, value in holder.items():
        if name in _BREAKDOWNS:
            continue
        if name in _RULES and isinstance(value, str):
            yield value
        elif name == "rules" and isinstance(value, list):
            yield from (each for each in value if isinstance(each, str))
        elif isinstance(value, dict):
            yield from _rules_in(value)
        elif isinstance(value, list):
            for each in _objects(value):
                yield from _rules_in(each)


def _uncounted(value: object) -> Iterator[tuple[tuple[int, int], str]]:
    """Draws of this event that do not count, by stream and number, and why."""
    if isinstance(value, list):
        for each in value:
            yield from _uncounted(each)
    elif isinstance(value, dict):
        faces = value.get("faces")
        if isinstance(faces, list):
            for run in _objects(value.get("draws")):
                yield from _run(run, len(faces))
        else:
            for each in value.values():
                yield from _uncounted(each)


def _run(run: JsonObject, faces: int) -> Iterator[tuple[tuple[int, int], str]]:
    stream, first, count, why = (run.get(n) for n in ("stream", "number", "count", "uncounted"))
    if "seq" in run or not isinstance(why, str):
        return
    if type(stream) is int and type(first) is int:
        many = count if type(count) is int else faces
        for number in range(first, first + min(many, faces)):
            yield (stream, number), why


def _objects(value: object) -> Iterable[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else ()


def _shown(value: object) -> str:
    return in_one_line(value, LONGEST_WORD) if isinstance(value, str) else ""

"""An explanation as a page of plain text that a person reads in a terminal."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from msgspec import UNSET

from service.encounters.responses import EventRecord
from service.engine.narration.explanation import (
    ExplainedDice,
    ExplainedDie,
    ExplainedEffect,
    ExplainedFact,
    ExplainedModifier,
    ExplainedRule,
    Explanation,
)
from service.engine.vocabulary.catalogue import Language

WIDTH: Final = 78
_INDENT: Final = "  "


class _Headings(NamedTuple):
    event: str
    at: str
    by: str
    asked: str
    came: str
    dice: str
    rule: str
    source: str
    suppressed: str
    die: str
    not_counted: str
    reads: str
    key: str
    block: str
    input: str
    bytes: str
    hash: str


_HEADINGS: Final[Mapping[Language, _Headings]] = {
    "en": _Headings(
        event="Event {seq} of encounter {encounter}",
        at="Recorded",
        by="Asked for by",
        asked="ASKED FOR",
        came="WHAT CAME OF IT",
        dice="DICE",
        rule="rule",
        source="source",
        suppressed="suppressed",
        die="stream {stream}, number {number}: d{sides} shows {face}, {purpose}",
        not_counted="not counted",
        reads="reads from byte {offset} of its stream: {bytes}, which is {face}",
        key="key",
        block="stream {stream}, block {block}",
        input="input",
        bytes="bytes",
        hash="Hash",
    ),
    "ru": _Headings(
        event="Событие {seq} боя {encounter}",
        at="Записано",
        by="Чья просьба",
        asked="О ЧЁМ ПРОСИЛИ",
        came="ЧТО ИЗ ЭТОГО ВЫШЛО",
        dice="КОСТИ",
        rule="правило",
        source="источник",
        suppressed="подавлено",
        die="поток {stream}, номер {number}: к{sides} показывает {face}, {purpose}",
        not_counted="не в счёт",
        reads="читает с байта {offset} своего потока: {bytes}, то есть {face}",
        key="ключ",
        block="поток {stream}, блок {block}",
        input="вход",
        bytes="байты",
        hash="Хеш",
    ),
}


def page_of(record: EventRecord, explanation: Explanation, encounter: str) -> str:
    """The page, each line of at most 78 columns where words allow it, with a line end at its end.

    Rules are reported in full where they are named first, afterwards by their ids.
    """
    words = _HEADINGS[explanation.language]
    told: set[str] = set()
    lines = [
        *_wrapped(words.event.format(seq=record.seq, encounter=encounter)),
        f"{words.at}: {record.recorded_at}",
        *_wrapped(f"{words.by}: {explanation.by}"),
        f"{words.hash}: {record.hash}",
        "",
        *_wrapped(explanation.narration),
    ]
    for remark in explanation.remarks:
        lines += ["", *_wrapped(f"! {remark.text}")]
    if explanation.action is not UNSET:
        lines += ["", words.asked, *_wrapped(explanation.action.label, 1)]
        lines += _facts(explanation.action.facts, 2)
    if explanation.effects:
        lines += ["", words.came]
    for effect in explanation.effects:
        lines += _effect(effect, words, told)
    lines += ["", words.dice, *_dice(explanation.dice, words)]
    return "\n".join(lines) + "\n"


def _effect(effect: ExplainedEffect, words: _Headings, told: set[str]) -> Iterator[str]:
    yield from _wrapped(f"* {effect.sentence}", 1)
    yield from _facts(effect.facts, 3)
    for modifier in effect.modifiers:
        yield from _modifier(modifier, words, told)
    for rule in effect.rules:
        yield from _rule(rule, words, told, 3)


def _modifier(modifier: ExplainedModifier, words: _Headings, told: set[str]) -> Iterator[str]:
    notes = [] if modifier.note is UNSET else [modifier.note]
    if modifier.suppressed:
        notes.insert(0, words.suppressed)
    behind = f" ({', '.join(notes)})" if notes else ""
    yield from _wrapped(f"{modifier.amount:+d}  {modifier.rule.id}{behind}", 3)
    yield from _facts(modifier.facts, 5)
    for rule in (modifier.rule, *modifier.rules):
        yield from _rule(rule, words, told, 5)


def _rule(rule: ExplainedRule, words: _Headings, told: set[str], depth: int) -> Iterator[str]:
    """A rule: its text and source where it is named first."""
    if rule.id in told:
        yield from _wrapped(f"{words.rule} {rule.id}", depth)
        return
    told.add(rule.id)
    yield from _wrapped(f"{words.rule} {rule.id}: {rule.text}", depth)
    if rule.source is not UNSET:
        yield from _wrapped(f"{words.source}: {rule.source}", depth + 1)


def _facts(facts: tuple[ExplainedFact, ...], depth: int) -> Iterator[str]:
    for fact in facts:
        yield from _wrapped(f"{fact.label}: {fact.value}", depth)


def _dice(dice: ExplainedDice, words: _Headings) -> Iterator[str]:
    yield from _wrapped(dice.note, 1)
    for die in dice.draws:
        yield from _die(die, words)
    if dice.key is not UNSET:
        yield f"{_INDENT}{words.key} {dice.key}"
    for block in dice.blocks:
        yield from _wrapped(words.block.format(stream=block.stream, block=block.block), 1)
        yield f"{_INDENT * 2}{words.input} {block.input}"
        yield f"{_INDENT * 2}{words.bytes} {block.bytes}"


def _die(die: ExplainedDie, words: _Headings) -> Iterator[str]:
    text = words.die.format(
        stream=die.stream, number=die.number, sides=die.sides, face=die.face, purpose=die.purpose
    )
    if die.combatant is not UNSET:
        text += f", {die.combatant}"
    if die.uncounted is not UNSET:
        text += f" ({words.not_counted}: {die.uncounted})"
    yield from _wrapped(text, 1)
    if die.proof is not UNSET:
        reads = words.reads.format(
            offset=die.proof.offset, bytes=die.proof.bytes, face=die.proof.face
        )
        yield from _wrapped(reads, 3)


def _wrapped(text: str, depth: int = 0) -> list[str]:
    """Lines of a paragraph; what follows the first is one step further in."""
    whole = f"{_INDENT * depth}{text}"
    if len(whole) <= WIDTH:
        return [whole]
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=_INDENT * depth,
        subsequent_indent=_INDENT * (depth + 1) if depth else "",
        break_long_words=False,
        break_on_hyphens=False,
    )

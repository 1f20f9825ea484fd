"""What is wrong with content that a creation brings, as far as its types do not say so."""

from collections.abc import Iterator
from itertools import chain

from msgspec import UNSET

from service.errors import Refused
from service.rulesets.melody_d6.content import Blob, Content
from service.rulesets.melody_d6.melodies import (
    DiscTemplate,
    LastingEffect,
    Melody,
    MelodyEffects,
    MelodyPanic,
    MistakeEntry,
    MistakeTable,
)
from service.rulesets.melody_d6.misfits import misfit, repeated
from service.rulesets.melody_d6.weapons import Weapon, is_ranged


def content_blob(content: Content) -> Blob:
    """Content as it is kept. Raises the first problem that it has: Refused("invalid_setup")."""
    for problem in content_problems(content):
        raise problem
    return Blob(
        weapons=content.weapons,
        melodies=content.melodies,
        templates=content.templates,
        mistake_tables=content.mistake_tables,
    )


def content_problems(content: Content) -> Iterator[Refused]:
    """Everything that is wrong with content: ids first, then weapons, Melodies, mistake tables."""
    yield from repeated([each.id for each in content.weapons], "$.content.weapons")
    yield from repeated([each.id for each in content.melodies], "$.content.melodies")
    yield from repeated([each.id for each in content.templates], "$.content.templates")
    yield from repeated([each.id for each in content.mistake_tables], "$.content.mistake_tables")
    for index, weapon in enumerate(content.weapons):
        yield from _weapon_problems(weapon, f"$.content.weapons[{index}]")
    for index, melody in enumerate(content.melodies):
        yield from _melody_problems(content, melody, f"$.content.melodies[{index}]")
    for index, table in enumerate(content.mistake_tables):
        yield from _table_problems(table, f"$.content.mistake_tables[{index}]")


def _weapon_problems(weapon: Weapon, path: str) -> Iterator[Refused]:
    if weapon.silencer and weapon.kind != "firearm":
        yield misfit("silencer_not_firearm", f"{path}.silencer")
    if is_ranged(weapon) and weapon.range is UNSET:
        yield misfit("range_missing", f"{path}.range")
    if not is_ranged(weapon) and weapon.range is not UNSET:
        yield misfit("melee_with_range", f"{path}.range")


def _melody_problems(content: Content, melody: Melody, path: str) -> Iterator[Refused]:
    yield from _template_problems(content, melody, path)
    if melody.duration == "lasting" and melody.targeting == "ray":
        yield misfit("lasting_ray", f"{path}.duration")
    if melody.effects and not melody.mp_effects:
        yield misfit("mp_effects_missing", f"{path}.mp_effects")
    is_lasting = melody.duration == "lasting"
    yield from _duration_problems(melody.effects, f"{path}.effects", is_lasting=is_lasting)
    yield from _duration_problems(melody.mp_effects, f"{path}.mp_effects", is_lasting=is_lasting)
    if all(each.id != melody.mistake_table for each in content.mistake_tables):
        yield misfit("unknown_reference", f"{path}.mistake_table", id=melody.mistake_table)


def _template_problems(content: Content, melody: Melody, path: str) -> Iterator[Refused]:
    """A disc round a point, a beam or cone for a ray, none for one warrior."""
    where = f"{path}.template"
    if melody.template is UNSET:
        if melody.targeting != "model":
            yield misfit("template_missing", where)
        return
    template = next((each for each in content.templates if each.id == melody.template), None)
    if template is None:
        yield misfit("unknown_reference", where, id=melody.template)
        return
    is_disc = isinstance(template, DiscTemplate)
    if melody.targeting == "model" or is_disc is not (melody.targeting == "point"):
        yield misfit("template_shape_mismatch", where)


def _duration_problems(effects: MelodyEffects, path: str, *, is_lasting: bool) -> Iterator[Refused]:
    """Lasting Melodies have the kinds that last and no others; instant ones have none of them."""
    for index, effect in enumerate(effects):
        if isinstance(effect, LastingEffect) is not is_lasting:
            yield misfit("lasting_effect_kind", f"{path}[{index}].kind")


def _table_problems(table: MistakeTable, path: str) -> Iterator[Refused]:
    entries = (
        _entry_problems(entry, f"{path}.rows[{row}][{index}]")
        for row, row_entries in enumerate(table.rows)
        for index, entry in enumerate(row_entries)
    )
    yield from chain.from_iterable(entries)


def _entry_problems(entry: MistakeEntry, path: str) -> Iterator[Refused]:
    """`around` has a radius and nothing else has; the singer's unit can only panic."""
    if (entry.scope == "around") is (entry.radius is UNSET):
        yield misfit("mistake_rows", f"{path}.radius")
    if entry.scope == "singer_unit" and not isinstance(entry.effect, MelodyPanic):
        yield misfit("mistake_rows", f"{path}.effect")

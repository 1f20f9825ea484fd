"""Who may know a field: declared where the field is defined, undeclared means the GM's.

How this works. A field carries one of the marks below in its annotation:

    health: Annotated[int, EVERYONE]      everyone who may know the object at all
    agi_pool: Annotated[int, NUMBERS]     everyone, or only its side when the table hides numbers
    name: Annotated[str, TEXT]            free text: leaves the hashed body, may be erased

A type that names a combatant is `SubjectId`: whatever directly contains one is narrowed to
those who may know that combatant. `OwnId` marks the id in the struct that *is* the combatant.
"""

from typing import Annotated, Final

from msgspec import Meta

from service.engine.vocabulary.client_ids import ID_PATTERN, LONGEST_ID

EVERYONE_WORD: Final = "everyone"
GM_WORD: Final = "gm"
"""The two audiences that every encounter has; the others are its sides, by id."""

EVERYONE: Final = Meta(extra={"audience": EVERYONE_WORD})
"""Everyone who may know the object that holds the field."""

SIDE: Final = Meta(extra={"audience": "side"})
"""The side of the combatant that the object names or is, and the GM."""

GM: Final = Meta(extra={"audience": GM_WORD})
"""The game master alone; the same as no mark, but said."""

NUMBERS: Final = Meta(extra={"audience": "numbers"})
"""EVERYONE, or SIDE where the option `enemy_numbers` is `hidden`."""

HEALTH: Final = Meta(extra={"audience": "health"})
"""EVERYONE, or SIDE where the option `enemy_health` is not `exact`."""

BAND: Final = Meta(extra={"audience": "band"})
"""EVERYONE, or SIDE where the option `enemy_health` is `none`."""

BREAKDOWN: Final = Meta(extra={"audience": "breakdown"})
"""EVERYONE, SIDE where the option `breakdowns` is `own`, GM where it is `none`."""

TEXT: Final = Meta(extra={"audience": EVERYONE_WORD, "text": True})
"""Free text for everyone who may know the object; erasable, no rule reads it."""

GM_TEXT: Final = Meta(extra={"audience": GM_WORD, "text": True})
"""Free text for the GM alone."""

STREAM: Final = Meta(extra={"names": "stream"})
"""A dice stream: narrows the object that holds it to the stream's own audience."""

DRAWS: Final = Meta(extra={"names": "draws"})
"""Draws whose faces an object tells: it is for those alone who may know every one of them."""

DECISION: Final = Meta(extra={"names": "decision"})
"""The id of an open decision: narrows the object that holds it to those who may know of it."""

BEARER: Final = Meta(extra={"names": "bearer"})
"""A nested combatant that stands for the whole: unseen, it takes its holder with it.

On an array: the holder goes only if all that it holds is unseen.
"""

ACTORS: Final = Meta(extra={"names": "actors"})
"""Combatants that act together, by their ids: each is known to those who may know it.

Only if all of them are unseen does the object that holds them go.
"""


SECRET: Final = Meta(extra={"names": "secret"})
"""A flag: where it is true, the whole object that holds it is the GM's."""


COUNTED: Final = Meta(extra={"names": "counted"})
"""What is counted, such as the rounds of a weapon: where it is stated, the whole object is for
those alone who may know the numbers (`NUMBERS`) of the combatant that the object names.
"""


CHOICE: Final = Meta(extra={"audience": "side", "of": "decision_id"})
"""The choice of an answer: the side's that is asked, until `decision_closed` states it."""


KEPT: Final = Meta(extra={"kept": True})
"""The rules that judge a player's action read the field as it is, whatever the player is shown.

For what a player feels without seeing it, and for what tells nothing where the rules read it.
"""


NEEDED: Final = Meta(extra={"needed": True})
"""Without it the rules can do nothing with the object: where it is hidden, the object is gone."""


def unseen(value: object) -> Meta:
    """What those rules read in a field that the player may not know, instead of its default."""
    return Meta(extra={"unseen": value})


def _id_named(role: str) -> Meta:
    """The bounds of an id, and what it is to the object that holds it."""
    return Meta(min_length=1, max_length=LONGEST_ID, pattern=ID_PATTERN, extra={"names": role})


SubjectId = Annotated[str, _id_named("subject")]
"""A reference to a combatant: narrows the audience of the object that holds it."""

MentionId = Annotated[str, _id_named("mention")]
"""A reference to a combatant that narrows only the field (or array element) it stands in."""

OtherId = Annotated[str, _id_named("other")]
"""As `SubjectId`, but the object's numbers are its holder's, not those of the one named."""

OwnId = Annotated[str, _id_named("own")]
"""The id of the combatant this very object describes (it holds `side` and `hidden` too)."""

UnitId = Annotated[str, _id_named("unit")]
"""A reference to a unit: narrows the object that holds it to those who know of any member."""

UnitMention = Annotated[str, _id_named("unit_mention")]
"""A reference to a unit that narrows only the field it stands in."""

RuleId = Annotated[str, Meta(min_length=1, max_length=40)]
"""A rule id of a catalogue, such as `CF-RANGE-1`."""

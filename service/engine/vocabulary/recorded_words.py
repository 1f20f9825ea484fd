"""Ids and words as facts record them: what clients send, without the check of its pattern.

How this works. What a client sends is held to a pattern when it comes in. Facts are made of that,
and whoever reads a log meets the same few ids again and again: there only type and length are
checked, while the pattern is published as ever. A fact that somebody forged is found by its hash,
or by deciding its event again.
"""

from typing import Annotated, get_args

import msgspec
from msgspec import Meta

from service.engine.visibility import audience
from service.engine.vocabulary import values


def _recorded(alias: object) -> Meta:
    """What an alias says of a text: published with its pattern, checked without."""
    [meta] = get_args(alias)[1:]
    return Meta(
        min_length=meta.min_length,
        max_length=meta.max_length,
        extra=meta.extra,
        extra_json_schema=msgspec.json.schema(alias),
    )


RecordedSubjectId = Annotated[str, _recorded(audience.SubjectId)]
RecordedMentionId = Annotated[str, _recorded(audience.MentionId)]
RecordedOtherId = Annotated[str, _recorded(audience.OtherId)]
RecordedUnitId = Annotated[str, _recorded(audience.UnitId)]
RecordedUnitMention = Annotated[str, _recorded(audience.UnitMention)]
RecordedSideId = Annotated[str, _recorded(values.SideId)]
RecordedSeatId = Annotated[str, _recorded(values.SeatId)]
RecordedDecisionId = Annotated[str, _recorded(values.DecisionId)]
RecordedFacing = Annotated[str, _recorded(values.Facing)]
RecordedWord = Annotated[str, _recorded(values.Word)]
RecordedDigest = Annotated[str, _recorded(values.Digest)]

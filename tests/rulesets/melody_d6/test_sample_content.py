"""The sample content against section 1.6 of the catalogue, which the examples state once more."""

from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.rulesets.melody_d6.content import Content
from service.rulesets.melody_d6.sample import SAMPLE
from tests.rulesets.melody_d6.examples import EXAMPLES


@pytest.mark.parametrize("part", ["weapons", "melodies", "templates", "mistake_tables"])
def test_the_sample_content_is_that_of_the_catalogue(part: str) -> None:
    stated = msgspec.convert(EXAMPLES.book.unless_said_otherwise.content, Content)
    bare: tuple[Any, ...] = getattr(SAMPLE, part)
    if part != "templates":
        assert all(each.name is not UNSET for each in bare)
        bare = tuple(replace(each, name=UNSET) for each in bare)
    assert bare == getattr(stated, part)

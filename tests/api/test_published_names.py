"""What 1.0.0 published is still there under the same names, however types are called in the code.

A line of the list is an operation, or a schema of one of the documents and its properties. The list
never changes: a later release may add one of its own.
"""

from pathlib import Path
from typing import Final

import pytest

from tests.api.published import ASYNCAPI, OPENAPI

PUBLISHED: Final = Path(__file__).with_name("published-1.0.0.txt")
LINES: Final = [line.split() for line in PUBLISHED.read_text(encoding="utf-8").splitlines()]
DOCUMENTS: Final = {"openapi": OPENAPI, "asyncapi": ASYNCAPI}


def test_every_operation_of_the_first_release_is_still_there() -> None:
    before = {(line[1], line[2]) for line in LINES if line[0] == "operation"}
    now = {
        (f"{method.upper()}:{path}", operation["operationId"])
        for path, methods in DOCUMENTS["openapi"]["paths"].items()
        for method, operation in methods.items()
    }
    assert len(before) == 41
    assert before <= now


@pytest.mark.parametrize(("name", "schemas"), [("openapi", 492), ("asyncapi", 228)])
def test_every_schema_of_the_first_release_still_has_its_name_and_its_properties(
    name: str, schemas: int
) -> None:
    before = {line[1]: set(line[2:]) for line in LINES if line[0] == name}
    now = DOCUMENTS[name]["components"]["schemas"]
    assert len(before) == schemas
    assert sorted(before.keys() - now.keys()) == []
    lost = {
        schema: sorted(properties - now[schema].get("properties", {}).keys())
        for schema, properties in before.items()
    }
    assert {schema: properties for schema, properties in lost.items() if properties} == {}

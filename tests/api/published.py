"""The published documents as they are committed; a test holds each to what the code makes."""

import json
from typing import Any, Final

from tests.house.tree import ROOT

OPENAPI: Final[dict[str, Any]] = json.loads((ROOT / "openapi" / "openapi.json").read_bytes())
ASYNCAPI: Final[dict[str, Any]] = json.loads((ROOT / "openapi" / "asyncapi.json").read_bytes())

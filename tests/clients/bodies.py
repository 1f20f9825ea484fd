"""The bodies that the documentation shows, as TypeScript that has to compile."""

import json
import re
from typing import Any, Final

from tests.api.examples import EXAMPLES
from tests.clients.tools import PROJECT

README: Final = PROJECT / "README.md"
_POSTED: Final = re.compile(r"^post (\S+) (\w+)", re.MULTILINE)
_PATHS: Final = {
    "create_encounter": "/v1/encounters",
    "act": "/v1/encounters/{encounter}/actions",
    "create_fork": "/v1/encounters/{encounter}/forks",
    "simulate": "/v1/encounters/{encounter}/forks/simulations",
    "check_map": "/v1/maps",
    "preview": "/v1/encounters/{encounter}/preview",
    "create_seat": "/v1/encounters/{encounter}/seats",
    "change_seat": "/v1/encounters/{encounter}/seats/{seat}",
    "change_timers": "/v1/encounters/{encounter}/timers",
    "join": "/v1/join",
    "audit_with_receipts": "/v1/encounters/{encounter}/audit",
}
"""Operation id -> where its bodies go."""
_PATCHED: Final = frozenset({"change_seat"})
_WITHOUT_KEY: Final = frozenset(
    _PATHS[each] for each in ("check_map", "preview", "join", "audit_with_receipts", "simulate")
)


def shown_in_readme() -> list[tuple[str, Any]]:
    """Path and body of every request that the README shows."""
    return [
        (f"/v1/{path.replace('$ENCOUNTER', '{encounter}')}", _body(name))
        for path, name in _POSTED.findall(README.read_text(encoding="utf-8"))
    ]


def creations_shown() -> list[Any]:
    """The battles that are played: the README's, and an example of each ruleset it has none of."""
    shown = [body for path, body in shown_in_readme() if path == _PATHS["create_encounter"]]
    first = {each["ruleset"]: each for each in shown}
    for example in EXAMPLES["create_encounter"]:
        first.setdefault(example.value["ruleset"], example.value)
    return list(first.values())


def typescript() -> str:
    """A module: every body in a separate call, and the creations by themselves."""
    calls = [("POST", path, body) for path, body in shown_in_readme()]
    for operation, examples in EXAMPLES.items():
        method = "PATCH" if operation in _PATCHED else "POST"
        calls += [(method, _PATHS[operation], example.value) for example in examples]
    creations = creations_shown()
    named = "\n".join(
        f'const creation{at}: components["schemas"]["CreateRequest"] = {_written(body)};'
        for at, body in enumerate(creations)
    )
    sent = "\n".join(
        f'  await client.{method}("{path}", {{ params: {_parameters(path)},'
        f" body: {_written(body)} }});"
        for method, path, body in calls
    )
    listed = ", ".join(f"creation{at}" for at in range(len(creations)))
    return (
        'import type { Client } from "openapi-fetch";\n'
        'import type { components, paths } from "./api.d.ts";\n\n'
        f"{named}\nexport const creations = [{listed}];\n\n"
        "export async function documented(client: Client<paths>): Promise<void> {\n"
        f"{sent}\n}}\n"
    )


def _body(name: str) -> Any:
    return json.loads((PROJECT / "openapi" / "examples" / f"{name}.json").read_bytes())


def _written(body: Any) -> str:
    return json.dumps(body, ensure_ascii=False)


def _parameters(path: str) -> str:
    named = ", ".join(f'{name}: "x"' for name in re.findall(r"\{(\w+)\}", path))
    header = "{}" if path in _WITHOUT_KEY else '{ "Idempotency-Key": "k" }'
    return f"{{ path: {{ {named} }}, header: {header} }}" if named else f"{{ header: {header} }}"

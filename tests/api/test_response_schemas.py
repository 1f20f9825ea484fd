"""What the service answers in real battles is what the document says it is."""

from typing import Any

import jsonschema_rs
import pytest

from service.rulesets import RULESETS
from tests.api.examples import EXAMPLES
from tests.api.published import OPENAPI
from tests.api.serving import START, Caller

STEPS = 25
KINDS = ("EncounterView", "LegalAnswer", "ActionsAnswer", "PreviewAnswer")


def validator(name: str) -> jsonschema_rs.Draft202012Validator:
    """What says whether something is of a component; unknown fields are errors too."""
    schemas = {key: strict(schema) for key, schema in OPENAPI["components"]["schemas"].items()}
    return jsonschema_rs.Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
    )


def strict(schema: Any) -> Any:
    """The same schema, but that it takes no unknown fields where it names some."""
    if isinstance(schema, dict):
        inner = {
            key: strict(value) if key not in {"const", "enum", "default", "examples"} else value
            for key, value in schema.items()
        }
        named = isinstance(schema.get("properties"), dict) and schema.get("type") == "object"
        return {"additionalProperties": False, **inner} if named else inner
    return [strict(each) for each in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize("name", sorted({slug.replace("-", "_") for slug, _ in RULESETS}))
def test_every_answer_of_a_battle_is_of_its_component(caller: Caller, name: str) -> None:
    fits = {each: validator(each) for each in KINDS}
    [creation] = [each.value for each in EXAMPLES["create_encounter"] if each.name == name]
    encounter = caller.create(creation)
    foreseen: list[dict[str, Any]] = []
    fits["ActionsAnswer"].validate(caller.act(encounter, START))
    for step in range(STEPS):
        view = caller.get(encounter).json()
        fits["EncounterView"].validate(view)
        asked = [each["combatant"] for each in view["decisions"] if "combatant" in each]
        combatant = asked[0] if asked else view["state"].get("turn")
        goes_on = combatant is not None or "turn_side" in view["state"] or view["decisions"]
        if not goes_on or view["state"]["status"] != "running":
            assert step > 3
            break
        who = f"combatant={combatant}&" if combatant else ""
        path = f"{encounter}/legal-actions?{who}sample=1"
        legal = caller.get(path).json()
        fits["LegalAnswer"].validate(legal)
        preview = caller.post(f"{encounter}/preview", {"action": legal["samples"][0]})
        if preview.status_code == 200:
            foreseen.append(preview.json())
            fits["PreviewAnswer"].validate(foreseen[-1])
        fits["ActionsAnswer"].validate(caller.act(encounter, legal["samples"][0]))
    assert any(each["facts"] for each in foreseen)
    page = caller.get(f"{encounter}/events").json()
    validator("EventPage").validate(page)

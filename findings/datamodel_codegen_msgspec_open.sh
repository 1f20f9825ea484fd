#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: datamodel-code-generator 0.89.0 (PyPI), msgspec 0.23.0 (PyPI), pydantic 2.14.4 (PyPI)
# Expected: models of both kinds refuse a field that `additionalProperties: false` forbids, and
#   write back what the document allows.
# Seen: the pydantic models refuse it, the msgspec Structs drop it in silence. An optional
#   integer with a default is `int | None` in pydantic, so `None` is taken and written as `null`,
#   which the document forbids.
# Why it matters: a misspelled field of an action is lost before the service can refuse it by
#   name. A `null` in place of a default is refused; `exclude_none=True` leaves it out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check \
  datamodel-code-generator==0.89.0 msgspec==0.23.0 pydantic==2.14.4

cat > document.json <<'END'
{
  "openapi": "3.1.0",
  "info": {"title": "table", "version": "1"},
  "paths": {
    "/events": {
      "get": {
        "operationId": "events",
        "responses": {
          "200": {
            "description": "all",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Events"}}}
          }
        }
      }
    }
  },
  "components": {
    "schemas": {
      "Events": {"type": "array", "items": {"$ref": "#/components/schemas/Event"}},
      "Event": {
        "oneOf": [{"$ref": "#/components/schemas/Moved"}, {"$ref": "#/components/schemas/Hit"}],
        "discriminator": {
          "propertyName": "type",
          "mapping": {
            "moved": "#/components/schemas/Moved",
            "hit": "#/components/schemas/Hit"
          }
        }
      },
      "Moved": {
        "type": "object",
        "required": ["type", "x"],
        "additionalProperties": false,
        "properties": {"type": {"const": "moved"}, "x": {"type": "integer"}}
      },
      "Hit": {
        "type": "object",
        "required": ["type", "damage"],
        "additionalProperties": false,
        "properties": {
          "type": {"const": "hit"},
          "damage": {"type": "integer"},
          "shots": {"type": "integer", "default": 1}
        }
      }
    }
  }
}
END

cat > run.py <<'END'
import json

import msgspec
import pydantic_models
import pydantic
import structs

hit = {"type": "hit", "damage": 3, "shot": 2}
try:
    pydantic_models.Hit.model_validate(hit)
except pydantic.ValidationError as error:
    print("pydantic:", error.errors()[0]["type"])
print("msgspec: ", msgspec.json.decode(json.dumps(hit), type=structs.Hit))
print("pydantic:", pydantic_models.Hit(type="hit", damage=3, shots=None).model_dump_json())
try:
    msgspec.json.decode(b'{"type": "hit", "damage": 3, "shots": null}', type=structs.Hit)
except msgspec.ValidationError as error:
    print("msgspec: ", error)
END

seen=$(for kind in pydantic_v2.BaseModel:pydantic_models msgspec.Struct:structs; do
  venv/bin/datamodel-codegen --input document.json --input-file-type openapi \
    --output-model-type "${kind%%:*}" --output "${kind##*:}.py" \
    --formatters builtin > log 2>&1 || exit 1
done
venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
pydantic: extra_forbidden
msgspec:  Hit(damage=3, shots=1)
pydantic: {"type":"hit","damage":3,"shots":null}
msgspec:  Expected `int`, got `null` - at `$.shots`
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: the generated models differ"
  exit 1
fi

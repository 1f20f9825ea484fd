#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: openapi-python-client 0.29.1 (PyPI), httpx 0.28.1 (PyPI), attrs 26.1.0 (PyPI),
#   python-dateutil 4.0.0 (PyPI)
# Expected: the generated client reads a tagged union by its discriminator: the tag names the
#   class, and a fault is reported for that class.
# Seen: it tries the classes in order and reports what the last one says: a `moved` without its
#   field is called a wrong `hit`. One event with a new tag makes the whole list unreadable.
# Why it matters: effects of events are a tagged union, and releases add effects. One new effect
#   in a battle hides every event of the page from a client generated before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check \
  openapi-python-client==0.29.1 httpx==0.28.1 attrs==26.1.0 python-dateutil==4.0.0

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
import httpx
from table_client import Client
from table_client.api.default import events

ANSWERS = (
    [{"type": "moved", "x": 1}, {"type": "hit", "damage": 3}],
    [{"type": "moved"}],
    [{"type": "moved", "x": 1}, {"type": "healed", "points": 2}],
)
for answer in ANSWERS:
    transport = httpx.MockTransport(lambda request, answer=answer: httpx.Response(200, json=answer))
    client = Client(base_url="http://table.example", httpx_args={"transport": transport})
    try:
        read = [type(event).__name__ for event in events.sync(client=client)]
    except ValueError as error:
        read = str(error)
    print([event["type"] for event in answer], "->", read)
END

seen=$((venv/bin/openapi-python-client generate --path document.json \
  --output-path client --meta none --overwrite > log 2>&1 || true)
mv client table_client && venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
['moved', 'hit'] -> ['Moved', 'Hit']
['moved'] -> type must match const 'hit', got 'moved'
['moved', 'healed'] -> type must match const 'hit', got 'healed'
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: the generated client reads unions otherwise"
  exit 1
fi

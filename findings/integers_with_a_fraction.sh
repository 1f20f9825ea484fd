#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: msgspec 0.23.0 (PyPI), jsonschema 4.26.0 (PyPI), fastjsonschema 2.22.3 (PyPI)
# Expected: `1.0` and `1e2` are integers to JSON Schema and to msgspec alike.
# Seen: both validators accept them, as JSON Schema says, and msgspec refuses every number with a
#   fraction or an exponent where an `int` is wanted.
# Why it matters: a body that its sender checked against the published document is refused with
#   400 when its language writes 5.0 for 5. The refusal names the field.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check \
  msgspec==0.23.0 jsonschema==4.26.0 fastjsonschema==2.22.3

cat > run.py <<'END'
import json

import fastjsonschema
import jsonschema
import msgspec

SCHEMA = {"type": "integer"}
CHECKS = {
    "jsonschema": lambda text: jsonschema.validate(json.loads(text), SCHEMA),
    "fastjsonschema": lambda text: fastjsonschema.compile(SCHEMA)(json.loads(text)),
    "msgspec": lambda text: msgspec.json.decode(text, type=int),
}
REFUSALS = (
    jsonschema.ValidationError,
    fastjsonschema.JsonSchemaValueException,
    msgspec.ValidationError,
)
for text in ("5", "5.0", "5e0", "-0.0", "5.5"):
    verdicts = []
    for name, check in CHECKS.items():
        try:
            check(text)
        except REFUSALS:
            verdicts.append(f"{name} refuses")
        else:
            verdicts.append(f"{name} accepts")
    print(text.ljust(5), ", ".join(verdicts))
END

seen=$(venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
5     jsonschema accepts, fastjsonschema accepts, msgspec accepts
5.0   jsonschema accepts, fastjsonschema accepts, msgspec refuses
5e0   jsonschema accepts, fastjsonschema accepts, msgspec refuses
-0.0  jsonschema accepts, fastjsonschema accepts, msgspec refuses
5.5   jsonschema refuses, fastjsonschema refuses, msgspec refuses
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: integers are accepted or refused otherwise"
  exit 1
fi

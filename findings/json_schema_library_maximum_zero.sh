#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: json-schema-library 11.6.2 (npm), ajv 8.20.0 (npm)
# Expected: `maximum: 0` refuses 1.
# Seen: json-schema-library takes any number: a maximum of 0 counts as none. It minds a maximum of
#   1 or -1 and 0 in all other limits.
# Why it matters: penalties are numbers up to 0, and the contract says so. A form that checks by
#   this library lets a bonus through, which the service then refuses by name.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund json-schema-library@11.6.2 ajv@8.20.0

cat > run.mjs <<'END'
import Ajv from "ajv/dist/2020.js";
import { compileSchema } from "json-schema-library";

const $schema = "https://json-schema.org/draft/2020-12/schema";
const cases = [
  [{ maximum: 1 }, 2],
  [{ maximum: 0 }, 1],
  [{ maximum: -1 }, 0],
  [{ minimum: 0 }, -1],
  [{ exclusiveMaximum: 0 }, 0],
  [{ exclusiveMinimum: 0 }, 0],
  [{ maxLength: 0 }, "a"],
  [{ maxItems: 0 }, [1]],
  [{ maxProperties: 0 }, { a: 1 }],
];
for (const [limit, value] of cases) {
  const ajv = new Ajv.default({ strict: false }).compile(limit)(value);
  const other = compileSchema({ $schema, ...limit }).validate(value).valid;
  const text = `${JSON.stringify(limit)} ${JSON.stringify(value)}`;
  console.log(text.padEnd(26), "ajv", ajv, "json-schema-library", other);
}
END

seen=$(node run.mjs)
echo "$seen"
expected=$(cat <<'END'
{"maximum":1} 2            ajv false json-schema-library false
{"maximum":0} 1            ajv false json-schema-library true
{"maximum":-1} 0           ajv false json-schema-library false
{"minimum":0} -1           ajv false json-schema-library false
{"exclusiveMaximum":0} 0   ajv false json-schema-library false
{"exclusiveMinimum":0} 0   ajv false json-schema-library false
{"maxLength":0} "a"        ajv false json-schema-library false
{"maxItems":0} [1]         ajv false json-schema-library false
{"maxProperties":0} {"a":1} ajv false json-schema-library false
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other limits are minded"
  exit 1
fi

#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: @exodus/schemasafe 1.3.0 (npm), ajv 8.20.0 (npm)
# Expected: a union with `discriminator` compiles, whichever schema refers to it, if each member
#   requires the tag.
# Seen: schemasafe refuses every schema that reaches a member before the union, when the member
#   itself holds the union: the tag is said to be missing in `required`, where it is. The union as
#   the root compiles.
# Why it matters: an action may hold actions, a state the event that began it. 5 of the 1,163
#   schemas of the contract are refused for this. Without `discriminator`, which adds nothing to a
#   `oneOf` of constant tags, they compile.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund @exodus/schemasafe@1.3.0 ajv@8.20.0

cat > run.mjs <<'END'
import Ajv from "ajv/dist/2020.js";
import schemasafe from "@exodus/schemasafe";

const tagged = (tag, more) => ({
  type: "object", required: ["type"], properties: { type: { const: tag }, ...more },
});
const $defs = {
  Action: {
    oneOf: [{ $ref: "#/$defs/Wait" }, { $ref: "#/$defs/Move" }],
    discriminator: { propertyName: "type" },
  },
  Wait: tagged("wait", { until: { $ref: "#/$defs/Action" } }),
  Move: tagged("move"),
};
const roots = {
  "the union": { $ref: "#/$defs/Action" },
  "a member without the union": { $ref: "#/$defs/Move" },
  "a member with the union": { $ref: "#/$defs/Wait" },
  "a field with the member": { properties: { first: { $ref: "#/$defs/Wait" } } },
};
for (const [name, root] of Object.entries(roots)) {
  for (const [library, compile] of Object.entries({
    ajv: (schema) => new Ajv.default({ strict: false, discriminator: true }).compile(schema),
    schemasafe: (schema) => schemasafe.validator(schema, { mode: "lax" }),
  })) {
    let outcome = "compiles";
    try {
      compile({ ...root, $defs });
    } catch (error) {
      outcome = `refused: ${error.message.slice(17, 59)}`;
    }
    console.log(`${library}, ${name}: ${outcome}`);
  }
}
END

seen=$(node run.mjs)
echo "$seen"
expected=$(cat <<'END'
ajv, the union: compiles
schemasafe, the union: compiles
ajv, a member without the union: compiles
schemasafe, a member without the union: compiles
ajv, a member with the union: compiles
schemasafe, a member with the union: refused: propertyName should be placed in required:
ajv, a field with the member: compiles
schemasafe, a field with the member: refused: propertyName should be placed in required:
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other schemas compile"
  exit 1
fi

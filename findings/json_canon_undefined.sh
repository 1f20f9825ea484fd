#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: json-canon 1.0.1 (npm), canonicalize 5.1.0 (npm)
# Expected: a field that is undefined is left out of the canonical text, as JSON.stringify and
#   canonicalize leave it out.
# Seen: where it is the first of the sorted names, json-canon leaves the field out and the comma in,
#   so the text is no JSON. For values that JSON has both libraries write the same.
# Why it matters: an optional field of an event that a client did not get is undefined in its
#   object. The hash over such a text is one that nobody else computes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund json-canon@1.0.1 canonicalize@5.1.0

cat > run.mjs <<'END'
import canon from "json-canon";
import canonicalizeModule from "canonicalize";

const canonicalize = canonicalizeModule.default ?? canonicalizeModule;
for (const value of [
  { seq: 7, by: "mara", dice: [1e21, 1e-7, -0] },
  { seq: 7, by: undefined },
  { seq: undefined, by: "mara" },
  { by: "mara", dice: [undefined] },
]) {
  console.log("canonicalize", canonicalize(value), "json-canon", canon(value));
}
END

seen=$(node run.mjs)
echo "$seen"
expected=$(cat <<'END'
canonicalize {"by":"mara","dice":[1e+21,1e-7,0],"seq":7} json-canon {"by":"mara","dice":[1e+21,1e-7,0],"seq":7}
canonicalize {"seq":7} json-canon {,"seq":7}
canonicalize {"by":"mara"} json-canon {"by":"mara"}
canonicalize {"by":"mara","dice":[null]} json-canon {"by":"mara","dice":[null]}
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other texts are written"
  exit 1
fi

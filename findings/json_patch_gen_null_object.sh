#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: json-patch-gen 1.0.2 (npm), d2l-json-patch-gen 1.1.0 (npm), fast-json-patch 3.1.1 (npm)
# Expected: a field that changes between null and an object is replaced by the patch.
# Seen: json-patch-gen sees no change between null and an empty object, in either direction, and
#   raises a TypeError when null becomes an object with fields. The fork d2l-json-patch-gen makes
#   the right patches.
# Why it matters: a target or an effect that was null until now is such a field. The service makes
#   its patches itself and compares the texts of values.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund \
  json-patch-gen@1.0.2 d2l-json-patch-gen@1.1.0 fast-json-patch@3.1.1

cat > run.cjs <<'END'
const { applyPatch } = require("fast-json-patch");

for (const name of ["d2l-json-patch-gen", "json-patch-gen"]) {
  const compare = require(name);
  for (const [before, after] of [[{}, null], [null, []], [null, {}], [null, { id: "orc" }]]) {
    const change = `${JSON.stringify(before)} to ${JSON.stringify(after)}`;
    try {
      const patch = compare({ target: before }, { target: after });
      const { newDocument } = applyPatch({ target: before }, patch);
      console.log(name, change, "gives", JSON.stringify(newDocument.target));
    } catch (error) {
      console.log(name, change, "raises", error.name);
    }
  }
}
END

seen=$(node run.cjs)
echo "$seen"
expected=$(cat <<'END'
d2l-json-patch-gen {} to null gives null
d2l-json-patch-gen null to [] gives []
d2l-json-patch-gen null to {} gives {}
d2l-json-patch-gen null to {"id":"orc"} gives {"id":"orc"}
json-patch-gen {} to null gives {}
json-patch-gen null to [] gives []
json-patch-gen null to {} gives null
json-patch-gen null to {"id":"orc"} raises TypeError
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other patches are made"
  exit 1
fi

#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: just-diff 6.0.2 (npm), fast-json-patch 3.1.1 (npm)
# Expected: `diff(a, b, jsonPatchPathConverter)` gives a JSON Patch that turns a into b in
#   another library.
# Seen: names with `/` or `~` are not escaped: `~1` creates the member `/`, `a/b` is refused
#   because `a` is missing.
# Why it matters: a name with such a sign ends up elsewhere in the document, or the patch is
#   refused. Patches of the service escape both signs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund just-diff@6.0.2 fast-json-patch@3.1.1

cat > run.cjs <<'END'
const { diff, jsonPatchPathConverter } = require("just-diff");
const { applyPatch } = require("fast-json-patch");

for (const name of ["plain", "a/b", "m~n", "~1"]) {
  const patch = diff({}, { [name]: 1 }, jsonPatchPathConverter);
  let after;
  try {
    after = JSON.stringify(applyPatch({}, patch, true).newDocument);
  } catch (error) {
    after = error.name;
  }
  console.log(name.padEnd(6), JSON.stringify(patch), after);
}
END

seen=$(node run.cjs)
echo "$seen"
expected=$(cat <<'END'
plain  [{"op":"add","path":"/plain","value":1}] {"plain":1}
a/b    [{"op":"add","path":"/a/b","value":1}] OPERATION_PATH_CANNOT_ADD
m~n    [{"op":"add","path":"/m~n","value":1}] {"m~n":1}
~1     [{"op":"add","path":"/~1","value":1}] {"/":1}
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: paths of a patch are written otherwise"
  exit 1
fi

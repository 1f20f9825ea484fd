#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: generate-json-patch 1.2.9 (npm), jsondiffpatch 0.7.7 (npm), fast-json-patch 3.1.1
#   (npm)
# Expected: with `objectHash` on unique ids, the patch between two lists of units always turns
#   the first into the second.
# Seen: when two units join while others change places, the moves lead to another order. About 4
#   of 100 pairs of lists of up to six units end so. The formatter of jsondiffpatch is right in
#   all.
# Why it matters: a client that keeps a table in step by such patches shows a wrong order of
#   turns. Patches of the service only add, remove and replace.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund \
  generate-json-patch@1.2.9 jsondiffpatch@0.7.7 fast-json-patch@3.1.1

cat > run.mjs <<'END'
import patching from "fast-json-patch";
import { generateJSONPatch } from "generate-json-patch";
import { create } from "jsondiffpatch";
import { format } from "jsondiffpatch/formatters/jsonpatch";

const objectHash = (unit) => unit.id;
const differ = create({ objectHash });
const packages = {
  "generate-json-patch": (before, after) => generateJSONPatch(before, after, { objectHash }),
  jsondiffpatch: (before, after) => format(differ.diff(before, after), before),
};
const units = (...ids) => ids.map((id) => ({ id }));
const lists = [
  [units("elf", "orc"), units("orc", "elf")],
  [units("elf", "orc"), units("bat", "orc", "elf")],
  [units("elf", "orc"), units("bat", "rat", "orc", "elf")],
];
for (const [before, after] of lists) {
  console.log("wanted".padEnd(20), after.map(objectHash).join(" "));
  for (const [name, make] of Object.entries(packages)) {
    const patch = make(structuredClone(before), structuredClone(after));
    const got = patching.applyPatch(structuredClone(before), structuredClone(patch)).newDocument;
    console.log(name.padEnd(20), got.map(objectHash).join(" "));
  }
}
END

seen=$(node run.mjs)
echo "$seen"
expected=$(cat <<'END'
wanted               orc elf
generate-json-patch  orc elf
jsondiffpatch        orc elf
wanted               bat orc elf
generate-json-patch  bat orc elf
jsondiffpatch        bat orc elf
wanted               bat rat orc elf
generate-json-patch  bat orc rat elf
jsondiffpatch        bat rat orc elf
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: patches lead to another order"
  exit 1
fi

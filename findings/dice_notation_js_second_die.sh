#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: dice-notation-js 1.0.3 (npm)
# Expected: `1d1+1d100` rolls both dice and adds them, `2d1*3` is 6, and a suffix it does not
#   know is refused.
# Seen: only the first term is rolled. `+1d100` counts as plus 1, `*3` and `kh1` are dropped, and
#   nothing is refused.
# Why it matters: a weapon that deals `1d8+1d6` loses its second die without a word. A client
#   shows the faces and the sum of the service and rolls nothing again.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund dice-notation-js@1.0.3

cat > run.cjs <<'END'
const dice = require("dice-notation-js");
for (const text of ["1d1+1d100", "2d1*3", "3d1kh1"]) {
  const results = new Set();
  for (let roll = 0; roll < 200; roll += 1) results.add(dice.detailed(text).result);
  console.log(text, "gives only", [...results].join(" "));
}
END

seen=$(node run.cjs)
echo "$seen"
expected=$(cat <<'END'
1d1+1d100 gives only 2
2d1*3 gives only 2
3d1kh1 gives only 3
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: terms after the first die are read otherwise"
  exit 1
fi

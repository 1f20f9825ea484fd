#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: @3d-dice/dice-roller-parser 0.2.6 (npm)
# Expected: `-1d6` is the negative of one die and `5+-1d6` is 5 minus one die.
# Seen: a die behind a sign counts as 0: `-1d6` is 0 and `5+-1d6` is 5. `5-1d6` subtracts the
#   die, and a sign before a plain number works.
# Why it matters: a penalty die written with a sign, as a modifier often is, vanishes from the
#   total.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund @3d-dice/dice-roller-parser@0.2.6

cat > run.cjs <<'END'
const { DiceRoller } = require("@3d-dice/dice-roller-parser");
const roller = new DiceRoller(() => 0.5); // a d6 always shows 4
for (const text of ["5-1d6", "-1d6", "5+-1d6", "-1d6+10", "5+-4"]) {
  console.log(text, "=", roller.roll(text).value);
}
END

seen=$(node run.cjs)
echo "$seen"
expected=$(cat <<'END'
5-1d6 = 1
-1d6 = 0
5+-1d6 = 5
-1d6+10 = 10
5+-4 = 1
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: a die behind a sign counts otherwise"
  exit 1
fi

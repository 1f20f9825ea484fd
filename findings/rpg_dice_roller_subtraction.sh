#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: @dice-roller/rpg-dice-roller 5.5.1 (npm)
# Expected: the least total of `2d6-1d4` is -2 (2 minus 4), the greatest 11 (12 minus 1).
# Seen: least 1 and greatest 8: the least of both sides and the greatest of both sides are
#   subtracted. Rolled totals leave that range.
# Why it matters: `minTotal` and `maxTotal` look like bounds to check a supplied total by. A true
#   roll of 10 would be refused.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund @dice-roller/rpg-dice-roller@5.5.1

cat > run.cjs <<'END'
const { DiceRoll } = require("@dice-roller/rpg-dice-roller");
for (const text of ["2d6-1d4", "1d20-1d20", "10-1d10"]) {
  const roll = new DiceRoll(text);
  const totals = Array.from({ length: 3000 }, () => new DiceRoll(text).total);
  const outside = totals.some((total) => total < roll.minTotal || total > roll.maxTotal);
  console.log(text, "least", roll.minTotal, "greatest", roll.maxTotal, "left by rolls:", outside);
}
END

seen=$(node run.cjs)
echo "$seen"
expected=$(cat <<'END'
2d6-1d4 least 1 greatest 8 left by rolls: true
1d20-1d20 least 0 greatest 0 left by rolls: true
10-1d10 least 9 greatest 0 left by rolls: true
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: the bounds of a difference are computed otherwise"
  exit 1
fi

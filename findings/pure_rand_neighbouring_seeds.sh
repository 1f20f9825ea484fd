#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: pure-rand 8.4.2 (npm)
# Expected: the first rolls of neighbouring seeds have nothing to do with each other in any of
#   the four generators.
# Seen: xorshift128plus and xoroshiro128plus count down: the first d20 of seeds 1, 2, 3 ... is 7,
#   6, 5, 4, 3, 2, 1, 20, 19 ... Mersenne and congruential are mixed.
# Why it matters: a tool that seeds each battle with its number gives every first die away. The
#   service derives each draw by HMAC from a seed of 32 bytes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund pure-rand@8.4.2

cat > run.mjs <<'END'
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { congruential32 } from "pure-rand/generator/congruential32";
import { mersenne } from "pure-rand/generator/mersenne";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { xorshift128plus } from "pure-rand/generator/xorshift128plus";

const generators = { congruential32, mersenne, xorshift128plus, xoroshiro128plus };
for (const [name, seeded] of Object.entries(generators)) {
  const first = Array.from({ length: 24 }, (_, index) => uniformInt(seeded(index + 1), 1, 20));
  console.log(name.padEnd(16), first.join(" "));
}
END

seen=$(node run.mjs)
echo "$seen"
expected=$(cat <<'END'
congruential32   3 19 11 4 20 4 4 20 12 9 1 9 17 1 1 6 14 2 6 10 14 19 11 19
mersenne         14 17 19 3 20 3 4 16 19 10 10 12 11 8 5 10 8 19 14 4 2 18 4 7
xorshift128plus  7 6 5 4 3 2 1 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4
xoroshiro128plus 7 6 5 4 3 2 1 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: first rolls of neighbouring seeds differ from those seen"
  exit 1
fi

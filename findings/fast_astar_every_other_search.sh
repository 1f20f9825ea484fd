#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: fast-astar 2.0.2 (npm)
# Expected: `rightAngle: true` gives a way without diagonals on a map of any size, and the same
#   search on the same map gives the same way.
# Seen: up to 100 by 100 cells both hold. From 101 by 101 cells the library changes to WebAssembly
#   by itself: `rightAngle` is ignored, and every other search returns null, the first one too,
#   although the map is empty.
# Why it matters: a client that was tried on a small map offers diagonal steps that the rules do
#   not have on a large one, and says "no way" at every second click. The price of a move and
#   whether it is possible come from the preview of the service.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund fast-astar@2.0.2

cat > run.mjs <<'END'
const print = console.log;
console.log = () => {};
const { Grid, Astar } = await import("fast-astar");
for (const size of [100, 101]) {
  const finder = new Astar(new Grid({ col: size, row: size }));
  for (let search = 1; search <= 4; search += 1) {
    const way = await finder.search([0, 0], [2, 2], { rightAngle: true });
    print(size, "search", search, JSON.stringify(way));
  }
}
END

seen=$(node run.mjs)
echo "$seen"
expected=$(cat <<'END'
100 search 1 [[0,0],[1,0],[1,1],[1,2],[2,2]]
100 search 2 [[0,0],[1,0],[1,1],[1,2],[2,2]]
100 search 3 [[0,0],[1,0],[1,1],[1,2],[2,2]]
100 search 4 [[0,0],[1,0],[1,1],[1,2],[2,2]]
101 search 1 null
101 search 2 [[0,0],[1,1],[2,2]]
101 search 3 null
101 search 4 [[0,0],[1,1],[2,2]]
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other ways are found"
  exit 1
fi

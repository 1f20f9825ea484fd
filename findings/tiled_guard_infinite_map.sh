#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: @workadventure/tiled-map-type-guard 2.1.2 (npm)
# Expected: every map that Tiled saves as JSON passes the guard, also an infinite one, whose layers
#   hold `chunks` in place of `data`.
# Seen: an infinite map is refused, since `data` is required, although the guard knows `chunks`.
#   With an empty `data` next to the chunks it passes. The oblique orientation of Tiled 1.12 is
#   refused, the other four pass.
# Why it matters: a map that is drawn outward from a first room is infinite in Tiled. A reader of
#   battle maps reads the chunks and subtracts the lowest `startx` and `starty`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund @workadventure/tiled-map-type-guard@2.1.2

cat > run.mjs <<'END'
import { ITiledMap } from "@workadventure/tiled-map-type-guard";

const map = {
  type: "map", version: "1.10", tiledversion: "1.12.0", orientation: "orthogonal",
  renderorder: "right-down", width: 16, height: 16, tilewidth: 32, tileheight: 32,
  infinite: false, nextlayerid: 2, nextobjectid: 1, compressionlevel: -1, tilesets: [], layers: [],
};
const data = Array(256).fill(1);
const layer = {
  id: 1, name: "floor", type: "tilelayer", x: 0, y: 0, width: 16, height: 16, opacity: 1,
  visible: true,
};
const chunks = [{ x: -16, y: 0, width: 16, height: 16, data }];
const infinite = { ...layer, startx: -16, starty: 0, chunks };
const maps = {
  "bounded": { ...map, layers: [{ ...layer, data }] },
  "infinite": { ...map, infinite: true, layers: [infinite] },
  "infinite with empty data": { ...map, infinite: true, layers: [{ ...infinite, data: [] }] },
};
for (const orientation of ["isometric", "staggered", "hexagonal", "oblique"]) {
  maps[orientation] = { ...map, orientation };
}
for (const [name, each] of Object.entries(maps)) {
  console.log(`${name}: ${ITiledMap.safeParse(each).success ? "passes" : "refused"}`);
}
END

seen=$(node run.mjs)
echo "$seen"
expected=$(cat <<'END'
bounded: passes
infinite: refused
infinite with empty data: passes
isometric: passes
staggered: passes
hexagonal: passes
oblique: refused
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other maps pass"
  exit 1
fi

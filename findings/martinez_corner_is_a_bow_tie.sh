#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: martinez-polygon-clipping 0.8.1 (npm), polygon-clipping 0.15.7 (npm)
# Expected: the union of two squares that share one corner is two polygons of area 1 each,
#   whichever corner it is.
# Seen: polygon-clipping says so. martinez does for the corner between south-west and north-east;
#   for the other one it returns a single ring in the form of an 8. Its halves turn in opposite
#   directions, so the area by the shoelace formula is 0.
# Why it matters: two pieces of fog or two rooms that meet at a corner are usual on square maps.
#   An area by the shoelace formula loses them, and a checker of GeoJSON refuses the ring.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund \
  martinez-polygon-clipping@0.8.1 polygon-clipping@0.15.7

cat > run.mjs <<'END'
import * as martinez from "martinez-polygon-clipping";
import polygonClipping from "polygon-clipping";

const square = (x, y) => [[[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1], [x, y]]];
const area = (ring) => Math.abs(ring.slice(1).reduce(
  (sum, [x, y], index) => sum + ring[index][0] * y - x * ring[index][1], 0) / 2);

for (const [name, { union }] of Object.entries({ polygonClipping, martinez })) {
  for (const [corner, other] of [["north-east", square(1, 1)], ["north-west", square(-1, 1)]]) {
    const polygons = union(square(0, 0), other);
    console.log(name, corner, "areas", ...polygons.map(([ring]) => area(ring)));
  }
}
END

seen=$(node run.mjs)
echo "$seen"
expected=$(cat <<'END'
polygonClipping north-east areas 1 1
polygonClipping north-west areas 1 1
martinez north-east areas 1 1
martinez north-west areas 0
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: the union has other polygons"
  exit 1
fi

#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: honeycomb-grid 4.1.5 (npm), hex-grid 0.7.1 (PyPI)
# Expected: the ring of radius 0 is the centre, as the filled area of radius 0 is.
# Seen: both libraries give an empty ring, while their filled area of radius 0 holds the centre.
# Why it matters: a blast of radius 0 hits the creature in its own hex or nobody, depending on
#   which of two functions a client calls.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund honeycomb-grid@4.1.5
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check hex-grid==0.7.1

cat > run.cjs <<'END'
const { Grid, defineHex, ring, spiral } = require("honeycomb-grid");
const Hex = defineHex();
const cells = (traverser) => new Grid(Hex, traverser).toArray().length;
for (const radius of [0, 1]) {
  console.log("honeycomb-grid ring", radius, cells(ring({ center: [0, 0], radius })), "hexes");
  console.log("honeycomb-grid area", radius, cells(spiral({ start: [0, 0], radius })), "hexes");
}
END

cat > run.py <<'END'
from hex_grid import Hex, hexes_at_range, hexes_within_range

centre = Hex((0, 0, 0))
for radius in (0, 1):
    print("hex-grid ring", radius, len(hexes_at_range(centre, radius)), "hexes")
    print("hex-grid area", radius, len(hexes_within_range(centre, radius)), "hexes")
END

seen=$(node run.cjs && venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
honeycomb-grid ring 0 0 hexes
honeycomb-grid area 0 1 hexes
honeycomb-grid ring 1 6 hexes
honeycomb-grid area 1 7 hexes
hex-grid ring 0 0 hexes
hex-grid area 0 1 hexes
hex-grid ring 1 6 hexes
hex-grid area 1 7 hexes
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: rings or areas hold other hexes"
  exit 1
fi

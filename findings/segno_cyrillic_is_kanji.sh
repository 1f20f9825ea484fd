#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: jsqr 1.4.0 (npm), segno 1.6.6 (PyPI)
# Expected: Russian text in a QR code is stored as bytes of UTF-8; text and address together as
#   well, and a reader gives back what was written.
# Seen: a Russian word alone is stored in Kanji mode, since Shift JIS has Cyrillic letters.
#   Behind an address it is stored as bytes of Shift JIS without a mark, and jsQR gives back an
#   empty text. With `encoding="utf-8"` both are read.
# Why it matters: a link with a Russian name in it is lost to a reader that knows UTF-8 only. Join
#   links of the service are ASCII.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund jsqr@1.4.0
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check segno==1.6.6

cat > write.py <<'END'
import json
import sys

import segno

code = segno.make_qr(sys.argv[1], encoding=sys.argv[2] if len(sys.argv) > 2 else None)
print(json.dumps({"mode": code.mode, "rows": [list(row) for row in code.matrix]}))
END

cat > run.cjs <<'END'
const { execFileSync } = require("node:child_process");
const jsqr = require("jsqr");

const QUIET = 4;
const SCALE = 4;

function read(rows) {
  const width = (rows.length + 2 * QUIET) * SCALE;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (let y = 0; y < width; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const row = rows[Math.floor(y / SCALE) - QUIET];
      const pixel = (y * width + x) * 4;
      if (row && row[Math.floor(x / SCALE) - QUIET]) pixels.fill(0, pixel, pixel + 3);
    }
  }
  return (jsqr.default ?? jsqr)(pixels, width, width);
}

const texts = [["\u0411\u043e\u0439"], ["https://table.example/#\u0411\u043e\u0439"]];
for (const words of texts) {
  for (const encoding of [[], ["utf-8"]]) {
    const command = ["write.py", ...words, ...encoding];
    const written = JSON.parse(execFileSync("venv/bin/python", command));
    const text = read(written.rows)?.data;
    const stored = `${encoding[0] ?? "no encoding"}, mode ${written.mode}:`;
    console.log(stored, JSON.stringify(text), text === words[0] ? "as written" : "lost");
  }
}
END

seen=$(node run.cjs)
echo "$seen"
expected=$(cat <<'END'
no encoding, mode kanji: "Бой" as written
utf-8, mode byte: "Бой" as written
no encoding, mode byte: "" lost
utf-8, mode byte: "https://table.example/#Бой" as written
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: text is stored or read otherwise"
  exit 1
fi

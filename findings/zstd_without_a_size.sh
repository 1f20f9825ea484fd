#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: zstandard 0.25.0 (PyPI), fzstd 0.1.1 (npm), zstddec 0.3.4 (npm), zstd-codec 0.1.5 (npm)
# Expected: a frame that was packed as a stream, so that its header has no size, is unpacked, or
#   refused with an error.
# Seen: fzstd unpacks it. `Simple.decompress` of zstd-codec returns null. zstddec, called without
#   the size, which its documentation says may raise an error, returns a result of more than
#   16 megabytes that does not begin with the text.
# Why it matters: whoever packs an export while it arrives makes such frames. A page that unpacks
#   bundles needs fzstd, or the streaming interface of zstd-codec.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund fzstd@0.1.1 zstddec@0.3.4 zstd-codec@0.1.5
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check zstandard==0.25.0

venv/bin/python - <<'END'
import pathlib

import zstandard

text = b"".join(b'{"seq":%d,"type":"moved"}\n' % seq for seq in range(1, 21))
pathlib.Path("text").write_bytes(text)
pathlib.Path("with-size").write_bytes(zstandard.ZstdCompressor().compress(text))
stream = zstandard.ZstdCompressor().compressobj()
pathlib.Path("without-size").write_bytes(stream.compress(text) + stream.flush())
END

cat > run.mjs <<'END'
import { readFileSync } from "node:fs";
import { decompress } from "fzstd";
import { ZSTDDecoder } from "zstddec";
import codec from "zstd-codec";

const decoder = new ZSTDDecoder();
await decoder.init();
const zstd = await new Promise((ready) => codec.ZstdCodec.run(ready));
const simple = new zstd.Simple();
const readers = {
  "fzstd     ": decompress,
  "zstddec   ": (packed) => decoder.decode(packed),
  "zstd-codec": (packed) => simple.decompress(packed),
};
const text = readFileSync("text");
for (const file of ["with-size", "without-size"]) {
  const packed = new Uint8Array(readFileSync(file));
  for (const [name, unpack] of Object.entries(readers)) {
    const found = unpack(packed);
    const kind = !found ? "null" : text.equals(found) ? "the text" : "something else";
    console.log(name, file.padEnd(12), kind, found?.length > 16e6 ? "of more than 16 MB" : "");
  }
}
END

seen=$(node run.mjs | sed 's/ *$//')
echo "$seen"
expected=$(cat <<'END'
fzstd      with-size    the text
zstddec    with-size    the text
zstd-codec with-size    the text
fzstd      without-size the text
zstddec    without-size something else of more than 16 MB
zstd-codec without-size null
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: frames are unpacked otherwise"
  exit 1
fi

#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: eventsource-parser 3.1.1 and 4.1.3 (npm)
# Expected: a stream whose lines end with CR alone is valid; each event is handed over when its
#   blank line has arrived.
# Seen: 3.1.1, on which eventsource 3 and 4 build, holds the last CR of a chunk back in case LF
#   follows: each event arrives with the next chunk, and the last one never. 4.1.3 hands it over
#   at once, as both do for LF and CRLF.
# Why it matters: the service ends lines with LF, so no event waits. Behind a relay that writes CR
#   every turn arrives one event late.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund \
  parser3@npm:eventsource-parser@3.1.1 parser4@npm:eventsource-parser@4.1.3

cat > run.mjs <<'END'
import { createParser as parser3 } from "parser3";
import { createParser as parser4 } from "parser4";

const ends = { LF: "\n", CRLF: "\r\n", CR: "\r" };
for (const [version, createParser] of Object.entries({ "3.1.1": parser3, "4.1.3": parser4 })) {
  for (const [name, end] of Object.entries(ends)) {
    let handed = [];
    const parser = createParser({ onEvent: (event) => handed.push(event.data) });
    const afterEach = [1, 2, 3].map((turn) => {
      handed = [];
      parser.feed(`data: turn ${turn}${end}${end}`);
      return handed.join(" and ") || "nothing";
    });
    console.log(version, name.padEnd(4), afterEach.join(" | "));
  }
}
END

seen=$(node run.mjs)
echo "$seen"
expected=$(cat <<'END'
3.1.1 LF   turn 1 | turn 2 | turn 3
3.1.1 CRLF turn 1 | turn 2 | turn 3
3.1.1 CR   nothing | turn 1 | turn 2
4.1.3 LF   turn 1 | turn 2 | turn 3
4.1.3 CRLF turn 1 | turn 2 | turn 3
4.1.3 CR   turn 1 | turn 2 | turn 3
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: events are handed over at another moment"
  exit 1
fi

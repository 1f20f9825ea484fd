#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: @inrupt/solid-client-errors 0.0.4 (npm)
# Expected: problem details (RFC 9457) are read from `application/problem+json`, with or without a
#   parameter behind the media type, and extension members are kept.
# Seen: with `; charset=utf-8` behind it nothing is read: the title is the phrase of the status, the
#   detail is missing. Without it the standard members are read and all others are dropped.
# Why it matters: what program and player need of a refusal is in `code` and `params`, which are
#   extension members. The service sends the bare media type; a relay that adds a charset empties
#   the whole error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund @inrupt/solid-client-errors@0.0.4

cat > run.mjs <<'END'
import http from "node:http";
import { handleErrorResponse } from "@inrupt/solid-client-errors";

const problem = { title: "Out of range", status: 409, detail: "13 cells", code: "out_of_range" };
const server = http.createServer((request, response) => {
  const suffix = request.url === "/bare" ? "" : "; charset=utf-8";
  response.writeHead(409, { "Content-Type": `application/problem+json${suffix}` });
  response.end(JSON.stringify(problem));
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
for (const path of ["/bare", "/charset"]) {
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`);
  const error = handleErrorResponse(response, await response.clone().text(), "refused");
  const { title, detail, code } = error.problemDetails;
  console.log(path, JSON.stringify([title, detail ?? null, code ?? null]));
}
server.closeAllConnections();
server.close();
END

seen=$(node run.mjs)
echo "$seen"
expected=$(cat <<'END'
/bare ["Out of range","13 cells",null]
/charset ["Conflict",null,null]
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other members are read"
  exit 1
fi

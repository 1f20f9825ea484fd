#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: aiosseclient 0.1.8 (PyPI), httpx-sse 0.4.3 (PyPI), httpx 0.28.1 (PyPI),
#   @server-sent-stream/web 1.0.3 (npm), eventsource-parser 4.1.3 (npm)
# Expected: only CR, LF and CRLF end a line of an event stream, so a JSON text that holds U+2028
#   or U+0085 unescaped, as JSON allows, arrives whole.
# Seen: httpx-sse and eventsource-parser hand over the whole text. aiosseclient and `iter_lines` of
#   httpx end the line at both characters, @server-sent-stream/web at U+2028; the rest is dropped,
#   or comes as a line without a field, and what is handed over is no JSON.
# Why it matters: such characters come along when text is pasted. The service refuses them in
#   names; notes and metadata may hold them, so it sends them as escapes in the data of an event.
#   NDJSON, whose lines are hashed, is sent as it is stored: read it as bytes, split at LF.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund \
  @server-sent-stream/web@1.0.3 eventsource-parser@4.1.3
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check \
  aiosseclient==0.1.8 httpx-sse==0.4.3 httpx==0.28.1

cat > run.mjs <<'END'
import { createParser } from "eventsource-parser";
import stream from "@server-sent-stream/web";

const EventSourceStream = stream.default ?? stream;
for (const [name, mark] of [["U+2028", "\u2028"], ["U+0085", "\u0085"]]) {
  const text = `data: {"note":"a${mark}b"}\n\n`;
  createParser({ onEvent: ({ data }) => console.log("eventsource-parser", name, data.length) })
    .feed(text);
  const body = new Blob([text]).stream().pipeThrough(new EventSourceStream());
  for await (const { data } of body) console.log("server-sent-stream", name, data.length);
}
END

cat > run.py <<'END'
import asyncio
import http.server
import threading

import aiosseclient
import httpx
import httpx_sse


class Stream(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        mark = {"/U+2028": "\u2028", "/U+0085": "\u0085"}[self.path]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(f'data: {{"note":"a{mark}b"}}\n\n'.encode())

    def log_message(self, *_):
        pass


async def first(url):
    async for event in aiosseclient.aiosseclient(url):
        return event.data


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stream)
threading.Thread(target=server.serve_forever, daemon=True).start()
for name in ("U+2028", "U+0085"):
    url = f"http://127.0.0.1:{server.server_port}/{name}"
    with httpx.Client() as client, httpx_sse.connect_sse(client, "GET", url) as source:
        print("httpx-sse         ", name, *(len(event.data) for event in source.iter_sse()))
    print("aiosseclient      ", name, len(asyncio.run(first(url))))
    line = next(httpx.get(url).iter_lines())
    print("httpx, iter_lines ", name, len(line.removeprefix("data: ")))
END

seen=$(node run.mjs; venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
eventsource-parser U+2028 14
server-sent-stream U+2028 10
eventsource-parser U+0085 14
server-sent-stream U+0085 14
httpx-sse          U+2028 14
aiosseclient       U+2028 10
httpx, iter_lines  U+2028 10
httpx-sse          U+0085 14
aiosseclient       U+0085 10
httpx, iter_lines  U+0085 10
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: lines end at other characters"
  exit 1
fi

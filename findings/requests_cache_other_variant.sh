#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: requests-cache 1.3.3 (PyPI), CacheControl 0.14.4 (PyPI), requests 2.34.2 (PyPI)
# Expected: an answer that `Vary: Accept-Language` keeps apart from another is requested again
#   without a tag.
# Seen: CacheControl does that. requests-cache asks for the Russian text with the tag of the
#   English one, as RFC 9111 (4.1) lets a cache do; where both have one tag, the server answers 304
#   and the English text is handed over as the Russian one.
# Why it matters: a tag that is the version alone mixes languages, and would mix what two seats may
#   see. The service names seat, form and language in the tag, behind the version.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check \
  requests-cache==1.3.3 CacheControl==0.14.4 requests==2.34.2

cat > run.py <<'END'
import http.server
import threading

import cachecontrol
import requests
import requests_cache

TEXTS = {"en": "turn", "ru": "hod"}


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        language = self.headers["Accept-Language"]
        tag = '"7"' if self.path == "/one" else f'"7;{language}"'
        known = self.headers.get("If-None-Match") == tag
        body = b"" if known else TEXTS[language].encode()
        self.send_response(304 if known else 200)
        self.send_header("ETag", tag)
        self.send_header("Cache-Control", "private, no-cache")
        self.send_header("Vary", "Accept-Language")
        if not known:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
threading.Thread(target=server.serve_forever, daemon=True).start()
for path, what in (("one", "one tag"), ("each", "a tag for each")):
    for name, session in (
        ("CacheControl", cachecontrol.CacheControl(requests.Session())),
        ("requests-cache", requests_cache.CachedSession(backend="memory", cache_control=True)),
    ):
        url = f"http://127.0.0.1:{server.server_port}/{path}"
        texts = [
            session.get(url, headers={"Accept-Language": language}).text for language in TEXTS
        ]
        print(f"{name}, {what}: en is {texts[0]}, ru is {texts[1]}")
END

seen=$(venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
CacheControl, one tag: en is turn, ru is hod
requests-cache, one tag: en is turn, ru is turn
CacheControl, a tag for each: en is turn, ru is hod
requests-cache, a tag for each: en is turn, ru is hod
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other texts are handed over"
  exit 1
fi

#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: openapi-zod-client 1.18.3 (npm), @zodios/core 10.9.6 (npm), zod 3.25.76 (npm),
#   typescript 5.9.3 (npm)
# Expected: a tag written as `const`, as OpenAPI 3.1 allows, becomes a literal, and the
#   discriminated union works.
# Seen: `const` becomes `z.unknown()`, yet `z.discriminatedUnion` is still written: the generated
#   module raises as soon as it is loaded.
# Why it matters: the document of the service writes its tags as `const`. Users of this generator
#   need another one, or the tags rewritten as `enum` of one value with a type.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund \
  openapi-zod-client@1.18.3 @zodios/core@10.9.6 zod@3.25.76 typescript@5.9.3

cat > document.json <<'END'
{
  "openapi": "3.1.0",
  "info": {"title": "table", "version": "1"},
  "paths": {
    "/events": {
      "get": {
        "operationId": "events",
        "responses": {
          "200": {
            "description": "all",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Events"}}}
          }
        }
      }
    }
  },
  "components": {
    "schemas": {
      "Events": {"type": "array", "items": {"$ref": "#/components/schemas/Event"}},
      "Event": {
        "oneOf": [{"$ref": "#/components/schemas/Moved"}, {"$ref": "#/components/schemas/Hit"}],
        "discriminator": {
          "propertyName": "type",
          "mapping": {
            "moved": "#/components/schemas/Moved",
            "hit": "#/components/schemas/Hit"
          }
        }
      },
      "Moved": {
        "type": "object",
        "required": ["type", "x"],
        "additionalProperties": false,
        "properties": {"type": {"const": "moved"}, "x": {"type": "integer"}}
      },
      "Hit": {
        "type": "object",
        "required": ["type", "damage"],
        "additionalProperties": false,
        "properties": {
          "type": {"const": "hit"},
          "damage": {"type": "integer"},
          "shots": {"type": "integer", "default": 1}
        }
      }
    }
  }
}
END

cat > run.cjs <<'END'
const { readFileSync } = require("node:fs");
const { transpileModule } = require("typescript");

const source = readFileSync("client.ts", "utf8");
const telling = source.split("\n").filter((line) => /type:|Union/.test(line));
console.log(telling.map((line) => line.trim()).join("\n"));
const { outputText } = transpileModule(source, { compilerOptions: { module: "commonjs" } });
try {
  new Function("require", "exports", outputText)(require, {});
  console.log("loaded");
} catch (error) {
  console.log(error.message);
}
END

seen=$(npx openapi-zod-client document.json -o client.ts > log 2>&1 && node run.cjs)
echo "$seen"
expected=$(cat <<'END'
const Moved = z.object({ type: z.unknown(), x: z.number().int() });
type: z.unknown(),
const Event = z.discriminatedUnion("type", [Moved, Hit]);
A discriminator value for key `type` could not be extracted from all schema options
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: the generated client differs"
  exit 1
fi

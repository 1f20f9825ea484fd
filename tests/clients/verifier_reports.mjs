// Reports of many bundles by one process: a JSON line {name, source, options} in, {name, report} out.
// `source` is {path}, {base64}, {long: bytes} or {chunks, path}. With `bare`, nothing of Node is
// within reach of the library.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [library, isBare] = process.argv.slice(2);
const { stdin, stdout } = process;
const { Buffer: Bytes } = globalThis;
const toBytes = (text) => new Uint8Array(Bytes.from(text, "base64"));
if (isBare) for (const name of ["process", "Buffer", "require"]) delete globalThis[name];
const { verify } = await import(library);

function* pieces(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function* endless(length) {
  for (let sent = 0; sent < length; sent += 1 << 20) yield new Uint8Array(1 << 20).fill(0x20);
}

function opened({ path, base64, long, chunks, kind }) {
  if (long) return endless(long);
  const bytes = path ? new Uint8Array(readFileSync(path)) : toBytes(base64);
  if (chunks) return pieces(bytes, chunks);
  if (kind === "blob") return new Blob([bytes]);
  if (kind === "stream") return new Blob([bytes]).stream();
  if (kind === "text") return new TextDecoder().decode(bytes);
  return bytes;
}

for await (const line of createInterface({ input: stdin })) {
  const { name, source, options } = JSON.parse(line);
  const seen = [];
  const onProgress = (progress) => seen.push(progress);
  const report = await verify(opened(source), { ...options, onProgress });
  stdout.write(`${JSON.stringify({ name, report, last: seen.at(-1) })}\n`);
}

// What `readBundle` gives of each bundle: a JSON line of its text, or of the text and a viewpoint, in;
// a JSON array of events out.

import { createInterface } from "node:readline";

const { readBundle } = await import(process.argv[2]);

for await (const line of createInterface({ input: process.stdin })) {
  const events = [];
  const [text, viewpoint] = [].concat(JSON.parse(line));
  const bundle = new TextEncoder().encode(text);
  for await (const event of readBundle(bundle, { viewpoint })) events.push(event);
  process.stdout.write(`${JSON.stringify(events)}\n`);
}

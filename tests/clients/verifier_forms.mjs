// Whether each line of the input has the form of a line of a bundle: true or false to a line.

import { createInterface } from "node:readline";

const { asLine } = await import(process.argv[2]);

for await (const line of createInterface({ input: process.stdin })) {
  let isLine = true;
  try {
    asLine(JSON.parse(line));
  } catch (error) {
    if (error.code !== "unreadable") throw error;
    isLine = false;
  }
  process.stdout.write(`${isLine}\n`);
}

/** The command `warlog-verify`: arguments in, a report out, an exit code back. */

import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { parseArgs } from "node:util";
import { reportText } from "./report_text.js";
import { keptReceipts } from "./receipts.js";
import { verify } from "./verify.js";

/** @typedef {import("../verify.js").Report} Report */

export const EXITS = { clean: 0, wrong: 1, usage: 2, unavailable: 3, unknownSigner: 4 };

const USAGE = `Usage: warlog-verify [options] FILE

Verify a bundle of a Warlog battle by nothing but what it contains: FILE, or - for
standard input. The rules of the game are not decided again.

The key that a bundle brings proves nothing: name the service's.

Options:
  --keys URL|FILE     the service's published keys, one of which must have signed; repeatable
  --public-key HEX    a key (64 hex digits) that may have signed; repeatable
  --head SEQ-HASH     a head that the log once had, as a client noted it; repeatable
  --receipts FILE     receipts that a client kept, a JSON array or one to a line; repeatable
  --language en|ru    the language of the report (en)
  --json              print the report as one JSON object
  -h, --help          show this message

Exits with 0 if all is clean and signed by a trusted key, 1 if anything is wrong,
2 if it could not be called so or a file or address could not be read, 3 if it was
made by a newer service or forged, 4 if the bundle is clean and its signer unknown.
`;

const OPTIONS = /** @type {const} */ ({
  keys: { type: "string", multiple: true },
  "public-key": { type: "string", multiple: true },
  head: { type: "string", multiple: true },
  receipts: { type: "string", multiple: true },
  language: { type: "string", default: "en" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
});

/**
 * Run the command.
 * @param {string[]} argv
 * @returns {Promise<number>}  the exit code
 */
export async function main(argv) {
  process.stdout.on("error", (error) => {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== "EPIPE") throw error; // where nobody reads on, nothing is to be done
  });
  try {
    return await run(argv);
  } catch (error) {
    process.stderr.write(`warlog-verify: ${reasonOf(error)}\n`);
    return EXITS.usage;
  }
}

/** @param {string[]} argv */
async function run(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    options: OPTIONS,
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return EXITS.clean;
  }
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw new Error("one FILE is expected; see --help");
  if (values.language !== "en" && values.language !== "ru") {
    throw new Error("--language is en or ru");
  }
  const keys = [
    ...(values["public-key"] ?? []),
    ...(await Promise.all((values.keys ?? []).map(keySet))),
  ];
  const kept = await Promise.all((values.receipts ?? []).map((each) => readFile(each, "utf8")));
  const report = await verify(file === "-" ? process.stdin : await opened(file), {
    ...(values.keys || values["public-key"] ? { keys } : {}),
    heads: values.head ?? [],
    language: values.language,
    receipts: kept.flatMap(keptReceipts),
    ...(process.stderr.isTTY ? { onProgress: await progressOf(file) } : {}),
  });
  process.stdout.write(
    values.json ? `${JSON.stringify(report)}\n` : reportText(report, values.language),
  );
  return exitOf(report);
}

/** @param {Report} report */
function exitOf({ clean, findings, signer }) {
  if (findings.length) return EXITS.wrong;
  if (!clean) return EXITS.unavailable;
  return signer === "trusted" ? EXITS.clean : EXITS.unknownSigner;
}

/**
 * The published keys of an address or file.
 * @param {string} place
 */
async function keySet(place) {
  const text = /^https?:\/\//.test(place) ? await fetched(place) : await readFile(place, "utf8");
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`--keys ${place}: it is no JSON`);
  }
}

/** @param {string} address */
async function fetched(address) {
  let answer;
  try {
    answer = await fetch(address, { signal: AbortSignal.timeout(10_000) });
  } catch (error) {
    throw new Error(`--keys ${address}: ${reasonOf(error)}`);
  }
  if (!answer.ok) throw new Error(`--keys ${address}: the answer is ${answer.status}`);
  return answer.text();
}

/** @param {string} file */
async function opened(file) {
  if ((await stat(file)).isDirectory()) throw new Error(`${file} is a folder`);
  return createReadStream(file, { highWaterMark: 1 << 20 });
}

/** @param {string} file */
async function progressOf(file) {
  const size = file === "-" ? 0 : (await stat(file)).size;
  /** @param {import("../verify.js").Progress} progress */
  return ({ bytes, events }) => {
    const share = size ? `${Math.floor((100 * bytes) / size)} %` : `${bytes} bytes`;
    process.stderr.write(`\r\x1b[K${bytes === size ? "" : `${share}, ${events} events`}`);
  };
}

/** @param {unknown} error */
function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message
    ? `${error.message}: ${cause.message}`
    : error.message;
}

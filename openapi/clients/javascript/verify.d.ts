/**
 * Verify bundles of Warlog battles without the service: chain, canonical form, commitments, parts,
 * receipts, seed and dice. The rules of the game are not decided again.
 */

/** Bytes of a bundle, whole or piece by piece. A string is taken as its UTF-8 bytes. */
export type Source =
  | Uint8Array
  | ArrayBuffer
  | string
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | ArrayBuffer | string>
  | Iterable<Uint8Array | ArrayBuffer | string>;

/** A key as the service publishes it at `/.well-known/warlog-keys.json`. */
export interface PublishedKey {
  kty: "OKP";
  crv: "Ed25519";
  /** 32 bytes in base64url without padding. */
  x: string;
  /** The first 16 hex digits of the key's SHA-256; compared with the key where it is there. */
  kid?: string;
  [field: string]: unknown;
}

/** Keys that are trusted: 64 hex digits, a key, the published set, or several of them. */
export type Keys = string | PublishedKey | { keys: PublishedKey[] } | Keys[];

/** A receipt as it came with an answer of the service; other fields are ignored. */
export interface Receipt {
  kid: string;
  encounter: string;
  /** 1 to 2,147,483,647. */
  seq: number;
  /** 64 hex digits. */
  hash: string;
  /** 128 hex digits. */
  sig: string;
  format?: 2;
  path?: string[];
}

export interface Head {
  seq: number;
  hash: string;
}

export interface Progress {
  /** Bytes that were judged so far. */
  bytes: number;
  lines: number;
  events: number;
}

export interface Options {
  /** Keys of which one must have signed; without them the signer is at best unknown. */
  keys?: Keys;
  /** Heads that the log once had: `SEQ-HASH`, or both. */
  heads?: (string | Head)[];
  /** Receipts that were kept of this log or others. */
  receipts?: Receipt[];
  /** Of the details of findings; English. */
  language?: "en" | "ru";
  /** Called now and then, and once at the end. */
  onProgress?: (progress: Progress) => void;
  /** Ends the work; `verify` is rejected with its reason. */
  signal?: AbortSignal;
  /** `own` takes no hash of the platform; both give the same report. */
  digests?: "own" | "platform";
}

/** A difference. Of an event it has `line`, `seq` and `path`, of the whole log `where`. */
export interface Finding {
  /** The word of the specification, such as `hash`, `draws`, `receipt_forged`. */
  code: string;
  /** From 1. */
  line?: number;
  seq?: number;
  path?: string;
  where?: string;
  /** What is there and what belongs there, in the language that was asked for. */
  detail: string;
}

export type KeptVerdict =
  "held" | "differs" | "beyond_head" | "of_another_encounter" | "forged" | "of_unknown_key";

export interface KeptReport {
  seq: number;
  hash: string;
  encounter?: string;
  kid?: string;
  /** Absent where the bundle could not be read to its end. */
  verdict?: KeptVerdict;
}

export interface Report {
  /** Whether nothing at all was found. Who signed is another question. */
  clean: boolean;
  /**
   * `trusted`: one of the keys that were named. `unknown`: none were named. `wrong`: another than
   * those. `none`: no genuine signature over the head was found.
   */
  signer: "trusted" | "unknown" | "wrong" | "none";
  first?: Finding;
  /** At most 100, in the order in which they were found; `counts.findings` has them all. */
  findings: Finding[];
  /**
   * The first ruleset, version or type that this verifier does not have (`version_unknown`): then
   * the bundle is not clean, and not wrong either unless there are findings.
   */
  unknown?: Finding;
  /** What is no difference: `clock_went_back`. */
  remarks: { code: string; count: number }[];
  bundle?: { encounter: string; ruleset: string; version: string; viewer: string };
  head?: Head;
  key?: { id: string; public_key: string };
  dice: {
    mode: "sealed" | "supplied" | "unknown";
    /** Whether the seed is there, and the one that the first event commits to. */
    seed: "absent" | "fits" | "wrong";
    /** Dice that this bundle shows. */
    visible: number;
    /** Of those, how many were drawn again from the seed and fit, whatever else is wrong. */
    checked: number;
    /** Of those, how many belong to the log that a fork continues: no seed of this log gives them. */
    taken_up: number;
    /** Dice of an event that a later one tells again whose action is not shown: not checked that it waited. */
    told_again: { seq: number; dice: number }[];
    contributions: number;
    /** Who made the seed, as the first event says: the service, or the creator of the encounter. */
    origin: "os" | "given" | "unknown";
  };
  counts: {
    bytes: number;
    lines: number;
    blobs: number;
    events: number;
    /** Parts that are in the bundle, erased ones included. */
    parts: number;
    /** Parts of which the bundle has the commitment alone: they were not checked. */
    withheld: number;
    /** Texts that were erased: they were not checked. */
    erased: number;
    rewinds: number;
    findings: number;
  };
  heads: KeptReport[];
  receipts: KeptReport[];
}

/**
 * Verify a bundle. Whatever is wrong with it is in the report: nothing that a bundle holds
 * throws. Rejects with a RangeError or TypeError for keys, heads, receipts or a source that are
 * none, with the signal's reason, and with what the source itself throws.
 */
export function verify(source: Source, options?: Options): Promise<Report>;

/**
 * The receipts in a text that a client kept: a JSON array or one JSON object to a line, receipts
 * themselves or answers and records that brought one. Throws a RangeError that names the entry.
 */
export function keptReceipts(text: string): Receipt[];

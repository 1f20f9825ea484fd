// How the verifier is used from TypeScript, and what the compiler refuses.

import { keptReceipts, verify, type Report } from "warlog/verify";

const report: Report = await verify(new Blob([]), {
  keys: { keys: [{ kty: "OKP", crv: "Ed25519", x: "A6EHv", kid: "56475aa75463474c" }] },
  heads: ["40-00"],
  receipts: keptReceipts("[]"),
  onProgress: ({ bytes, events }) => [bytes, events],
  signal: AbortSignal.timeout(1),
});
const first: string | undefined = report.first?.code;
const signer: "trusted" | "unknown" | "wrong" | "none" = report.signer;
export const used = [first, signer];

// @ts-expect-error a number is no source
await verify(5);
// @ts-expect-error no such option
await verify("", { key: "" });
// @ts-expect-error there may be no finding
report.first.code;

/** The verifier alone: `import { verify } from "warlog/verify"`. */

export { verify } from "./verify.js";
export { keptReceipts } from "./receipts.js";

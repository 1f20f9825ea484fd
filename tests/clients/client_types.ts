// What the package declares is what its sources are.

import * as declared from "warlog";
import * as sources from "warlog/source";
import type { Battle, LegalTree } from "warlog";

export const problem: typeof declared.WarlogProblem = sources.WarlogProblem;
export const unreachable: typeof declared.WarlogUnreachable = sources.WarlogUnreachable;
export const verify: typeof declared.verify = sources.verify;
export const warlog: declared.Warlog = new sources.Warlog();
export const battle: Battle = new sources.Warlog().battle("");
export const tree: LegalTree = await new sources.Warlog().battle("").legalActions();

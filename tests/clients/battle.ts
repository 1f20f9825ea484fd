// A battle of each ruleset, played by openapi-fetch with the generated types: everything it sends
// and reads is what the document says.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.d.ts";
import { creations } from "./bodies.ts";

type Schemas = components["schemas"];
type Act = Schemas["ActRequest"];

declare const process: { argv: string[] };
const [, , baseUrl = "", token = ""] = process.argv;
const LONGEST = 40;

const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
let requests = 0;
const key = () => ({ "Idempotency-Key": `battle-${requests++}` });

function told<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

// `ruleset` narrows the whole view: what only one rulebook knows is there without a cast.
function described(view: Schemas["EncounterView"]): string {
  if (view.ruleset === "crossfire-d6") {
    return view.state.combatants.map((each) => `${each.id} ${each.posture} ${each.facing}`).join();
  }
  if (view.ruleset === "melody-d6") {
    return view.state.units.map((each) => `${each.id} ${each.kind}`).join();
  }
  if (view.ruleset === "seeker-d100") {
    const { combatants } = view.state;
    return combatants.map((each) => `${each.id} ${each.answering?.kind ?? "calm"}`).join();
  }
  if (view.ruleset === "squad-d100") {
    return view.state.combatants.map((each) => `${each.id} ${each.kind} ${each.phase}`).join();
  }
  if (view.ruleset === "tactical-d20") {
    return view.state.combatants.map((each) => `${each.id} ${each.size} ${each.ac.kac}`).join();
  }
  return "";
}

function request(legal: Schemas["LegalAnswer"]): Act | null {
  if (legal.ruleset === "crossfire-d6") {
    const action = legal.samples?.[0];
    return action ? { ruleset: legal.ruleset, action } : null;
  }
  if (legal.ruleset === "melody-d6") {
    const action = legal.samples?.[0];
    return action ? { ruleset: legal.ruleset, action } : null;
  }
  if (legal.ruleset === "seeker-d100") {
    const action = legal.samples?.[0];
    return action ? { ruleset: legal.ruleset, action } : null;
  }
  if (legal.ruleset === "squad-d100") {
    const action = legal.samples?.[0];
    return action ? { ruleset: legal.ruleset, action } : null;
  }
  if (legal.ruleset === "tactical-d20") {
    const action = legal.samples?.[0];
    return action ? { ruleset: legal.ruleset, action } : null;
  }
  return null;
}

async function play(creation: Schemas["CreateRequest"]): Promise<void> {
  const header = key();
  const created = told(await client.POST("/v1/encounters", { params: { header }, body: creation }));
  const path = { encounter: created.encounter };
  const act = async (body: Act) =>
    client.POST("/v1/encounters/{encounter}/actions", { params: { path, header: key() }, body });
  told(await act({ action: { type: "start_encounter" } }));
  for (let turn = 0; turn < LONGEST; turn++) {
    const view = told(await client.GET("/v1/encounters/{encounter}", { params: { path } }));
    if (view.ruleset !== creation.ruleset) throw new Error("the view is another ruleset's");
    const combatant = view.decisions[0]?.combatant ?? view.state.turn;
    if (view.state.status !== "running") break;
    described(view);
    const query = combatant === undefined ? { sample: 1 } : { combatant, sample: 1 };
    const legal = told(
      await client.GET("/v1/encounters/{encounter}/legal-actions", { params: { path, query } }),
    );
    const body = request(legal);
    if (body === null) break;
    const { data, error } = await act(body);
    if (error !== undefined) {
      const code: Schemas["Problem"]["code"] = error.code;
      throw new Error(`${code}: ${error.detail}`);
    }
    for (const record of data.events) {
      const types = record.event.effects.map((effect) => effect.type);
      if (types.length === 0) throw new Error("an event without effects");
    }
  }
  await act({ action: { type: "end_encounter", reveal: "now", open: "all" } });
  const audit = told(await client.GET("/v1/encounters/{encounter}/audit", { params: { path } }));
  console.log(JSON.stringify({ ruleset: creation.ruleset, counts: audit.counts }));
}

for (const creation of creations) await play(creation);

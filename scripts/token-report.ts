/** The size of each profile's `tools/list` in tokens: `npm run tokens [-- --json FILE]`. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Caller } from '../contracts/caller.ts';
import { Catalogue, profiles } from '../tools/catalogue/catalogue.ts';
import { tools } from '../tools/index.ts';
import { tokensOf } from './token-count.ts';

/** Sees everything, so that rights do not shorten a profile. */
const everyone: Caller = {
  tenant: 'default',
  keyId: 'report',
  keyName: 'report',
  principal: 'report',
  principalKind: 'human',
  role: 'admin',
  scopes: [],
  profile: null,
  policy: '',
  rateRpm: null,
  rateBurst: null,
  capabilities: [],
  team: null,
};

const { values } = parseArgs({ options: { json: { type: 'string' } } });
const catalogue = new Catalogue(tools);
const report = profiles.map((profile) => {
  const listed = catalogue.list(everyone, profile);
  const costs = listed.map((tool) => ({ name: tool.name, tokens: tokensOf(tool) })).sort((a, b) => b.tokens - a.tokens);
  const told = (tools: object[]): number => tokensOf({ tools });
  return {
    profile,
    tools: listed.length,
    tokens: told(listed),
    /** With output schemas. */
    withOutputs: told(catalogue.list(everyone, profile, { outputs: true })),
    heaviest: costs.slice(0, 3),
  };
});

console.log(`${'profile'.padEnd(18)}${'tools'.padStart(6)}${'tokens'.padStart(8)}${'+outputs'.padStart(10)}  heaviest`);
for (const { profile, tools: count, tokens, withOutputs, heaviest } of report) {
  const names = heaviest.map((tool) => `${tool.name} ${tool.tokens}`).join(', ');
  console.log(
    `${profile.padEnd(18)}${String(count).padStart(6)}${String(tokens).padStart(8)}${String(withOutputs).padStart(10)}  ${names}`,
  );
}
if (values.json) writeFileSync(values.json, `${JSON.stringify({ encoding: 'o200k_base', profiles: report }, null, 2)}\n`);

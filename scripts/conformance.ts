/**
 * Runs the official conformance suites of MCP (both eras of the protocol) and A2A against the whole product.
 *
 *   npm run conformance                 on a separate stack, with every tool listed
 *   npm run conformance -- --url URL    on a running server that was started with SIGNALBOX_CONFORMANCE=true
 *   … --json FILE                       the outcome for machines, too
 *   npm run conformance -- a2a          A2A 1.0 and 0.3 by the official kits, whose folders A2A_TCK_DIR names
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startStack } from '../bench/stack.ts';
import { a2aConformance } from './conformance-a2a.ts';
import { revisions, runMcpSuite, shortcomings, type Outcome } from './mcp-suite.ts';

const { values, positionals } = parseArgs({ options: { url: { type: 'string' }, json: { type: 'string' } }, allowPositionals: true });
if (positionals[0] === 'a2a') process.exit((await a2aConformance()) ? 0 : 1);

const env = { SIGNALBOX_CONFORMANCE: 'true', MCP_PROFILE: 'all', AUTH_MODE: 'local' };
const stack = values.url ? null : await startStack({ env, onProgress: (line) => console.error(`  ${line}`) });
const outcomes = await runMcpSuite(values.url ?? stack!.runtime.mcp);
await stack?.remove();

for (const revision of revisions) {
  const mine = outcomes.filter((outcome) => outcome.revision === revision);
  for (const scored of [true, false]) {
    const part = mine.filter((outcome) => outcome.scored === scored);
    const tested = part.filter((outcome) => !outcome.untested);
    const count = (of: (outcome: Outcome) => number): string => String(part.reduce((total, outcome) => total + of(outcome), 0)).padStart(4);
    console.log(
      `${revision}  ${(scored ? 'scored' : 'not scored').padEnd(10)} ${String(tested.length).padStart(3)} scenarios tested, ${part.length - tested.length} not; ` +
        `checks: ${count((o) => o.passed)} passed ${count((o) => o.failed.length)} failed ${count((o) => o.warnings.length)} warnings`,
    );
  }
  for (const { scenario, untested, warnings } of mine) {
    if (untested) console.log(`  not tested ${scenario}: the suite has no check for it`);
    for (const check of warnings) console.log(`  warning    ${scenario} / ${check.id}: ${check.errorMessage ?? ''}`);
  }
}
const short = shortcomings(outcomes);
console.log(short.length === 0 ? 'No check failed, and every required scenario was tested.' : `Falls short:\n  ${short.join('\n  ')}`);
if (values.json) writeFileSync(values.json, `${JSON.stringify({ ok: short.length === 0, shortcomings: short, outcomes }, null, 2)}\n`);
process.exit(short.length === 0 ? 0 : 1);

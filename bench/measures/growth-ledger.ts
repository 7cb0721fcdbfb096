/** The ledger of a tenant with many entries, and of one with ten times as many. */
import type { Caller } from '../clients.ts';
import { eventually, type Context } from '../context.ts';
import type { Section } from '../report.ts';
import { measureGrowthOf, type Owner } from './growth.ts';

const linkedWithin = 1_800_000;

export const measureGrowthOfLedger = (context: Context): Promise<Section> =>
  measureGrowthOf(context, {
    title: (size) => `The ledger with ${size} entries`,
    what: 'entries',
    sizes: { whole: [1_000_000, 10_000_000], quick: [30_000, 300_000] },
    tables: ['ledger_events', 'ledger_seals'],
    async seed(tenant, size, { owner }) {
      await owner(seedSql, [tenant, size]);
      // Else the worker links while the paths are measured.
      await linked(owner, tenant);
    },
    paths: pathsOf,
    note: 'Two entries per call, 40 tools, 200 principals, 20 keys, one call in 50 failed, 200 calls per session, spread over a year. A call writes two entries.',
  });

function pathsOf(thin: Caller): Record<string, () => Promise<unknown>> {
  let turn = 0;
  const next = (): number => (turn += 7);
  const search = (filter: object) => () => thin.ok('system.ledger.search', filter);
  return {
    'a call and its entries': () => thin.ok('work.board.get', {}),
    'system.ledger.search': search({}),
    'system.ledger.search, folded': search({ folded: true }),
    'system.ledger.search, a tool': () => thin.ok('system.ledger.search', { tool: `made.tool.${next() % 40}` }),
    'system.ledger.search, a principal': () => thin.ok('system.ledger.search', { principal: `agent-${next() % 200}` }),
    'system.ledger.search, failed': search({ type: 'tool.call.failed' }),
    'system.ledger.search, an error of 1 in 5,000': search({ error_code: 'INTERNAL' }),
    'system.ledger.search, a call': () => thin.ok('system.ledger.search', { tool_call_id: `call-${1 + (next() % 10_000)}` }),
    'system.ledger.search, a session': () => thin.ok('system.ledger.search', { session_id: `session-${next() % 100}` }),
    'system.ledger.search, a tool in an hour': () =>
      thin.ok('system.ledger.search', { tool: `made.tool.${next() % 40}`, since: hoursAgo(2_000), until: hoursAgo(1_999) }),
    'system.ledger.search, before half a year': search({ until: hoursAgo(4_380) }),
  };
}

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

/** Rows without HMAC, as those of releases before the chain. */
const seedSql = `
  insert into ledger_events (tenant_id, tool_call_id, type, tool, called_as, tool_version, effect, front, key_id, principal, principal_kind,
    persona, input_hash, status, error_code, duration_ms, session_id, at)
  select $1, 'call-' || call, case when n % 2 = 1 then 'tool.call.started' when failed then 'tool.call.failed' else 'tool.call.completed' end,
    'made.tool.' || call % 40, 'made.tool.' || call % 40, 1, 'write', 'mcp', 'key-' || call % 20, 'agent-' || call % 200, 'agent', 'agent',
    md5(call::text), case when n % 2 = 1 then null when failed then 'error' else 'success' end,
    case when n % 2 = 0 and failed then case when call % 5000 = 0 then 'INTERNAL' else 'CONFLICT' end end,
    case when n % 2 = 0 then 5 end, 'session-' || call / 200, now() - interval '365 days' * (1 - n::float8 / $2)
  from generate_series(1, $2::int) n, lateral (select (n + 1) / 2 as call) c, lateral (select call % 50 = 0 as failed) f`;

async function linked(owner: Owner, tenant: string): Promise<void> {
  const open = `select 1 from ledger_events e where e.tenant_id = $1 and (e.xid, e.id) > (
    select s.to_xid, s.to_id from ledger_seals s where s.tenant_id = $1 order by s.seq desc limit 1)
    or not exists (select 1 from ledger_seals where tenant_id = $1) limit 1`;
  await eventually('the ledger is linked', async () => (await owner(open, [tenant])).length === 0, linkedWithin);
}

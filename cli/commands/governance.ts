import { InvalidArgumentError } from 'commander';
import type { Approval } from '../../contracts/governance/policy.ts';
import { argument, choice, limit, list, number, oneOf, option, repeated, typed } from '../fields.ts';
import { facts, oneLine, paint, painted, pick, say, table } from '../output.ts';
import { type Given, plain, type Rows, valuesOf, verb } from '../table.ts';

const classes = ['A0', 'A1', 'A2'] as const;
const server = {
  name: '<name>',
  target: '<target>',
  args: '[args...]',
  transport: choice('--transport <kind>', ['stdio', 'http', 'sse']),
  env: option('--env <name[=value]>', 'environment of a command; without a value: as it is here', repeated),
  header: option('--header <name: value>', 'sent to a url with each request', repeated),
  cwd: option('--cwd <folder>', 'where a command is started'),
  timeout_ms: option('--timeout <ms>', 'for one call', number(100, 600_000)),
  concurrency: option('--concurrency <n>', 'calls at the same time', number(1, 256)),
  approval: choice('--approval <class>', classes, 'what its tools ask: A0 nothing, A1 by level of care, A2 always'),
  approve_all: option('--approve-all', 'approve its tools as they are, but for suspicious ones'),
} as const;
export type NewServer = Given<typeof server>;

const imported = {
  files: '<files...>',
  only: option('--only <list>', 'these alone', list),
  approval: choice('--approval <class>', classes, 'what their tools ask'),
  approve_all: option('--approve-all', 'approve their tools as they are, but for suspicious ones'),
} as const;
export type ImportedServers = Given<typeof imported>;

const paintHealth = painted({ healthy: 'green', unhealthy: 'red', unknown: 'dim' });

const showApproval = ({ data: { approval } }: { data: { approval: Approval } }): void =>
  facts({
    ...pick(approval, 'approval_id as approval', 'status', 'called_as as tool'),
    'asked by': `${oneLine(approval.requested_by)} (${approval.requester_kind})`,
    why: oneLine(approval.reason),
    arguments: JSON.stringify(approval.arguments, null, 2),
    policy: `${approval.policy} ${approval.policy_version}`,
    ...pick(approval, 'expires_at as expires', 'decided_by as decided by', 'note'),
    answer: approval.answer === null ? null : JSON.stringify(approval.answer, null, 2),
  });

const decision = (name: 'approve' | 'reject', help: string): Rows[string] =>
  plain({
    help,
    takes: { approval_id: '<id>', note: option('--note <text>', 'why; the caller reads it') },
    examples: [`signalbox approvals ${name} apr_01jd3f8k2m9x4v7qn5ra --note "as agreed"`],
    tool: `approval.request.${name}`,
    show: showApproval,
  });

const unit: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `15m`, `2h`, `1d` (that long ago), or a timestamp. @returns ISO time */
function time(text: string): string {
  const [, count, of] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const at = count && of ? Date.now() - Number(count) * (unit[of] ?? 0) * 1000 : Date.parse(text);
  if (Number.isNaN(at)) throw new InvalidArgumentError('A span like 15m, 2h, 1d, or a time like 2026-01-31T08:00:00Z.');
  return new Date(at).toISOString();
}

const range = {
  tool: option('--tool <name>', 'calls of this tool'),
  tool_call_id: option('--call <id>', 'one call'),
  type: choice('--type <type>', ['started', 'completed', 'failed'], 'started, completed or failed'),
  principal: option('--principal <name>', 'calls of this worker or person'),
  error_code: option('--error <code>', 'failed with this code, e.g. CONFLICT'),
  since: option('--since <time>', 'e.g. 15m, 2h, 1d or a time', time),
  until: option('--until <time>', 'likewise', time),
};

/** Filters that a search and an export share. */
const inRange = <T extends { type?: 'started' | 'completed' | 'failed' }>({ type, ...wanted }: T) => ({
  ...wanted,
  type: type && (`tool.call.${type}` as const),
});

// Not imported from contracts, so that `--help` does not load zod.
const exportTypes = ['entities', 'signals', 'opportunities', 'knowledge_graph', 'feedback_log', 'full_backup'] as const;
const out = option('--out <path>', 'the file; default: its own name, here');

const limited = (used: number, most: number | null): string => `${used} of ${most ?? 'any number'}`;

/** Commands for keys, policies, the ledger and usage. */
export const governanceRows: Rows = {
  servers: {
    help: 'other MCP servers whose tools are called through this one\nExternal MCP servers: their tools are called external.{server}.{tool}, once a person has approved them.',
  },
  'servers add': verb({
    help: 'make one known\nAdds a server by its command (with arguments after --) or its url, and shows the tools that wait for approval.',
    takes: server,
    examples: [
      'signalbox servers add files -- npx -y @modelcontextprotocol/server-filesystem /data',
      'signalbox servers add crm https://mcp.example.com/mcp --header "Authorization: Bearer …" --approve-all',
    ],
    run: async (given) => (await import('../servers.ts')).addServer(given),
  }),
  'servers import': verb({
    help: 'take over those of another client\nAdds the servers of mcp.json, claude_desktop_config.json and the like. ${NAME} is filled from the environment and kept sealed.',
    takes: imported,
    examples: ['signalbox servers import .mcp.json --approve-all'],
    run: async (given) => (await import('../servers.ts')).importServers(given),
  }),
  'servers ls': plain({
    help: 'list them with their health\nLists external servers: whether they answer, and how many of their tools can be called.',
    examples: ['signalbox servers ls'],
    tool: 'external.server.list',
    list: 'servers',
    columns: [
      'name',
      'transport',
      {
        health: ({ enabled, health }) => (enabled ? health : 'off'),
        tools: ({ tools }) => tools.approved,
        waiting: ({ tools }) => tools.waiting + tools.changed,
        where: ({ target: { url, command, args = [] }, last_error }) =>
          [url ?? [command, ...(args as string[])].join(' '), last_error].filter(Boolean).join(': '),
      },
    ],
    looks: { health: paintHealth },
    none: 'No external servers.',
  }),
  'servers test': verb({
    help: 'ask one now\nAsks a server what it offers, and says how long it took or why it failed.',
    takes: { name: '<name>' },
    examples: ['signalbox servers test crm'],
    run: async ({ name, json }) => (await import('../servers.ts')).testServer(name, json),
  }),
  'servers approve': verb({
    help: 'let its tools be called\nShows tools that wait or have changed, with what looks suspicious. With names, or --all, they are approved.',
    takes: { name: '<name>', tools: '[tools...]', all: option('--all', 'all but suspicious ones') },
    examples: ['signalbox servers approve crm # look first', 'signalbox servers approve crm --all'],
    run: async ({ name, tools, all = false, json }) => (await import('../servers.ts')).approveTools(name, tools, all, json),
  }),
  'servers rm': plain({
    help: 'forget one\nRemoves a server, its credentials and what was approved of it.',
    takes: { name: '<name>' },
    examples: ['signalbox servers rm crm'],
    tool: 'external.server.remove',
    show: (_, { name }) => say(`${name} is removed.`),
  }),

  approvals: {
    help: 'calls that wait for a person\nCalls that wait for a person, and what became of them. Approving runs a call once, with just the arguments shown.',
  },
  'approvals ls': plain({
    help: 'list them, newest first',
    takes: {
      status: option(
        '--status <status>',
        'pending, approved, rejected, completed, failed, ambiguous, … or all',
        typed<'all' | Approval['status']>,
        'pending',
      ),
      limit: limit(100, 25),
    },
    examples: ['signalbox approvals ls', 'signalbox approvals ls --status ambiguous # whose outcome nobody knows'],
    tool: 'approval.request.list',
    list: 'approvals',
    columns: ['approval_id as id', 'status', 'tool', 'requested_by as asked by', 'requested_at as asked at', 'reason as why'],
    none: ({ status }) => (status === 'pending' ? 'Nothing waits for a decision.' : 'No approvals.'),
  }),
  'approvals get': plain({
    help: 'what a call asks for, and its answer',
    takes: { approval_id: '<id>' },
    examples: ['signalbox approvals get apr_01jd3f8k2m9x4v7qn5ra'],
    tool: 'approval.request.get',
    show: showApproval,
  }),
  'approvals approve': decision('approve', 'let it run, once'),
  'approvals reject': decision('reject', 'it never runs'),

  jobs: { help: 'look at and cancel long-running work\nWork that goes on after its call was answered, such as an ingestion.' },
  'jobs get': verb({
    help: 'state, progress and result\nShows a job.',
    takes: { id: '<id>', wait: option('--wait', 'until it has ended') },
    examples: ['signalbox jobs get job_01jd3f8k2m9x', 'signalbox jobs get job_01jd3f8k2m9x --wait # follows it to its end'],
    run: async ({ id, wait = false, json }) => (await import('../jobs.ts')).getJob(id, wait, json),
  }),
  'jobs cancel': plain({
    help: 'stop a job\nAsks a job to stop. What it has written so far it takes back.',
    takes: { job_id: '<id>' },
    examples: ['signalbox jobs cancel job_01jd3f8k2m9x'],
    tool: 'system.job.cancel',
    show: ({ data: { job } }) => say(`${job.job_id} is ${job.status}; it ends when its current step is done.`),
    aside: false,
  }),

  ledger: plain({
    help: 'who called what, with which outcome\nSearches the record of all calls of your tenant, newest first. It holds hashes and references, never arguments.',
    takes: { ...range, changes_only: option('--changes-only', 'calls of tools that change something'), limit: limit(100, 30) },
    examples: [
      'signalbox ledger --since 1h --type failed # what went wrong lately',
      'signalbox ledger --principal builder-1 --tool work.task.complete',
    ],
    tool: 'system.ledger.search',
    input: ({ json: _, ...wanted }) => inRange(wanted),
    list: 'events',
    columns: [
      { at: ({ at }: { at: string }) => at.slice(0, 23).replace('T', ' '), event: ({ type }) => type.replace('tool.call.', '') },
      'tool',
      'principal as by',
      'front as through',
      { ms: ({ duration_ms }) => duration_ms && Math.round(duration_ms), outcome: ({ error_code, status }) => error_code ?? status },
      'tool_call_id as call',
    ],
    looks: { event: (text, { type }) => (type.endsWith('failed') ? paint('red', text) : text) },
    none: 'No entries.',
  }),
  'ledger verify': verb({
    help: 'has it been changed?\nHolds the ledger of your tenant, or an exported file of it, against its chain. Exit code 1 when something was changed, taken out or put in. A file is checked here, without a server, under the key of the installation that wrote it.',
    takes: { file: option('--file <path>', 'of signalbox ledger export') },
    examples: [
      'signalbox ledger verify --json # with the head of the chain, to be kept elsewhere',
      'signalbox ledger verify --file ledger.jsonl # offline',
    ],
    async run({ file, json }) {
      if (file === undefined) return await (await import('../jobs.ts')).verifyLedger(json);
      await (await import('../exports.ts')).verifyLedgerFile(file, json);
    },
  }),
  'ledger export': verb({
    help: 'into a file\nWrites the ledger, or the part that the options of signalbox ledger name, into a file of JSON lines.',
    takes: { out },
    examples: [
      'signalbox ledger --since 30d export --out ledger.jsonl # the last 30 days, with links',
      'signalbox ledger export --json # where the file is and what it holds',
    ],
    run: async (given, { parent }) =>
      (await import('../exports.ts')).fetchExport('system.ledger.export', inRange(valuesOf(parent!, range)), given),
  }),
  export: verb({
    help: `write records into a file\nWrites records of your tenant into a file: ${exportTypes.join(', ')}. JSON is exact; CSV is a zip with one file per table.`,
    takes: {
      export_type: argument('<type>', 'what', oneOf(...exportTypes)),
      format: option('--format <format>', 'json or csv', oneOf('json', 'csv'), 'json'),
      date_from: option('--from <date>', 'from this date on, e.g. 2026-01-01'),
      date_to: option('--to <date>', 'until this date, included'),
      out,
    },
    examples: [
      'signalbox export signals --format csv --from 2026-01-01 # for a spreadsheet',
      'signalbox export full_backup --out backup.json # everything',
    ],
    run: async ({ out: path, json, ...wanted }) =>
      (await import('../exports.ts')).fetchExport('system.data.export', wanted, { json, ...(path && { out: path }) }),
  }),

  models: {
    help: 'the language model, if one is configured\nEverything works without a language model; one that is configured (LLM_PROVIDER and the like) makes it better.',
  },
  'models test': verb({
    help: 'ask it once\nAsks the model that the environment of this command names one small question, and says how long it took and what it used.',
    examples: ['LLM_PROVIDER=anthropic LLM_MODEL=… LLM_API_KEY=… signalbox models test'],
    run: async ({ json }) => (await import('../models.ts')).testModel(json),
  }),
  'models usage': plain({
    help: 'what was used of it\nShows which model is configured, what your tenant used of it, and the budget of a day.',
    takes: { days: option('--days <n>', 'how many days back', number(1, 366), 7) },
    examples: ['signalbox models usage --days 30'],
    tool: 'system.model.get',
    show({ data: { model, today, budget, usage } }) {
      const spent = {
        'tokens today': limited(today.tokens, budget.tokens_per_day),
        'USD today': limited(today.cost_usd, budget.usd_per_day),
      };
      facts({ model: model ?? 'none', ...spent });
      if (usage.length === 0) return;
      say();
      table(usage, ['day', 'purpose', 'model', 'calls', 'failed', 'input_tokens as in', 'output_tokens as out', 'cost_usd as USD']);
    },
  }),
};

import { InvalidArgumentError } from 'commander';
import { principalKinds, roles } from '../../contracts/caller.ts';
import { clients } from '../../tools/system/clients.shared.ts';
import { choice, hidden, list, needed, number, once, oneOf, option, typed, word } from '../fields.ts';
import { type Given, plain, type Rows, verb } from '../table.ts';

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const longest = 3_650 * units.d;

/** Parses `90d`, `24h`, `30m` or `0s` into milliseconds. */
function duration(text: string): number {
  const [, amount, unit] = /^(\d{1,7})(s|m|h|d)$/.exec(text) ?? [];
  const ms = Number(amount) * units[unit as keyof typeof units];
  if (!(ms <= longest)) throw new InvalidArgumentError('A time such as 90d, 24h, 30m or 0s is needed, at most 3650d.');
  return ms;
}

/** A duration above zero. */
function lifetime(text: string): number {
  const ms = duration(text);
  if (ms === 0) throw new InvalidArgumentError('A key must be valid for more than zero seconds.');
  return ms;
}

const tenant = option('--tenant <name>', "default: the local key's tenant");

const creation = {
  tenant: needed('--tenant <name>', 'whose data it sees'),
  role: needed('--role <role>', roles.join(', '), oneOf(...roles)),
  kind: choice('--kind <kind>', principalKinds, `${principalKinds.join(' or ')}; default: agent for the role agent`),
  name: option('--name <name>', 'what its calls are attributed to'),
  scopes: option('--scopes <list>', 'only these, e.g. work:read,work:write', list),
  profile: option('--profile <name>', 'tools listed by default'),
  rpm: option('--rpm <n>', 'calls per minute', number(1, 1_000_000)),
  burst: option('--burst <n>', 'calls tolerated above that', number(0, 1_000_000)),
  expires: option('--expires <time>', 'when it ends, e.g. 90d; default: never', lifetime),
  capabilities: option('--capability <list>', 'what its agent declares, e.g. cap:index; default: what role and scopes allow', list),
  team: option('--team <name>', 'stakeholder team whose scope holds for its reads'),
};
export type Creation = Given<typeof creation>;

const rotation = {
  id: '<id>',
  tenant,
  grace: option('--grace <time>', 'how long the old one still works', duration, 24 * units.h),
  expires: option('--expires <time>', 'when the new one ends; default: it lives as long as the old one was meant to', lifetime),
} as const;
export type Rotation = Given<typeof rotation>;

const toolCall = {
  name: '<name>',
  args: '[arguments]',
  idempotencyKey: once,
  agentId: option('--agent-id <id>', 'the worker that the call is attributed to'),
} as const;
export type ToolCall = Given<typeof toolCall>;

const backingUp = {
  path: '<path>',
  withKey: option('--with-key', 'include the secret key, which opens stored credentials: keep the backup as safe as the key'),
  withoutBlobs: option('--without-blobs', 'leave ingested files out, because their store has backups of its own'),
} as const;
export type BackupAsked = Given<typeof backingUp>;

const restoring = {
  path: '<path>',
  force: option('--force', 'replace what is there: a folder is moved aside, a database is emptied'),
  withoutKey: option('--without-key', 'without the key of the backup: stored credentials must be entered again'),
  check: option('--check', 'only read the whole backup and compare its checksums'),
} as const;
export type RestoreAsked = Given<typeof restoring>;

/** Commands for this machine's stack, its keys and its tools. */
export const stackRows: Rows = {
  up: verb({
    help: 'start the whole stack\nStarts Postgres, Temporal, the api and a worker on this machine, and stays until Ctrl-C. Data stays in .signalbox/.',
    takes: { detach: option('-d, --detach', 'start in the background and come back when it is ready'), supervise: hidden('--supervise') },
    examples: [
      'signalbox up # start, stop with Ctrl-C',
      'signalbox up --detach # start in the background, stop with `signalbox down`',
      'MCP_SERVER_PORT=9000 signalbox up # on another port',
    ],
    run: async (given) => (await import('../up.ts')).upCommand(given),
  }),
  down: verb({
    help: 'stop the stack\nStops the stack of this folder in order. Nothing is lost: running processes go on at the next start.',
    examples: ['signalbox down'],
    run: async ({ json }) => (await import('../status.ts')).downCommand(json),
  }),
  status: verb({
    help: 'what runs: pids, ports, memory\nShows the parts of the stack of this folder. Exit code 3 when nothing runs.',
    examples: ['signalbox status', 'signalbox status --json # for scripts'],
    run: async ({ json }) => (await import('../status.ts')).statusCommand(json),
  }),
  doctor: verb({
    help: 'check everything and say what to do\nChecks Node, parts, ports, database, Temporal, workers, api, model, and that every open task and job has its process, in the state of its record. With DATABASE_URL and TEMPORAL_ADDRESS it checks servers of your own.',
    takes: {
      fix: option('--fix', 'start lost processes again; end processes that differ from their records, and start them from the records'),
    },
    examples: ['signalbox doctor # exit code 1 when something fails', 'signalbox doctor --fix # and make the processes follow the records'],
    run: async (given) => (await import('../doctor.ts')).doctorCommand(given),
  }),
  top: verb({
    help: 'live view of calls, queues and agents\nShows calls per second, latencies, errors, queues and what waits, until q or Ctrl-C. Reads the api alone, with your key.',
    takes: {
      once: option('--once', 'print one picture and end'),
      interval: option('--interval <seconds>', 'time between two readings', number(1, 60), 2),
    },
    examples: ['signalbox top', 'signalbox top --once --interval 5 # rates of five seconds', 'signalbox top --json # for scripts'],
    run: async (given) => (await import('../top.ts')).topCommand(given),
  }),
  backup: verb({
    help: 'back up records and files while everything runs\nWrites every record as of one moment, and every file that they name, into a folder, or into one file if the path ends in .zip. With DATABASE_OWNER_URL it backs up a server of your own.',
    takes: backingUp,
    examples: [
      'signalbox backup backups/2026-03-01.zip',
      'signalbox backup /mnt/backups/today --without-blobs # files are in an S3 bucket with versions',
    ],
    run: async (given) => (await import('../backup.ts')).backupCommand(given),
  }),
  restore: verb({
    help: 'restore a backup\nRestores records and files into an empty data folder (the stack is down), or into the servers of DATABASE_OWNER_URL and TEMPORAL_ADDRESS. Processes start again from the records.',
    takes: restoring,
    examples: [
      'signalbox restore backups/2026-03-01.zip --check # is it whole?',
      'SIGNALBOX_DATA_DIR=/srv/signalbox signalbox restore backups/2026-03-01.zip',
    ],
    run: async (given) => (await import('../backup.ts')).restoreCommand(given),
  }),
  console: verb({
    help: 'open the web console, signed in\nPrints an address that signs a browser in once with your key, and opens it.',
    takes: { print: option('--print', 'only print the address') },
    examples: ['signalbox console', 'signalbox console --print # for a browser of another user'],
    run: async (given) => (await import('../console.ts')).consoleCommand(given),
  }),
  login: verb({
    help: 'sign in at the issuer of a server\nSigns you in with your browser, here or on another device: it shows an address and a code. Tokens are kept in your configuration folder (mode 0600) and refreshed automatically; all commands use them when no key is set.',
    takes: { browser: option('--no-browser', 'print the address, open no browser') },
    examples: ['SIGNALBOX_URL=https://signalbox.example.com signalbox login', 'signalbox login --no-browser # on a machine without one'],
    run: async (given) => (await import('../login.ts')).loginCommand(given),
  }),
  logout: verb({
    help: 'end your login\nDeletes the tokens of a server, and asks its issuer to revoke them.',
    examples: ['signalbox logout'],
    run: async ({ json }) => (await import('../login.ts')).logoutCommand({ json }),
  }),
  whoami: verb({
    help: 'show as whom commands run\nShows your name, role and rights at the server.',
    examples: ['signalbox whoami', 'signalbox whoami --json'],
    run: async ({ json }) => (await import('../login.ts')).whoamiCommand({ json }),
  }),
  mcp: verb({
    help: 'MCP over stdio, for clients that start a process\nBridges MCP on stdin and stdout to the running stack. Clients start it; `signalbox connect CLIENT` writes their configuration.',
    takes: {
      profile: option('--profile <name>', 'which tools are listed: core, devflow, unified, all, …'),
      agentId: option('--agent-id <id>', 'the worker that calls are attributed to'),
    },
    examples: ['signalbox mcp', "signalbox mcp --profile devflow # with DevFlow's tool names"],
    run: async (given) => (await import('../bridge.ts')).mcpCommand(given),
  }),

  keys: { help: "make, list, rotate and revoke API keys\nAPI keys, straight in the database: for this machine's owner." },
  'keys create': verb({
    help: 'make a key; its secret is shown once\nMakes a key, and its tenant when it is new. Only a hash is kept, so the secret is shown once.',
    takes: creation,
    examples: [
      'signalbox keys create --tenant acme --role agent --name builder-1 # an agent',
      'signalbox keys create --tenant acme --role agent --expires 90d --capability cap:index # for a time, for some tools',
      'signalbox keys create --tenant acme --role stakeholder --team sales # sees what its team may see',
      'signalbox keys create --tenant acme --role readonly --json # for scripts: {"api_key": …}',
    ],
    run: async (given) => (await import('../keys.ts')).createKey(given),
  }),
  'keys ls': verb({
    help: 'list the keys of a tenant\nLists the keys of a tenant, without secrets.',
    takes: { tenant },
    examples: ['signalbox keys ls --tenant acme'],
    run: async (given) => (await import('../keys.ts')).listKeys(given),
  }),
  'keys rotate': verb({
    help: 'replace a key; its new secret is shown once\nMakes a new secret with the same name, rights and limits. The old one works until the grace is over.',
    takes: rotation,
    examples: ['signalbox keys rotate key_01jd3f8k2m9x --tenant acme --grace 24h'],
    run: async (given) => (await import('../keys.ts')).rotateKey(given),
  }),
  'keys revoke': verb({
    help: 'end a key\nEnds a key. Calls with it are refused within two seconds.',
    takes: { id: '<id>', tenant },
    examples: ['signalbox keys revoke key_01jd3f8k2m9x --tenant acme'],
    run: async (given) => (await import('../keys.ts')).revokeKey(given),
  }),

  tools: { help: 'list, describe and call tools\nEvery tool, by any of its names, called like any other client would.' },
  'tools ls': verb({
    help: 'list tools\nLists the tools your key may call.',
    takes: {
      profile: option(
        '--profile <name>',
        'core (what clients are shown first), devflow, agentic-rag, unified, all, …',
        typed<string>,
        'unified',
      ),
    },
    examples: ['signalbox tools ls # every tool', 'signalbox tools ls --profile core # what a client is shown first'],
    run: async ({ profile, json }) => (await import('../tools.ts')).listCommand(profile, json),
  }),
  'tools describe': plain({
    help: 'arguments and answer of a tool\nShows what a tool takes, answers and may do, by any of its names.',
    takes: { name: '<name>' },
    examples: ['signalbox tools describe work.task.claim', 'signalbox tools describe claim_task --json # with the whole schemas'],
    tool: 'system.tool.describe',
    show: async ({ data }) => (await import('../tools.ts')).showTool(data),
    aside: false,
  }),
  'tools call': verb({
    help: 'call a tool\nCalls a tool with a JSON object, given directly, as @FILE, or as - for stdin. Prints its data; with --json the whole envelope.',
    takes: toolCall,
    examples: [
      `signalbox tools call work.task.create '{"description":"Fix login","phase_id":2}'`,
      'signalbox tools call work.board.get # no arguments',
      'signalbox tools call index.chunk.search @query.json --json # arguments from a file',
    ],
    run: async (given) => (await import('../tools.ts')).callCommand(given),
  }),
};

const connection = {
  client: word('<client>', 'whose configuration', clients),
  write: option('--write', "write it into the client's file"),
  user: option('--user', "the user's file instead of this project's, where a client has both"),
  profile: option('--profile <name>', 'which tools the client is shown: core, devflow, unified, all, …'),
  agentId: option('--agent-id <id>', 'the name under which it works; default: of client, host and folder'),
  skills: option('--skills', 'also skills and a subagent that know how to work on tasks (claude-code, codex, opencode)'),
  force: option('--force', 'with --skills: replace or remove also what you have changed'),
  remove: option('--remove', 'with --skills: remove them'),
};
export type Connection = Given<typeof connection>;

/** Commands that configure other programs on this machine. */
export const clientRows: Rows = {
  connect: verb({
    help: "print or write a client's configuration\nPrints what a client needs to use Signalbox, or writes it into its configuration file: other entries stay, a backup is made.",
    takes: connection,
    examples: [
      'signalbox connect claude-code # shows it',
      'signalbox connect cursor --write # into .cursor/mcp.json of this folder',
      'signalbox connect vscode --write --profile devflow',
      'signalbox connect claude-code --write --skills # with skills for its model',
    ],
    run: async (given) => (await import('../connect.ts')).connectCommand(given),
  }),
  completion: verb({
    help: 'completion for your shell\nPrints a completion script.',
    takes: { shell: word('<shell>', 'for which shell', ['bash', 'zsh', 'fish']) },
    examples: [
      'signalbox completion bash >> ~/.bashrc',
      'signalbox completion zsh > ~/.zfunc/_signalbox # a folder of $fpath',
      'signalbox completion fish > ~/.config/fish/completions/signalbox.fish',
    ],
    async run({ shell }, { parent }) {
      const { completionScript } = await import('../completion.ts');
      process.stdout.write(completionScript(parent!, shell));
    },
  }),
};

/** The cost of limit, policy, ledger and envelope for an allowed read: the pipeline compared with the bare handler, in one process. */
import { openOutside } from '../../adapters/open.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { createLogger } from '../../platform/logger.ts';
import { createServices, type Services } from '../../services/index.ts';
import { Catalogue } from '../../tools/catalogue/catalogue.ts';
import type { ToolContext } from '../../tools/catalogue/define.ts';
import { ToolDirectory } from '../../tools/catalogue/directory.ts';
import { tools } from '../../tools/index.ts';
import { Metrics } from '../../tools/catalogue/metrics.ts';
import { Pipeline } from '../../tools/catalogue/pipeline.ts';
import { toolVersions } from '../../tools/catalogue/registry.ts';
import type { Context } from '../context.ts';
import { ms, spreadText, type Line, type Section } from '../report.ts';
import { spread, takeTurns } from '../stats.ts';

const tenant = 'pipeline';
const goal = 1;

/** A read with one short query, and a read without any query. */
const reads: { title: string; tool: string; args: Record<string, unknown> }[] = [
  { title: 'a read of one query (work.phase.list)', tool: 'work.phase.list', args: {} },
  { title: 'a read without any (system.tool.describe)', tool: 'system.tool.describe', args: { name: 'work.phase.list' } },
];

/** A tenant's rules, all of which are checked for every read. */
const rules = [
  { when: 'tool.domain == "connector" && caller.kind == "agent"', effect: 'ask', reason: 'Agents ask before they write to others.' },
  { when: 'tool.effect == "destructive" && caller.role != "admin"', effect: 'deny', reason: 'Only admins delete.' },
  { when: 'tool.external && caller.team == "sales"', effect: 'deny', reason: 'Sales stays inside.' },
] as const;

export async function measurePipeline({ stack, quick }: Context): Promise<Section> {
  const outside = await openOutside(
    { ...stack.config, DATABASE_URL: stack.runtime.database_url, TEMPORAL_ADDRESS: stack.runtime.temporal, EMBEDDING_MODEL_DIR: 'none' },
    createLogger('bench', 'warn'),
  );
  const services = createServices(outside);
  try {
    const catalogue = new Catalogue(tools);
    const directory = new ToolDirectory(catalogue, await toolVersions(outside.db.query, tools), null);
    const log = createLogger('bench', 'warn');
    const pipeline = new Pipeline({ tools: directory, services, metrics: new Metrics(), log, logRequests: false });
    const key = await stack.key({ tenant, role: 'admin', name: 'reader', policy: 'house' });
    const caller = (await services.governance.keys.authenticate(key))!;
    await asTenant(tenant, () =>
      services.governance.policies.save(caller, 'house', { base: 'standard', rules: rules.map((rule) => ({ ...rule })) }, null),
    );
    const lines: Line[] = [];
    for (const read of reads) lines.push(await measure(read, { pipeline, directory, services, caller, quick }));
    return {
      title: 'What the pipeline adds to an allowed read',
      lines,
      notes: [
        'Product: through limit, validation, policy (three CEL rules), ledger (two entries) and envelope. Floor: the handler alone.',
        'Both in the same process, in turns; no front end.',
      ],
    };
  } finally {
    await services.governance.keys.close();
    await services.governance.ledger.close();
    await outside.close();
  }
}

interface Parts {
  pipeline: Pipeline;
  directory: ToolDirectory;
  services: Services;
  caller: Caller;
  quick: boolean;
}

async function measure(
  { title, tool: name, args }: (typeof reads)[number],
  { pipeline, directory, services, caller, quick }: Parts,
): Promise<Line> {
  const { tool } = pipeline.catalogue.named(name);
  const context: ToolContext = {
    caller: { ...caller, access: await services.governance.policies.accessOf(caller) },
    front: 'mcp',
    services,
    tools: directory,
    toolCallId: 'bench',
    callKey: 'bench',
    signal: new AbortController().signal,
    progress: () => {},
  };
  const times = await takeTurns(
    {
      pipeline: async () => {
        const { error } = await pipeline.call({ name, arguments: args, caller, front: 'mcp' });
        if (error) throw error;
      },
      handler: () => asTenant(caller.tenant, () => tool.handler(tool.input.parse(args), context)),
    },
    quick ? { rounds: 10, block: 100, warmUp: 200 } : { rounds: 40, block: 250, warmUp: 1_000 },
  );
  const [through, bare] = [spread(times.pipeline), spread(times.handler)];
  const added = through.p50 - bare.p50;
  return {
    path: `${title}: + ${ms(added)} ms`,
    product: spreadText(through),
    floor: spreadText(bare),
    goal: `p50 + ${goal} ms`,
    met: added <= goal,
    figures: { product: through, floor: bare, added },
  };
}

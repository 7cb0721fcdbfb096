import { z } from 'zod';
import { usageGroups, usageRow, usageSum } from '../../contracts/work/runs.ts';
import { phaseId } from '../../contracts/work/work.ts';
import { instant } from '../../contracts/times.ts';
import { defineTool } from '../catalogue/define.ts';

const defaultDays = 30;

export default defineTool({
  name: 'work.usage.get',
  title: 'Read what runs of agents used',
  description:
    'Tokens, cost, time and number of runs, summed by task, agent, phase or day; of the last 30 days unless since says otherwise.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L2',
  input: z.object({
    by: z.enum(usageGroups).default('agent'),
    since: instant.optional().describe('Runs that began at or after this time'),
    phase_id: phaseId.optional(),
    limit: z.number().int().min(1).max(500).default(100),
  }),
  output: z.object({ since: z.string(), rows: z.array(usageRow), total: usageSum }),
  intents: ['what did the agents cost', 'tokens per task', 'spending per day'],
  aliases: [],
  async handler({ by, since = new Date(Date.now() - defaultDays * 86_400_000).toISOString(), phase_id, limit }, { caller, services }) {
    return { data: { since, ...(await services.work.runQueries.usage(caller.tenant, by, { since, phase_id, limit })) } };
  },
});

import { z } from 'zod';
import { graphCounts } from '../../contracts/graph/episodes.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { groupId, groupIds } from './group.ts';

const input = z.object({
  dry_run: z.boolean().default(false).describe('Only count'),
  group_id: groupId,
  group_ids: groupIds,
});
const output = graphCounts.extend({
  dry_run: z.boolean(),
  job_id: z.string().optional(),
  workflow_id: z.string().optional(),
  status: z.string().optional(),
});

const clearGraph: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'clear_graph',
  system: 'agentic-rag',
  description: "Reset your tenant's knowledge graph: every episode, entity and fact. Ingested documents stay.",
  input: z.object({
    dry_run: z.boolean().default(false).describe('Only count'),
    group_id: z.string().max(256).optional().describe('Always your tenant'),
    group_ids: z.array(z.string().max(256)).max(100).optional().describe('Always your tenant'),
  }),
  toInput: (args) => args,
  toText: ({ dry_run, status, job_id, episodes, nodes, facts, relations }) => {
    const what = `${episodes} episodes, ${nodes} entities, ${facts} facts and ${relations} relations`;
    if (dry_run) return `Nothing was deleted. Clearing the graph would delete ${what}.`;
    return status === 'completed' ? `Graph cleared: ${what} deleted.` : `The graph is being cleared (job ${job_id}): ${what}.`;
  },
};

export default defineTool({
  name: 'graph.store.clear',
  title: 'Clear the graph',
  description:
    'Deletes every episode, entity, fact and open question of your graph, for good; ingested documents stay searchable, and ingest.pipeline.run rebuilds the graph from them. dry_run counts first. Answers accepted with a job when it takes longer.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A2',
  asks: ({ dry_run }) => !dry_run,
  scopes: ['graph:admin'],
  latency: 'L5',
  input,
  output,
  intents: ['reset the graph', 'clear the knowledge graph', 'delete all entities and facts'],
  aliases: [clearGraph],
  async handler({ dry_run, group_id, group_ids }, { caller, services, progress }) {
    const ignored = services.graph.groupWarnings(caller, [...(group_ids ?? []), ...(group_id === undefined ? [] : [group_id])]);
    const { clearing } = services.graph;
    if (dry_run) return { data: { ...(await clearing.preview(caller.tenant)), dry_run }, warnings: ignored };
    const { job, counts, joined, refs } = await clearing.run(caller, { onProgress: progress });
    const finished = job.status === 'completed';
    return {
      data: { ...counts, dry_run, job_id: job.job_id, workflow_id: job.workflow_id, status: job.status },
      refs,
      warnings: [...(joined ? ['A clearing was already running: this is its job.'] : []), ...ignored],
      ...(finished ? {} : { status: 'accepted' as const }),
    };
  },
});

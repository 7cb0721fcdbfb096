import { z } from 'zod';
import { systemHealth } from '../../contracts/health.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'system.health.get',
  title: 'Health of the system',
  description:
    'Whether the database, the synchronisation with Neo4j, the workflow engine and the vector store work, how many ingestions and doubtful entity matches wait, and how the last pipeline run ended.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  // Contains only counts and states, no evidence.
  scoped: true,
  scopes: [],
  latency: 'L1',
  input: z.object({}),
  output: systemHealth,
  intents: [
    'is everything working',
    'system status',
    'is the graph in sync',
    'how many ingestions are pending',
    'length of the entity resolution queue',
    'when did the pipeline last run',
  ],
  aliases: [
    {
      name: 'get_system_health',
      system: 'pm-intelligence',
      description:
        'State of the database and of the Neo4j synchronisation, waiting ingestion jobs, length of the entity-resolution queue, and the latest pipeline run.',
      input: z.object({}),
      toInput: () => ({}),
    },
  ],
  async handler(_input, { caller, services }) {
    const health = await services.health.system(caller.tenant);
    return { data: health, warnings: health.status === 'healthy' ? [] : [`The system is ${health.status}: ${troubles(health)}.`] };
  },
});

const troubles = (health: z.infer<typeof systemHealth>): string =>
  [
    health.database.status === 'down' && 'the database does not answer',
    health.workflow_engine.status === 'down' && 'the workflow engine does not answer, so nothing new is begun',
    health.vector_store.status === 'down' && 'the vector store does not answer, and Postgres searches instead',
    health.neo4j_sync.status === 'down' && 'Neo4j does not answer, and Postgres traverses the graph',
  ]
    .filter(Boolean)
    .join('; ');

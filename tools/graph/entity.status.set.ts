import { z } from 'zod';
import { entityId } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'entity.status.set',
  title: 'Set the status of an entity',
  description:
    'Notes how far an issue or feature is, as a person or another system says: open, in_progress, fixed, or its own word. The history keeps what it was before.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['graph:write'],
  latency: 'L1',
  input: z.object({
    entity_id: entityId,
    status: words(64).describe('E.g. open, in_progress, fixed'),
    source: words(64).describe('Who says so, e.g. jira'),
  }),
  output: z.object({
    entity_id: z.string(),
    name: z.string(),
    type: z.string(),
    status: z.string(),
    source: z.string(),
    previous_status: z.string().nullable(),
    changed: z.boolean(),
  }),
  intents: ['the issue is fixed', 'mark a feature as shipped', 'sync the status of a ticket'],
  aliases: [],
  async handler({ entity_id, status, source }, { caller, services }) {
    const done = await services.graph.commands.setStatus(caller, entity_id, status, source);
    return { data: done, refs: [{ type: 'entity', id: done.entity_id }] };
  },
});

import { z } from 'zod';
import { entityId, entityName } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';

const input = z.object({
  kind: z.enum(['merge', 'split', 'alias']),
  entity_ids: z.array(entityId).min(1).max(2).describe('merge: two; split, alias: one'),
  name: entityName.optional().describe('split: what the other one is called; alias: the name'),
  reason: words(2_000),
  confidence: z.number().min(0).max(1).default(0.5),
});

export default defineTool({
  name: 'entity.proposal.submit',
  title: 'Propose a change of entities',
  description:
    'Proposes that two entities are one (merge), that one is two (split), or that something is a name of one (alias). A person decides: it lands in entity.review.list. Proposed already, it answers that question.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['graph:write'],
  latency: 'L1',
  input,
  output: z.object({ feedback_id: z.string() }),
  intents: ['propose merging two entities', 'suggest an alias', 'report a duplicate entity', 'propose a split'],
  aliases: [],
  async handler({ kind, entity_ids, name, reason, confidence }, { caller, services }) {
    const { feedback_id, existed } = await services.graph.changes.propose(caller, {
      kind,
      entityIds: entity_ids,
      name,
      reason,
      confidence,
    });
    return {
      data: { feedback_id },
      refs: entity_ids.map((id) => ({ type: 'entity' as const, id })),
      warnings: existed ? ['This was proposed before: this is that question.'] : [],
    };
  },
});

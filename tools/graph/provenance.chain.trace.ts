import { z } from 'zod';
import { entityId, entityRef, evidence } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  claim: words(2000).optional().describe('A sentence, e.g. "47 customers affected by the auth issue"'),
  entity_id: entityId.optional().describe('Instead: an entity'),
  opportunity_id: words(64).optional().describe('Instead: an opportunity'),
  limit: z.number().int().min(1).max(100).default(20),
});
const output = z.object({
  subject: z.object({
    kind: z.enum(['claim', 'entity', 'opportunity']),
    claim: z.string().optional(),
    /** Title of the opportunity. */
    title: z.string().optional(),
    /** Its entities, as far as known. */
    entities: z.array(entityRef),
  }),
  /** By weight; empty when nothing supports it. */
  chain: z.array(evidence),
  /** Numbers in the claim with the actual counts. */
  checks: z.array(z.object({ text: z.string(), what: z.string(), said: z.number(), counted: z.number() })),
});

const getProvenance: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_provenance',
  system: 'pm-intelligence',
  description:
    'From an insight, number or claim back to the signals behind it: the whole chain of evidence. Give exactly one of the three.',
  input: input.omit({ limit: true }),
  toInput: (args) => ({ ...args, limit: 50 }),
};

export default defineTool({
  name: 'provenance.chain.trace',
  title: 'Trace a claim to its evidence',
  description:
    'From a claim, an entity or an opportunity back to the passages and facts that support it, each with citation, excerpt, date and weight. Numbers in a claim are counted. An empty chain means that nothing ingested supports it.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['graph:read'],
  latency: 'L2',
  input,
  output,
  intents: [
    'where does this number come from',
    'is this claim supported',
    'show the evidence',
    'which signals say so',
    'check a statement',
  ],
  aliases: [getProvenance],
  async handler({ claim, entity_id, opportunity_id, limit }, { caller, services }) {
    const traced = await services.graph.provenance.trace(
      caller.tenant,
      { claim, entityId: entity_id, opportunityId: opportunity_id },
      limit,
    );
    const { subject, chain, checks, total, warnings } = traced;
    return {
      data: { subject, chain, checks },
      metadata: { result_count: chain.length, total_count: total },
      refs: subject.entities.map((each) => ({ type: 'entity' as const, id: each.entity_id })),
      warnings,
    };
  },
});

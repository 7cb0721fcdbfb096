import { z } from 'zod';
import { entityName, entityRef, entityType, matchedTypes } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  entity_name: entityName.describe('The entity that holds what belongs to two'),
  entity_type: entityType,
  new_entity_name: entityName.describe('What the other one is called'),
  notes: words(2_000).optional(),
});

const output = z.object({
  job_id: z.string(),
  workflow_id: z.string(),
  status: z.string(),
  /** After the split. */
  original: entityRef.nullable(),
  created: entityRef.nullable(),
  signals_moved: z.number().optional(),
  /** Number of signals that a person is asked about: entity.review.list. */
  signals_for_review: z.number().optional(),
});

const splitEntity: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'split_entity',
  system: 'pm-intelligence',
  description: 'Undoes a wrong merge: each signal is scored against both names and goes where it belongs; unsure ones go to review.',
  input: input.extend({ entity_type: z.enum(matchedTypes) }),
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'entity.record.split',
  title: 'Split an entity',
  description:
    'Undoes a wrong merge, or divides what was never two: every mention goes to the name it was made under, those that fit both stay and are asked about. The two are never merged again without a person. Answers accepted with a job when it takes longer.',
  effect: 'destructive',
  idempotent: false,
  external: false,
  approval: 'A1',
  scopes: ['graph:write'],
  latency: 'L5',
  input,
  output,
  intents: ['undo a wrong merge', 'these are two different customers', 'separate two entities'],
  aliases: [splitEntity],
  async handler({ entity_name, entity_type, new_entity_name, notes }, { caller, services, callKey }) {
    const job = await services.graph.changes.split(caller, {
      name: entity_name,
      type: entity_type,
      newName: new_entity_name,
      notes: notes ?? null,
      callKey,
    });
    if (job.error) throw services.graph.changes.failureOf(job);
    const { original, created, signals_moved, signals_for_review } = (job.result ?? {}) as Record<string, never>;
    const entities = await services.graph.reviews.entities(caller.tenant, [original, created]);
    const refs = [original, created].filter((id) => id !== undefined).map((id) => ({ type: 'entity' as const, id }));
    return {
      data: {
        job_id: job.job_id,
        workflow_id: job.workflow_id,
        status: job.status,
        original: entities.get(original) ?? null,
        created: entities.get(created) ?? null,
        ...(signals_moved === undefined ? {} : { signals_moved, signals_for_review }),
      },
      refs: [...services.jobs.refs(job), ...refs],
      ...(job.status === 'completed' ? {} : { status: 'accepted' }),
    };
  },
});

import { z } from 'zod';
import { entityId, neighbourhood } from '../../contracts/graph/graph.ts';
import { AppError } from '../../contracts/errors.ts';
import { defineTool } from '../catalogue/define.ts';

/** Added per step. */
const mostAdded = 25;

export default defineTool({
  name: 'graph.neighbourhood.get',
  title: 'Show the neighbourhood of an entity',
  description:
    'An entity and its neighbours, at most 300, strongest connections first: how often they are mentioned together, and when the facts between them were valid. With known: at most 25 further neighbours and their connections to the known ones.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['graph:read'],
  latency: 'L2',
  input: z.object({
    entity_id: entityId,
    depth: z.number().int().min(0).max(3).default(1).describe('Steps away; ignored with known'),
    limit: z.number().int().min(1).max(300).default(60).describe('Entities, including the central one; at most 25 with known'),
    known: z.array(entityId).max(300).default([]).describe('Entities that you already have: only others are returned'),
  }),
  output: neighbourhood,
  intents: ['graph around a customer', 'expand a node of the graph', 'connections of an entity with dates', 'draw the neighbourhood'],
  aliases: [],
  async handler({ entity_id, depth, limit, known }, { caller, services }) {
    if (known.length + 1 > 300) {
      throw new AppError('VALIDATION_ERROR', 'A picture of 300 entities is full.', { hint: 'Remove some ids from known.' });
    }
    const room = known.length > 0 ? Math.min(limit, mostAdded, 300 - known.length) : limit;
    const found = await services.graph.neighbourhoods.of(caller.tenant, entity_id, { depth, limit: room, known });
    return { data: found, metadata: { result_count: found.entities.length }, refs: [{ type: 'entity', id: found.root }] };
  },
});

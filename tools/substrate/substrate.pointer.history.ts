import { z } from 'zod';
import { pageCursor, pointerId, pointerMove } from '../../contracts/substrate/substrate.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'substrate.pointer.history',
  title: 'Moves of a pointer',
  description: 'Where a pointer has been, newest first: from which manifest to which, by whom and why.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['substrate:read'],
  latency: 'L1',
  input: z.object({ pointer_id: pointerId, limit: z.number().int().min(1).max(100).default(50), cursor: pageCursor.optional() }),
  output: z.object({ moves: z.array(pointerMove) }),
  intents: ['who moved this pointer', 'earlier versions of a snapshot', 'find the manifest to roll back to'],
  aliases: [],
  async handler({ pointer_id, ...paging }, { caller, services }) {
    const page = await services.substrate.pointers.history(caller.tenant, pointer_id, paging);
    return { ...paged('moves', page), refs: [{ type: 'pointer', id: pointer_id }] };
  },
});

import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { pageCursor, pointerSummary } from '../../contracts/substrate/substrate.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

const input = z.object({
  prefix: words(200).optional().describe('Beginning of the name, e.g. release/'),
  limit: z.number().int().min(1).max(100).default(50),
  cursor: pageCursor.optional(),
});
const output = z.object({ pointers: z.array(pointerSummary) });

const named = (name: string): Alias<z.input<typeof input>, z.infer<typeof output>> => ({
  name,
  system: 'intelli-platform',
  input,
  toInput: (args) => args,
});

export default defineTool({
  name: 'substrate.pointer.list',
  title: 'List pointers',
  description: 'Movable named references to manifests, by name, each with the manifest it points at now.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['substrate:read'],
  latency: 'L1',
  input,
  output,
  intents: ['which pointers are there', 'list releases', 'named references to snapshots'],
  aliases: [
    named('substrate.pointer.list'),
    { ...named('list_pointers'), unlisted: true, deprecated: { replacement: 'substrate.pointer.list' } },
  ],
  async handler(args, { caller, services }) {
    return paged('pointers', await services.substrate.pointers.list(caller.tenant, args));
  },
});

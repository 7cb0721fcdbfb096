import { z } from 'zod';
import { artifact, mediaType, pageCursor } from '../../contracts/substrate/substrate.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'substrate.artifact.list',
  title: 'List artifacts',
  description:
    'The stored artifacts of your tenant, newest first: hash, media type, name and size. substrate.artifact.get shows the content of one.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['substrate:read'],
  latency: 'L1',
  input: z.object({
    media_type: mediaType.optional().describe('Only these, e.g. text/markdown'),
    limit: z.number().int().min(1).max(100).default(50),
    cursor: pageCursor.optional(),
  }),
  output: z.object({ artifacts: z.array(artifact) }),
  intents: ['which files were uploaded', 'list stored content', 'find the hash of an upload'],
  aliases: [],
  async handler({ media_type: mediaType, ...paging }, { caller, services }) {
    return paged('artifacts', await services.substrate.artifacts.list(caller.tenant, { mediaType, ...paging }));
  },
});

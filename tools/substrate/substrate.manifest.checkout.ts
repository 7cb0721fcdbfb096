import { z } from 'zod';
import { AppError } from '../../contracts/errors.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { manifestEntry, manifestSha256, pageCursor, pointerId } from '../../contracts/substrate/substrate.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

const input = z.object({
  manifest_sha256: manifestSha256.optional(),
  pointer_id: pointerId.optional().describe('Instead: what this pointer points at now'),
  paths: z.array(words(2_000)).min(1).max(200).optional().describe('Only these files, and folders with all that is in them'),
  limit: z.number().int().min(1).max(500).default(100),
  cursor: pageCursor.optional().describe('next_cursor of the page before; give its manifest_sha256 along'),
});
const output = z.object({ manifest_sha256: z.string(), entries: z.array(manifestEntry) });

const named = (name: string): Alias<z.input<typeof input>, z.infer<typeof output>> => ({
  name,
  system: 'intelli-platform',
  input,
  toInput: (args) => args,
});

export default defineTool({
  name: 'substrate.manifest.checkout',
  title: 'List what a manifest holds',
  description:
    'The artifacts of a manifest by path, with hash, media type and size; all of them or only some paths. substrate.artifact.get reads one.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['substrate:read'],
  latency: 'L1',
  input,
  output,
  intents: [
    'check out a manifest',
    'which files are in this snapshot',
    'list the artifacts of a release',
    'files under a folder of a manifest',
  ],
  aliases: [
    named('substrate.manifest.checkout'),
    { ...named('checkout_manifest'), unlisted: true, deprecated: { replacement: 'substrate.manifest.checkout' } },
  ],
  async handler({ manifest_sha256, pointer_id, paths, limit, cursor }, { caller, services }) {
    const { manifests, pointers } = services.substrate;
    if ((manifest_sha256 === undefined) === (pointer_id === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'Give either manifest_sha256 or pointer_id.', {
        hint: 'substrate.pointer.list shows the ids of pointers.',
      });
    }
    const sha256 = manifest_sha256 ?? (await pointers.resolve(caller.tenant, { id: pointer_id! })).manifest_sha256;
    const { total, missing, ...page } = await manifests.entries(caller.tenant, sha256, { paths, limit, cursor });
    return {
      ...paged('entries', paths ? page : { ...page, total }),
      data: { manifest_sha256: sha256, entries: page.items },
      refs: pointer_id === undefined ? [] : [{ type: 'pointer', id: pointer_id }],
      warnings: missing.map((path) => `Nothing is at "${path.slice(0, 200)}".`),
    };
  },
});

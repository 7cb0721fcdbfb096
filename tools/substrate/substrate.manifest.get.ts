import { z } from 'zod';
import { manifest, manifestSha256 } from '../../contracts/substrate/substrate.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'substrate.manifest.get',
  title: 'Look at a manifest',
  description:
    'How many artifacts a manifest holds, how large they are together, its metadata and who made it. substrate.manifest.checkout lists them.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['substrate:read'],
  latency: 'L1',
  input: z.object({ manifest_sha256: manifestSha256 }),
  output: z.object({ manifest }),
  intents: ['what is this manifest', 'size of a manifest', 'metadata of a manifest'],
  aliases: [],
  async handler({ manifest_sha256 }, { caller, services }) {
    return { data: { manifest: await services.substrate.manifests.get(caller.tenant, manifest_sha256) } };
  },
});

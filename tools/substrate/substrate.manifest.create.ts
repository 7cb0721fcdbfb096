import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { maxManifestEntries, recordMetadata, sha256 } from '../../contracts/substrate/substrate.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'substrate.manifest.create',
  title: 'Put artifacts into a manifest',
  description:
    'Makes an unchangeable set of stored artifacts under paths and tells the hash that names it. The same set has the same hash. substrate.pointer.create gives it a name that can move on.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['substrate:write'],
  latency: 'L1',
  input: z.object({
    entries: z
      .array(
        z.object({
          path: words(2_000)
            .describe('Relative, with "/" between its parts')
            .meta({ examples: ['reports/q1.pdf'] }),
          artifact_sha256: sha256,
        }),
      )
      .min(1)
      .max(maxManifestEntries),
    metadata: recordMetadata.default({}).describe('Part of what the hash is made of'),
  }),
  output: z.object({
    manifest_sha256: z.string(),
    entries: z.number().describe('How many'),
    size: z.number().describe('Bytes of all of them'),
    existed: z.boolean(),
  }),
  intents: ['snapshot a set of files', 'bundle artifacts', 'make a manifest', 'freeze the outputs of a build'],
  aliases: [],
  async handler({ entries, metadata }, { caller, services }) {
    return { data: await services.substrate.manifests.create(caller, { entries, metadata }) };
  },
});

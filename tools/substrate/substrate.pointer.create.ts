import { z } from 'zod';
import { manifestSha256, pointer, pointerName, recordMetadata } from '../../contracts/substrate/substrate.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'substrate.pointer.create',
  title: 'Name a manifest by a pointer',
  description: 'Makes a name that points at a manifest and can be moved to another one later: substrate.pointer.advance. Names are unique.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['substrate:write'],
  latency: 'L1',
  input: z.object({ name: pointerName, manifest_sha256: manifestSha256, metadata: recordMetadata.default({}) }),
  output: z.object({ pointer, existed: z.boolean() }),
  intents: ['tag a manifest', 'name a snapshot', 'create a branch for artifacts', 'make a movable reference'],
  aliases: [],
  async handler({ name, manifest_sha256, metadata }, { caller, services, callKey }) {
    const made = await services.substrate.pointers.create(caller, { name, manifest: manifest_sha256, metadata }, callKey);
    return {
      data: made,
      refs: [{ type: 'pointer', id: made.pointer.id }],
      warnings: made.existed ? ['This pointer already existed.'] : [],
    };
  },
});

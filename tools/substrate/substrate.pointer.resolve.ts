import { z } from 'zod';
import { AppError } from '../../contracts/errors.ts';
import { pointer, pointerId, pointerName } from '../../contracts/substrate/substrate.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({ pointer_id: pointerId.optional(), name: pointerName.optional().describe('Instead of pointer_id') });
const output = z.object({ pointer, manifest_sha256: z.string() });

const resolvePointer: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'resolve_pointer',
  system: 'intelli-platform',
  input,
  toInput: (args) => args,
  unlisted: true,
  deprecated: { replacement: 'substrate.pointer.resolve' },
};

export default defineTool({
  name: 'substrate.pointer.resolve',
  title: 'Resolve a pointer',
  description: 'What a pointer, by id or name, points at now. substrate.manifest.checkout lists what is in there.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['substrate:read'],
  latency: 'L1',
  input,
  output,
  intents: ['what does this pointer point at', 'current manifest of a name', 'resolve a reference'],
  aliases: [resolvePointer],
  async handler({ pointer_id, name }, { caller, services }) {
    if ((pointer_id === undefined) === (name === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'Give either pointer_id or name.', { hint: 'substrate.pointer.list shows both.' });
    }
    const found = await services.substrate.pointers.resolve(caller.tenant, pointer_id === undefined ? { name: name! } : { id: pointer_id });
    return { data: { pointer: found, manifest_sha256: found.manifest_sha256 }, refs: [{ type: 'pointer', id: found.id }] };
  },
});

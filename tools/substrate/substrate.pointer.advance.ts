import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { manifestSha256, pointer, pointerId } from '../../contracts/substrate/substrate.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  pointer_id: pointerId,
  expected_manifest_sha256: manifestSha256.describe('Where it stands now, as far as you know'),
  new_manifest_sha256: manifestSha256.describe('Where it is to stand'),
  reason: words(1_000).optional().describe('Kept in its history'),
});
const output = z.object({ pointer, previous_manifest_sha256: z.string() });

/** The name is the same; the alias adds it to the list of that system. */
const advance: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'substrate.pointer.advance',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'substrate.pointer.advance',
  title: 'Move a pointer',
  description:
    'Moves a pointer to another manifest, if it still stands where you expect it; otherwise nothing happens and you are told where it stands. Going back is a move to an earlier manifest.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A1',
  scopes: ['substrate:write'],
  latency: 'L1',
  input,
  output,
  intents: ['move a pointer', 'publish a new snapshot', 'roll back to an earlier manifest', 'compare and swap a reference'],
  aliases: [advance],
  async handler({ pointer_id, expected_manifest_sha256, new_manifest_sha256, reason }, { caller, services }) {
    const moved = await services.substrate.pointers.advance(caller, {
      pointerId: pointer_id,
      expected: expected_manifest_sha256,
      next: new_manifest_sha256,
      reason,
    });
    return {
      data: { pointer: moved.pointer, previous_manifest_sha256: moved.previous },
      refs: [{ type: 'pointer', id: pointer_id }],
      warnings: moved.repeated ? ['You moved it this way before: nothing was done.'] : [],
    };
  },
});

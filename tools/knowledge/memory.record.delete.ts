import { z } from 'zod';
import { memoryId } from '../../contracts/knowledge/memory.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({ memory_id: memoryId });
const output = z.object({ memory_id: z.string(), status: z.literal('deleted') });

const deleteMemory: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'delete_memory',
  system: 'devflow',
  description: 'Delete a saved memory for good.',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'memory.record.delete',
  title: 'Forget a memory',
  description: 'Deletes a saved memory for good, with its former versions. memory.record.update corrects one instead.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A1',
  scopes: ['memory:write'],
  latency: 'L1',
  input,
  output,
  intents: ['forget this', 'delete a memory', 'that decision no longer holds'],
  aliases: [deleteMemory],
  async handler({ memory_id }, { caller, services }) {
    await services.knowledge.memories.delete(caller, memory_id);
    return { data: { memory_id, status: 'deleted' as const } };
  },
});

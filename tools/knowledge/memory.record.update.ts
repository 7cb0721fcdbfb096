import { z } from 'zod';
import { category, expiresAt, memoryId, memoryMetadata, memoryTags, ttlDays, updatedMemory } from '../../contracts/knowledge/memory.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'memory.record.update',
  title: 'Correct a memory',
  description:
    'Replaces what a memory says. The old version is no longer found, and stays readable with memory.record.get. Without new content or category, tags, metadata and expiry change in place.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['memory:write'],
  latency: 'L1',
  input: z.object({
    memory_id: memoryId.describe('The version that you read; a conflict tells if another one has replaced it'),
    content: z.string().optional().describe('What holds now'),
    category: category.optional(),
    tags: memoryTags.optional().describe('In place of the present ones'),
    metadata: memoryMetadata.optional(),
    expires_at: expiresAt.nullable().optional().describe('Null: never'),
    ttl_days: ttlDays.optional(),
  }),
  output: updatedMemory,
  intents: ['correct a memory', 'that decision has changed', 'this no longer holds, what holds now is', 'replace what was remembered'],
  aliases: [],
  async handler({ memory_id, ...change }, { caller, services }) {
    const { warnings, ...data } = await services.knowledge.memories.update(caller, memory_id, change);
    return { data, warnings };
  },
});

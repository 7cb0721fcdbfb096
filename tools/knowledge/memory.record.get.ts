import { z } from 'zod';
import { memoryId, rememberedHistory } from '../../contracts/knowledge/memory.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'memory.record.get',
  title: 'A memory with its history',
  description:
    'One memory by its id, also one that no longer holds: when it was valid, what it replaced and what replaced it, and its merges.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['memory:read'],
  latency: 'L1',
  input: z.object({ memory_id: memoryId }),
  output: rememberedHistory,
  intents: ['history of a memory', 'what did we decide before that', 'earlier versions of a decision', 'since when does this hold'],
  aliases: [],
  async handler({ memory_id }, { caller, services }) {
    return { data: await services.knowledge.memories.get(caller, memory_id) };
  },
});

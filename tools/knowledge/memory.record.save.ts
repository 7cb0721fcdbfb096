import { z } from 'zod';
import {
  category,
  expiresAt,
  memoryCategories,
  memoryId,
  memoryMetadata,
  memoryScope,
  memoryTags,
  saved,
  ttlDays,
  type Saved,
} from '../../contracts/knowledge/memory.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const content = z.object({
  content: z.string(),
  category: category.describe(`E.g. ${memoryCategories.join(', ')}`),
  tags: memoryTags.optional(),
  metadata: memoryMetadata.optional(),
});
const input = content.extend({
  scope: memoryScope.optional().describe('Who finds it; default: team'),
  supersedes: memoryId.optional().describe('Id of the memory that this one replaces'),
  expires_at: expiresAt.optional(),
  ttl_days: ttlDays.optional(),
});

const saveMemory: Alias<z.input<typeof input>, Saved> = {
  name: 'save_memory',
  system: 'devflow',
  description: 'Save a decision, a pattern, a problem with its solution or a convention of the project for later.',
  input: content,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'memory.record.save',
  title: 'Remember something',
  description: 'Saves what is worth knowing later. Your whole team finds it, or with a scope you alone.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['memory:write'],
  latency: 'L1',
  input,
  output: saved,
  intents: ['remember this', 'save a decision', 'note a lesson learnt', 'keep this convention in mind', 'store how we solved a problem'],
  core: true,
  worker: true,
  aliases: [saveMemory],
  async handler(args, { caller, services }) {
    const { warnings, ...data } = await services.knowledge.memories.save(caller, args);
    return { data, warnings };
  },
});

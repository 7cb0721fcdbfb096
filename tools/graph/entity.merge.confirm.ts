import type { z } from 'zod';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { decided, decisionInput, decisionOutput } from './entity.merge.shared.ts';

const confirmEntityMerge: Alias<z.input<typeof decisionInput>, z.infer<typeof decisionOutput>> = {
  name: 'confirm_entity_merge',
  system: 'pm-intelligence',
  input: decisionInput,
  toInput: (args) => args as z.input<typeof decisionInput>,
};

export default defineTool({
  name: 'entity.merge.confirm',
  title: 'Confirm a proposed match',
  description:
    'Says yes to a question of entity.review.list: two entities become one (the one with more signals keeps its name, the other becomes an alias), and matching learns from it. entity.record.split undoes it. The same answer again does nothing.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A1' },
  scopes: ['graph:write', 'approval:decide'],
  latency: 'L1',
  input: decisionInput,
  output: decisionOutput,
  intents: ['these two are the same', 'merge duplicate customers', 'accept a proposed merge'],
  aliases: [confirmEntityMerge],
  handler: (input, context) => decided(context, 'confirm', input),
});

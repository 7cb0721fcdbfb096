import type { z } from 'zod';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { decided, decisionInput, decisionOutput } from './entity.merge.shared.ts';

const rejectEntityMerge: Alias<z.input<typeof decisionInput>, z.infer<typeof decisionOutput>> = {
  name: 'reject_entity_merge',
  system: 'pm-intelligence',
  input: decisionInput,
  toInput: (args) => args as z.input<typeof decisionInput>,
};

export default defineTool({
  name: 'entity.merge.reject',
  title: 'Reject a proposed match',
  description:
    'Says no to a question of entity.review.list: the two stay apart, are not proposed again, and matching learns from it. The same answer again does nothing.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A1' },
  scopes: ['graph:write', 'approval:decide'],
  latency: 'L1',
  input: decisionInput,
  output: decisionOutput,
  intents: ['these two are different', 'do not merge these', 'keep these entities apart'],
  aliases: [rejectEntityMerge],
  handler: (input, context) => decided(context, 'reject', input),
});

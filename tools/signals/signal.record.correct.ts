import { z } from 'zod';
import { severities, signalClasses, statementStates, tones } from '../../contracts/signals/signals.ts';
import { defineTool } from '../catalogue/define.ts';
import { signalId, wholeSignal } from './signal.shared.ts';

export default defineTool({
  name: 'signal.record.correct',
  title: 'Correct a customer signal',
  description:
    'Says what a statement really is: its class, sentiment, tone, severity and state; or that it is no statement of a customer. The correction stays when the document is read again, and the classifier learns from it. What is left out stays as it is.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A1' },
  scopes: ['knowledge:write'],
  latency: 'L1',
  input: z.object({
    signal_id: signalId,
    class: z
      .enum([...signalClasses, 'none'])
      .optional()
      .describe('none: it is no statement of a customer, and is removed'),
    sentiment: z.number().min(-1).max(1).optional().describe('-1 bad, 1 good'),
    severity: z.enum(severities).optional(),
    tone: z.enum(tones).optional(),
    state: z.enum(statementStates).optional(),
  }),
  output: wholeSignal.extend({ removed: z.boolean().optional() }),
  intents: [
    'this is not a bug',
    'reclassify the feedback',
    'that was praise',
    'change the severity of a signal',
    'the classifier is wrong',
  ],
  aliases: [],
  async handler({ signal_id, class: said, sentiment, severity, tone, state }, { caller, services }) {
    const data = await services.signals.correct(caller, signal_id, { class: said, sentiment, severity, tone, state });
    return { data, refs: [{ type: 'signal', id: signal_id }] };
  },
});

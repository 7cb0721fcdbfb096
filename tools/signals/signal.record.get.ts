import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { signalId, wholeSignal } from './signal.shared.ts';

export default defineTool({
  name: 'signal.record.get',
  title: 'Get a customer signal',
  description:
    'One statement of a customer with the passage it stands in, what it was told to be and by whom, and those that say nearly the same.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['knowledge:read'],
  latency: 'L1',
  input: z.object({ signal_id: signalId }),
  output: wholeSignal,
  intents: ['show the signal', 'where was this said', 'the context of a quote', 'who else said the same'],
  aliases: [],
  async handler({ signal_id }, { caller, services }) {
    return { data: await services.signals.get(caller.tenant, signal_id) };
  },
});

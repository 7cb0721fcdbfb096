import { z } from 'zod';
import { entityName, profiled } from '../../contracts/graph/graph.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { asOf, byMonth, linked, missing, profileAnswer, signalView, totals } from '../signals/insight.shared.ts';

const input = z.object({ customer_name: entityName.describe('Any name of the customer'), as_of: asOf });
const output = z.object({
  customer: profiled,
  features_used: z.array(linked),
  features_requested: z.array(linked),
  issues_reported: z.array(linked),
  /** Newest first. */
  signal_history: z.array(signalView),
  /** Months with signals, oldest first. */
  sentiment_trend: byMonth,
  totals,
  missing,
});

const getCustomerProfile: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_customer_profile',
  system: 'pm-intelligence',
  description: 'What a customer uses, asks for and complains about, what they said, and how their mood moves.',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'entity.customer.get_profile',
  title: 'Profile of a customer',
  description:
    'Everything known about one customer: features they use and ask for, issues they reported, their latest statements with citations, their sentiment by month. The name may be any known one.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['graph:read'],
  latency: 'L2',
  input,
  output,
  intents: [
    'prepare me for a call with this customer',
    'what does this customer think of us',
    'what did this customer complain about',
    'which features does this customer use',
    'account health',
  ],
  aliases: [getCustomerProfile],
  async handler({ customer_name, as_of }, { caller, services }) {
    const profile = await services.insight.customer(caller.tenant, customer_name, as_of);
    return profileAnswer(profile.customer.entity_id, profile);
  },
});

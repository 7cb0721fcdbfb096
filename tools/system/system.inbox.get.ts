import { z } from 'zod';
import { inboxItem, inboxKindNames } from '../../contracts/inbox.ts';
import { defineTool } from '../catalogue/define.ts';
import { kindsFor } from './system.inbox.shared.ts';

export default defineTool({
  name: 'system.inbox.get',
  title: 'Get one item of the inbox',
  description: 'One item of system.inbox.list with its full texts, also after its decision. approval.request.get has more about calls.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({ kind: z.enum(inboxKindNames), id: z.string().min(1).max(256) }),
  output: z.object({ item: inboxItem }),
  intents: ['show the inbox item', 'the whole text of what I should decide'],
  aliases: [],
  async handler(key, context) {
    return { data: { item: await context.services.inbox.get(context.caller, kindsFor(context), key) } };
  },
});

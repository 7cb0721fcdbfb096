import { z } from 'zod';
import { consoleSessionView } from '../../contracts/governance/console-sessions.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'access.session.end',
  title: 'Sign browsers out',
  description:
    'Ends sessions of the console: one, all of yours except the one that calls, or for admins all of a key or a person. Their tabs are signed out at once. To keep somebody out, revoke the key as well (access.key.revoke).',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  own: true,
  scopes: [],
  latency: 'L1',
  input: z.object({
    session_id: z.string().min(1).max(64).optional().describe('From access.session.list'),
    others: z.boolean().default(false).describe('All of yours except the one that makes this call'),
    key_id: z.string().min(1).max(64).optional().describe('All of this key or identity'),
    person: z.string().min(1).max(128).optional().describe('All of the person with this name'),
  }),
  output: z.object({ ended: z.array(consoleSessionView.pick({ session_id: true, principal: true, browser: true })) }),
  intents: ['sign me out everywhere', 'end all other sessions', 'sign a person out of the console', 'somebody left the company'],
  aliases: [],
  async handler(wanted, { caller, services }) {
    const ended = await services.governance.sessionAdministration.end(caller, wanted);
    return {
      data: { ended: ended.map(({ session_id, principal, browser }) => ({ session_id, principal, browser })) },
      metadata: { result_count: ended.length },
      ...(ended.length === 0 ? { warnings: ['No session ended: there was none, or it has ended already.'] } : {}),
    };
  },
});

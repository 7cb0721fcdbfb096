import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { session, sessionId } from './system.session.shared.ts';

export default defineTool({
  name: 'system.session.close',
  title: 'Close a work session',
  description: 'Ends a work session of yours; what it started goes on.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({ session_id: sessionId }),
  output: session,
  intents: ['end my session', 'close the session'],
  aliases: [],
  handler: async ({ session_id }, { caller, services }) => ({
    data: { session: await services.governance.sessions.close(caller, session_id) },
  }),
});

import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { session, sessionId } from './system.session.shared.ts';

export default defineTool({
  name: 'system.session.get',
  title: 'Look at a work session',
  description: 'What is mounted in a work session of yours, and until when it lasts.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({ session_id: sessionId }),
  output: session,
  intents: ['what is mounted in my session', 'is my session still open'],
  aliases: [],
  handler: async ({ session_id }, { caller, services }) => ({
    data: { session: await services.governance.sessions.get(caller, session_id) },
  }),
});

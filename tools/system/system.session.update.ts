import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { mounts, mountedTools, session, sessionId } from './system.session.shared.ts';

export default defineTool({
  name: 'system.session.update',
  title: 'Change a work session',
  description: 'Takes tools, connectors or external servers along in a session, or leaves them behind. Given lists replace what was there.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({ session_id: sessionId, mounts: mounts.optional(), tools: mountedTools.optional() }),
  output: session,
  intents: ['mount a tool into my session', 'unmount a connector', 'show these tools in my list'],
  aliases: [],
  handler: async ({ session_id, ...wish }, { caller, services }) => ({
    data: { session: await services.governance.sessions.change(caller, session_id, wish) },
  }),
});

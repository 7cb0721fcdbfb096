import { z } from 'zod';

/** Shared by the session tools. */
export const sessionId = z
  .string()
  .min(1)
  .max(64)
  .describe('Of system.session.open; sent along as X-Session-Id, or _meta["signalbox/session_id"]');
export const mounts = z
  .array(z.string().min(1).max(64))
  .max(100)
  .describe('Connectors and external servers that may be used; left out: all');
export const mountedTools = z
  .array(z.string().min(1).max(128))
  .max(100)
  .describe('Tools that lists show beside the profile, by any spelling');

export const session = z.object({
  session: z.object({
    session_id: z.string(),
    name: z.string(),
    mounts: z.array(z.string()).nullable(),
    tools: z.array(z.string()),
    policy: z.string().nullable(),
    profile: z.string().nullable(),
    created_at: z.string(),
    expires_at: z.string(),
    closed_at: z.string().nullable(),
  }),
});

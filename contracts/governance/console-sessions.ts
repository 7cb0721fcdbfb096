import { z } from 'zod';

/** A browser that is signed in to the console. */
export const consoleSessionView = z.object({
  session_id: z.string(),
  principal: z.string().describe('Who has signed in'),
  key_id: z.string().describe('The key, or the identity at the issuer, that it stands for'),
  means: z.enum(['key', 'code', 'issuer']).describe('How it was made: with a key, by `signalbox console`, at the issuer'),
  browser: z.string().nullable(),
  signed_in_at: z.string(),
  last_seen_at: z.string().describe('Rounded to the minute'),
  ends_at: z.string().describe('Expiry, unless it is used before'),
  checked_at: z.string().nullable().describe('When the issuer last confirmed the person'),
  current: z.boolean().describe('Whether it makes this call'),
});
export type ConsoleSessionView = z.infer<typeof consoleSessionView>;

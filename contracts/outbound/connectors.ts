import { z } from 'zod';

export const providers = ['slack', 'hubspot'] as const;
/** An outside system that Signalbox writes to. */
export type Provider = (typeof providers)[number];

export const provider = z.enum(providers).describe('Slack or HubSpot');

/** What is known about a request without an answer. */
export type Outcome =
  /** Certainly not received, or rate limited: may be sent again. */
  | 'not_sent'
  /** Refused: a retry would be refused again. */
  | 'refused'
  /** It may have been done. */
  | 'unknown';

export const mount = z.object({
  provider,
  /** Nothing is sent; the request is returned and recorded. */
  dry_run: z.boolean(),
  has_credentials: z.boolean(),
  updated_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Mount = z.infer<typeof mount>;

export const propertyValue = z.union([z.string().max(65_536), z.number(), z.boolean(), z.null()]);
export type PropertyValue = z.infer<typeof propertyValue>;

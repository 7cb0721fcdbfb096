import { z } from 'zod';
import { signalClasses } from '../../contracts/signals/signals.ts';
import { moment } from '../../contracts/times.ts';

/** Of all insight. */
export const asOf = moment.optional().describe('Nothing said after this day (UTC) counts. Default: today');

/** A statement with the citation of its passage. */
export const signalView = z.object({
  signal_id: z.string(),
  /** `{document_id}#{ordinal}` */
  ref: z.string(),
  title: z.string(),
  snippet: z.string(),
  source: z.string(),
  class: z.enum(signalClasses),
  /** -1 to 1 */
  sentiment: z.number(),
  severity: z.string(),
  occurred_at: z.string(),
});

/** An entity mentioned together with this one. */
export const linked = z.object({
  name: z.string(),
  entity_id: z.string(),
  /** Signals about both. */
  signals: z.number(),
  /** Mean; null: known from facts only. */
  sentiment: z.number().nullable(),
  severity: z.string().nullable(),
  state: z.string().nullable(),
  last_said_on: z.string().nullable(),
  known_by: z.array(z.enum(['signals', 'fact'])),
});

export const byMonth = z.array(z.object({ month: z.string(), sentiment: z.number(), signals: z.number() }));
export const direction = z.enum(['emerging', 'growing', 'declining', 'stable']);

export const totals = z.object({
  signals: z.number(),
  /** Mean, -1 to 1. */
  sentiment: z.number().nullable(),
  /** Mean, 0 to 4. */
  severity: z.number(),
  classes: z.record(z.string(), z.number()),
  last_said_on: z.string().nullable(),
});

/** Why there is little evidence. */
export const missing = z.array(z.string());

/** What an answer takes for granted. */
export const assumptions = z.array(z.string());

/** Other entities with the name. */
export const otherNames = (others: readonly { type: string; name: string }[]): string[] =>
  others.length === 0 ? [] : [`Names like this have also: ${others.map(({ type, name }) => `${type} "${name}"`).join(', ')}.`];

interface Profile {
  others: readonly { type: string; name: string }[];
  totals: { signals: number };
  missing: readonly string[];
}

/** A profile with the warnings that its reader needs. */
export const profileAnswer = <P extends Profile>(entityId: string, { others, ...data }: P) => ({
  data,
  refs: [{ type: 'entity' as const, id: entityId }],
  warnings: [...otherNames(others), ...(data.totals.signals === 0 ? [`Not enough evidence: ${data.missing[0]}`] : [])],
});

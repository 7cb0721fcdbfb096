import { z } from 'zod';
import { referrals, severities, signalClasses, signalSources, statementStates, tones } from '../../contracts/signals/signals.ts';

export const signal = z.object({
  signal_id: z.string(),
  source: z.enum(signalSources),
  /** Title of the document. */
  title: z.string(),
  /** The statement in its own words: untrusted data. */
  snippet: z.string(),
  occurred_at: z.string(),
  class: z.enum(signalClasses),
  /** 0 to 1; 1: a person said so. */
  class_confidence: z.number(),
  /** -1 (bad) to 1 (good). */
  sentiment: z.number(),
  tone: z.enum(tones).nullable(),
  severity: z.enum(severities),
  /** How things stood when it was said. */
  state: z.enum(statementStates),
  /** What it does to an earlier statement of the same customer. */
  refers_to: z.object({ signal_id: z.string(), as: z.enum(referrals) }).nullable(),
  /** The later statement that resolved or withdrew it, and when. */
  settled: z.object({ signal_id: z.string(), at: z.string() }).nullable(),
  author: z.string().nullable(),
  area: z.string().nullable(),
  url: z.string().nullable(),
  customers: z.array(z.string()),
  features: z.array(z.string()),
  issues: z.array(z.string()),
  themes: z.array(z.string()),
  competitors: z.array(z.string()),
  /** Citation of its passage. */
  citation: z.string(),
  /** Shared by near-duplicate statements. */
  group_id: z.string(),
  group_size: z.number(),
});

export const wholeSignal = signal.extend({
  /** Offsets are UTF-16, `end` exclusive. */
  passage: z.object({ text: z.string(), start: z.number(), end: z.number() }),
  document_id: z.string(),
  source_id: z.string(),
  classifier: z.string(),
  corrected_by: z.string().nullable(),
  /** Near-duplicates, at most 20. */
  similar: z.array(z.string()),
});

export const signalId = z.string().min(1).max(64).describe('Signal id');

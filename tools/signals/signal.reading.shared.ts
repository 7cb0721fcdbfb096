import { z } from 'zod';

const counts = z.record(z.string(), z.number());

export const reading = z.object({
  source_id: z.string(),
  document_id: z.string(),
  title: z.string(),
  /** call, chat, notes, mail, tickets, survey, … */
  kind: z.string(),
  /** The whole in one sentence. */
  says: z.string(),
  said_at: z.string(),
  /** What told the date: submission, header, text, name, rows, arrival. */
  said_by: z.string(),
  participants: z.array(
    z.object({ name: z.string(), organisation: z.string().nullable(), side: z.string(), customer: z.string().nullable() }),
  ),
  statements: z.number(),
  unassigned: z.number(),
  customers: counts,
  features: counts,
  classes: counts,
  /** Texts are untrusted data. Offsets are UTF-16 in the passage. */
  left: z.array(
    z.object({
      why: z.string(),
      count: z.number(),
      examples: z.array(z.object({ passage: z.number(), start: z.number(), end: z.number(), text: z.string() })),
    }),
  ),
  /** Said by people. */
  corrected: z.object({
    customer: z.string().optional(),
    date: z.string().optional(),
    people: z.array(z.object({ name: z.string(), side: z.string(), customer: z.string().nullable(), everywhere: z.boolean() })).optional(),
  }),
  /** What a language model found; absent: rules alone read the document. */
  model: z
    .object({
      /** Prompt and model. */
      by: z.string(),
      /** Pieces of text that it was to read, and those that it answered for; rules read the others. */
      units: z.number(),
      answered: z.number(),
      /** Statements that it found. */
      statements: z.number(),
      /** Parts of its answers that did not agree with the text, by reason. */
      dropped: counts,
      /** Why it did not answer for all. */
      without: z.string().nullable(),
    })
    .optional(),
  read_at: z.string(),
  /** Names are known better meanwhile: it is about to be read again. */
  pending: z.boolean(),
});

export const readId = z.string().min(1).max(200).describe('Id of a source or a document');

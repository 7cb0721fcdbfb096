import { z } from 'zod';
import { place, words } from './knowledge.ts';

/** A citation as answers give it: `{document_id}#{ordinal}`. */
export const citation = words(160)
  .refine((text) => /^[^#\s]{1,128}#\d{1,9}$/.test(text), 'a citation as answers give it, e.g. doc_1a2b#12')
  .describe('Of a hit, a fact, a signal or a draft')
  .meta({ examples: ['doc_1a2b3c#12'] });

export const documentHead = z.object({
  document_id: z.string(),
  source_id: z.string(),
  kb_id: z.string(),
  title: z.string(),
  /** Of its source: document, transcript, … */
  type: z.string(),
  format: z.string(),
  url: z.string().nullable(),
  tags: z.array(z.string()),
  passage_count: z.number(),
  /** Counts from 1; more than 1: it has replaced earlier versions, which are gone. */
  version: z.number(),
  /** When it was said or written, if known. */
  said_at: z.string().nullable(),
  created_at: z.string(),
});
export type DocumentHead = z.infer<typeof documentHead>;

export const outlineEntry = z.object({
  title: z.string(),
  /** 1 is the highest. */
  level: z.number(),
  /** The first passage under it. */
  ordinal: z.number(),
  place,
});
export type OutlineEntry = z.infer<typeof outlineEntry>;

/** A stretch of a passage. UTF-16 offsets, `end` exclusive. */
const stretch = { start: z.number(), end: z.number() };

export const mentionedHere = z.object({ ...stretch, entity_id: z.string(), name: z.string(), type: z.string() });
export type MentionedHere = z.infer<typeof mentionedHere>;

/** A customer's statement in the passage. */
export const signalHere = z.object({
  ...stretch,
  signal_id: z.string(),
  class: z.string(),
  severity: z.string(),
  author: z.string().nullable(),
  occurred_at: z.string(),
});
export type SignalHere = z.infer<typeof signalHere>;

/** A draft that cites the passage. */
export const citedHere = z.object({ draft_id: z.string(), title: z.string(), type: z.string(), number: z.number(), excerpt: z.string() });
export type CitedHere = z.infer<typeof citedHere>;

export const readPassage = z.object({
  citation: z.string(),
  ordinal: z.number(),
  content: z.string(),
  /** Title and headings above it. */
  context: z.string().nullable(),
  place,
  /** On request: names in the text, with what they mean; in order. */
  mentions: z.array(mentionedHere).optional(),
  signals: z.array(signalHere),
  /** Drafts that cite it. */
  cited_by: z.array(citedHere),
});
export type ReadPassage = z.infer<typeof readPassage>;

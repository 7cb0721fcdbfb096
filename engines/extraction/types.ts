import type { Turn } from '../../contracts/knowledge/knowledge.ts';

/** What extraction takes and gives. Pure: rows, entities and stores are not its business. */

export interface Passage {
  /** Title of the document with the headings above the passage, as passages carry it. */
  title: string | null;
  text: string;
  /** Who said it, in transcripts. */
  speaker?: string | undefined;
  /** Who speaks where, as the parser read it; absent: written before that was kept. */
  turns?: readonly Turn[] | undefined;
}

export interface ExtractionInput {
  passages: readonly Passage[];
  /** What the document is called. */
  documentTitle: string;
  /** When it was said or written, ISO; "yesterday" is relative to it. */
  saidAt: string;
  /** `type` of its source: transcript, document, customer_call, … */
  sourceType: string;
  /** Types under which the tenant knows names, by name key; asked for with `candidateKeys`. */
  known: ReadonlyMap<string, readonly string[]>;
  /** Said of the document as a whole. */
  customer?: string | undefined;
  participants?: readonly string[] | undefined;
}

export interface Mention {
  /** Index of the passage. */
  passage: number;
  /**
   * UTF-16 offsets in the passage's text, `end` exclusive. Both 0: said of the document as a whole (passage 0), or of a
   * person whom the passage names by a part of the name only.
   */
  start: number;
  end: number;
  /** As written: `text.slice(start, end)`, unless both are 0. */
  surface: string;
  /** customer, feature, issue, theme, stakeholder, or an open type such as person, organization, place, product, work. */
  type: string;
  /** False: the type is a guess; a known entity of that name wins over it. */
  certain: boolean;
  /** 0 to 1: that this is a name of something. */
  confidence: number;
  origin: 'rules' | 'known' | 'title' | 'metadata';
}

export interface Assertion {
  passage: number;
  /** The sentence in the passage. */
  start: number;
  end: number;
  /** Index into mentions. */
  subject: number;
  /** Lower snake case, present tense: uses, owns, works_at, reported, affects, depends_on, has_status, … */
  predicate: string;
  /** Either another mention or a value. */
  object: number | null;
  value: string | null;
  /** The sentence, at most 500 characters. */
  statement: string;
  /** Only one object at a time: a newer one ends the older. */
  exclusive: boolean;
  /** ISO; null: not said. */
  validFrom: string | null;
  validTo: string | null;
  confidence: number;
}

export interface Extracted {
  mentions: Mention[];
  assertions: Assertion[];
}

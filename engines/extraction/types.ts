import type { Turn } from '../../contracts/knowledge/knowledge.ts';

/** Input and output of extraction. Pure, without rows, entities and stores. */

export interface Passage {
  /** Title of the document with the headings above the passage. */
  title: string | null;
  text: string;
  /** The speaker, in transcripts. */
  speaker?: string | undefined;
  /** Speakers with offsets, from the parser; absent for older passages. */
  turns?: readonly Turn[] | undefined;
}

export interface ExtractionInput {
  passages: readonly Passage[];
  /** Title of the document. */
  documentTitle: string;
  /** Date of the document, ISO; reference for "yesterday". */
  saidAt: string;
  /** `type` of its source: transcript, document, customer_call, … */
  sourceType: string;
  /** Types of the tenant's known names, by name key; looked up with `candidateKeys`. */
  known: ReadonlyMap<string, readonly string[]>;
  /** Only known names are features: phrases such as "export button" are none. */
  featuresKnown?: boolean | undefined;
  /** Customer of the whole document. */
  customer?: string | undefined;
  participants?: readonly string[] | undefined;
}

export interface Mention {
  /** Index of the passage. */
  passage: number;
  /**
   * UTF-16 offsets in the passage's text, `end` exclusive. Both 0: a mention of the whole document (passage 0), or of
   * a person whom the passage names only partly.
   */
  start: number;
  end: number;
  /** As written: `text.slice(start, end)`, unless both are 0. */
  surface: string;
  /** customer, feature, issue, theme, stakeholder, or an open type such as person, organization, place, product, work. */
  type: string;
  /** False: the type is a guess; the type of a known entity with that name takes precedence. */
  certain: boolean;
  /** 0 to 1: probability that this is a name. */
  confidence: number;
  origin: 'rules' | 'known' | 'title' | 'metadata' | 'model';
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
  /** ISO; null: not stated. */
  validFrom: string | null;
  validTo: string | null;
  confidence: number;
  /** Absent: rules. */
  origin?: 'model';
}

export interface Extracted {
  mentions: Mention[];
  assertions: Assertion[];
}

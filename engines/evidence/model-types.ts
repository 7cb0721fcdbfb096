import type { Severity, SignalClass, StatementState, Tone } from '../../contracts/signals/signals.ts';
import type { Clue, Voiced } from './types.ts';

/** What a language model is asked about a document, what it answers, and what is left of that after the check. */

/** Units that are asked about together. */
export interface Batch {
  /** In the order of the document. Those with the id `context` are only read. */
  records: AskedRecord[];
  /** By id. */
  units: ReadonlyMap<string, Voiced>;
}

export type AskedRecord = { id: string; text: string } & Record<string, string | null>;

export const nameTypes = ['customer', 'competitor', 'feature', 'person', 'organization'] as const;
export type NameType = (typeof nameTypes)[number];

/** Predicates of facts: what the object is, and whether a newer fact ends the older one. */
export const predicates = {
  uses: { object: 'name', exclusive: false },
  works_at: { object: 'name', exclusive: true },
  has_role: { object: 'value', exclusive: true },
  owned_by: { object: 'name', exclusive: true },
  acquired: { object: 'name', exclusive: false },
  part_of: { object: 'name', exclusive: false },
  depends_on: { object: 'name', exclusive: false },
  located_in: { object: 'value', exclusive: false },
  has_status: { object: 'value', exclusive: true },
  has_version: { object: 'value', exclusive: true },
  costs: { object: 'value', exclusive: true },
  released_in: { object: 'value', exclusive: false },
  requested: { object: 'name', exclusive: false },
  reported: { object: 'name', exclusive: false },
} as const satisfies Record<string, { object: 'name' | 'value'; exclusive: boolean }>;
export type Predicate = keyof typeof predicates;

export interface AnsweredStatement {
  /** Its number in the answer. */
  n: number;
  /** The whole, or the first words. */
  quote: string;
  /** The last words; empty: `quote` is the whole. */
  end: string;
  class: SignalClass | 'none';
  tone: Tone;
  severity: Severity;
  state: StatementState;
  confidence: number;
  features: string[];
  competitors: string[];
  /** Number of the earlier statement that this one resolves or withdraws; 0: none. */
  settles: number;
}

export interface AnsweredFact {
  quote: string;
  subject: string;
  predicate: Predicate;
  object: string;
  /** YYYY, YYYY-MM or YYYY-MM-DD; empty: not told. */
  from: string;
  to: string;
}

export interface Answer {
  units: {
    id: string;
    statements: AnsweredStatement[];
    names: { name: string; type: NameType; same_as: string }[];
    facts: AnsweredFact[];
  }[];
}

/** Why a part of an answer was not used. */
export const refusals = [
  'not_asked', // about text that was not asked about: the vendor's, or none
  'not_found', // quotes something that is not in the text
  'repeated',
  'too_long',
  'too_many',
  'unknown_name',
  'invented_date',
] as const;
export type Refusal = (typeof refusals)[number];

export interface CheckedStatement extends Omit<AnsweredStatement, 'n' | 'quote' | 'end' | 'class' | 'settles'> {
  unit: Voiced;
  class: SignalClass;
  /** UTF-16 offsets in the passage, `end` exclusive. */
  start: number;
  end: number;
  /** Index of the earlier statement that this one resolves or withdraws. */
  settles: number | null;
}

/** A name where it stands; both offsets 0: the customer who speaks. */
export interface CheckedName {
  passage: number;
  start: number;
  end: number;
  surface: string;
  type: NameType;
}

export interface CheckedFact {
  passage: number;
  start: number;
  end: number;
  statement: string;
  subject: CheckedName;
  predicate: Predicate;
  object: CheckedName | null;
  value: string | null;
  exclusive: boolean;
  /** ISO. */
  validFrom: string | null;
  validTo: string | null;
}

/** Answers of a model about one document, checked against its text. */
export interface Checked {
  /** `placeOf` of the units that it answered for. */
  answered: ReadonlySet<string>;
  statements: CheckedStatement[];
  names: CheckedName[];
  facts: CheckedFact[];
  clues: Clue[];
  dropped: Partial<Record<Refusal, number>>;
}

export const placeOf = ({ passage, start, end }: Pick<Voiced, 'passage' | 'start' | 'end'>): string => `${passage}:${start}:${end}`;

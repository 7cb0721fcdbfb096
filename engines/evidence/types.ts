import type { Turn } from '../../contracts/knowledge/knowledge.ts';
import type { Referral, Severity, SignalClass, StatementState, Tone } from '../../contracts/signals/signals.ts';

/**
 * From a document to customer statements, in four pure steps. `layout.ts` splits a document into units with one voice
 * each. `clues.ts` lists what a document tells about names, and `directory.ts` puts the clues of all documents
 * together. `voices.ts` and `topics.ts` say who speaks in a unit for which customer, and about what. `statements.ts`
 * joins sentences into statements and judges them. The text is data: nothing in it is executed.
 */

export interface EvidencePassage {
  text: string;
  /** Title of the document with the headings above the passage. */
  title: string | null;
  speaker?: string | undefined;
  /** Speakers with offsets, if the parser knows them. */
  turns?: readonly Turn[] | undefined;
}

/** Somebody said on which side a person is, and for which customer. */
export interface PersonSaid {
  name: string;
  side: 'customer' | 'vendor';
  customer: string | null;
}

export interface EvidenceInput {
  title: string;
  /** File name, path or URL. */
  origin: string;
  /** `type` of the source. */
  sourceType: string;
  /** Metadata of the submission. */
  given: Record<string, unknown>;
  /** Metadata from the parser: headers of a mail, … */
  found: Record<string, unknown>;
  /** What people said about participants. */
  people?: readonly PersonSaid[] | undefined;
  /** ISO. */
  arrivedAt: string;
  passages: readonly EvidencePassage[];
}

export type DocumentKind = 'call' | 'chat' | 'notes' | 'mail' | 'tickets' | 'survey' | 'reviews' | 'overview' | 'rivals' | 'other';

export type Side = 'customer' | 'vendor' | 'other' | 'unknown';

/** Why text is nobody's statement. */
export const omissions = [
  'vendor', // said or written by the vendor's side
  'quoted', // an older mail below a reply, a quotation of nobody known
  'signature',
  'header', // heading, agenda, attendance, subject
  'automatic', // out of office, created by a form's test
  'instruction', // addressed to a machine
  'marketing', // overview, web page
  'hearsay', // of somebody unknown
  'internal', // next steps, ideas and guesses of the vendor
  'small_talk',
  'empty',
  'elsewhere', // meant for somebody else
  'unsure',
] as const;
export type Omission = (typeof omissions)[number];

/** Cells of a table's row. */
export interface Row {
  id: string | null;
  customer: string | null;
  author: string | null;
  /** Address or domain of the author. */
  email: string | null;
  subject: string | null;
  status: string | null;
  /** As written. */
  score: string | null;
  /** The score on its scale: 0 is the worst, 1 the best. */
  rating: number | null;
}

/** A piece of text with one voice: a turn, a paragraph, a list item, or a cell with free text. */
export interface Unit {
  passage: number;
  /** UTF-16 offsets in the passage, `end` exclusive. */
  start: number;
  end: number;
  kind: 'turn' | 'paragraph' | 'item' | 'cell';
  /** As written. */
  speaker: string | null;
  /** ISO day, if the unit has its own. */
  day: string | null;
  /** Heading above it. */
  section: string | null;
  row: Row | null;
  /** Known from the layout alone. */
  omitted: Omission | null;
}

export interface Participant {
  name: string;
  email: string | null;
  /** As written beside the name. */
  organisation: string | null;
  /** From the layout alone: roles such as "Agent" and "Customer". */
  side: Side;
  /** Somebody said so: it wins over the directory. */
  told?: true;
}

export interface Layout {
  kind: DocumentKind;
  /** ISO instant. */
  saidAt: string;
  saidBy: 'submission' | 'header' | 'text' | 'name' | 'rows' | 'arrival';
  /** Who wrote the document: the sender of a mail, the author of notes. */
  author: string | null;
  participants: Participant[];
  /** Names of people by the abbreviation that the document explains. */
  legend: Record<string, string>;
  /** Organisations named in title, head, file name and signature, as written. */
  organisations: string[];
  units: Unit[];
}

/** What a document tells about names. Keys are `nameKey` of the names. */
export interface Clue {
  kind:
    | 'person' // subject speaks or writes in the document, on this day; object: organisation or domain, if known
    | 'domain' // subject: organisation or person; object: domain of the address
    | 'staff' // subject: person of the vendor's side
    | 'vendor' // subject: organisation that makes or sells the product
    | 'customer' // subject: organisation that uses it
    | 'competitor' // subject: product or organisation
    | 'feature' // subject: part of the product
    | 'alias' // subject: other name of object
    | 'renamed' // subject: former name; object: new name; day: since
    | 'word' // subject: word that stands with the feature object
    | 'moved' // subject: person; object: new organisation; day: since
    | 'left' // subject: person; object: former organisation; day: until
    | 'thing' // subject: neither an organisation nor a feature; only people say that
    | 'apart'; // subject: other thing than object, although their names are similar; only people say that
  subject: string;
  object: string | null;
  /** ISO day. */
  day: string | null;
  /** 0 to 1. */
  weight: number;
  /** Absent: rules. */
  origin?: 'model';
}

/** The same clue in several documents. */
export interface CountedClue extends Clue {
  documents: number;
}

export interface Organisation {
  name: string;
  /** Without the name itself. */
  aliases: string[];
  role: 'vendor' | 'customer' | 'competitor' | 'unknown';
  domains: string[];
}

export interface Person {
  name: string;
  aliases: string[];
  side: Side;
  /** In order of time; days are ISO, inclusive. */
  posts: { organisation: string; from: string | null; until: string | null }[];
}

export interface Feature {
  name: string;
  aliases: string[];
  /** Former name, and the day since which the name is valid. */
  renamed: { from: string; day: string | null } | null;
  /** Stems of words that go with this feature and with no other, with how much each tells, 0 to 0.6. */
  words: { stem: string; weight: number }[];
}

/** What is known about names, from all documents and from people. Competitors are organisations. */
export interface Directory {
  /** Hash of the rest. */
  version: string;
  organisations: Organisation[];
  people: Person[];
  features: Feature[];
  /** Names that may mean the same, without enough evidence: for a review. */
  unsure?: Unsure[];
}

/** Two names that may mean the same. */
export interface Unsure {
  kind: 'organisation' | 'feature' | 'person';
  name: string;
  of: string;
}

/** What a statement is about: names in the directory, in alphabetical order. */
export interface Topics {
  features: string[];
  competitors: string[];
}

/** A unit with its voice. */
export interface Voiced extends Unit {
  side: Side;
  /** Full name of who says it, or of whom it is reported. */
  person: string | null;
  /** Name in the directory. */
  customer: string | null;
}

/** A customer statement: part of one unit. */
export interface Statement {
  unit: Voiced;
  /** UTF-16 offsets in the passage, `end` exclusive. */
  start: number;
  end: number;
  text: string;
  /** Text before it that it refers to: the turn or sentence before, at most 300 characters. */
  context: string;
  /** ISO day. */
  day: string;
  /** Names in the directory. */
  features: string[];
  competitors: string[];
}

export interface Judged extends Statement {
  class: SignalClass;
  /** 0 to 1 */
  confidence: number;
  tone: Tone;
  /** -1 to 1 */
  sentiment: number;
  /** 0 to 4 */
  severity: number;
  state: StatementState;
  /** Found by a language model: its number there, and that of the earlier statement that it resolves or withdraws. */
  model?: { n: number; settles: number | null };
}

export interface Left {
  /** As for statements. */
  passage: number;
  start: number;
  end: number;
  text: string;
  why: Omission;
}

/** A statement as far as others refer to it. */
export interface Linkable {
  text: string;
  /** ISO day. */
  day: string;
  customer: string | null;
  features: readonly string[];
  competitors: readonly string[];
  class: SignalClass;
  tone: Tone;
  state: StatementState;
  /** Unit vector; null: compared by words. */
  vector: Float32Array | null;
}

/** What the classifier is asked about. */
export interface Draft {
  text: string;
  /** As in `Statement`. */
  context: string;
  kind: DocumentKind;
}

/** Shares of every label, each 0 to 1; those of one aspect sum to 1. */
export interface Shares {
  /** `none`: no customer statement (chatter, process, agenda). */
  class: Record<SignalClass | 'none', number>;
  tone: Record<Tone, number>;
  severity: Record<Severity, number>;
  state: Record<StatementState, number>;
}

/**
 * Answers one item per draft, in order. Injected, because it needs embeddings.
 * @param by "words": without them, in microseconds and less well
 */
export type Judge = (drafts: readonly Draft[], by?: 'words') => Promise<Shares[]>;

/** Somebody who speaks, writes or is listed in a document. */
export interface Present extends Participant {
  /** Name in the directory. */
  customer: string | null;
}

/** Everything that was understood of a document. */
export interface Reading {
  kind: DocumentKind;
  saidAt: string;
  saidBy: Layout['saidBy'];
  participants: Present[];
  statements: Judged[];
  left: Left[];
}

/** Refers to the statement at this index. */
export interface Link {
  from: number;
  to: number;
  kind: Referral;
}

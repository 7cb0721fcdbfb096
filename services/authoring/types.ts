import type {
  ArtifactType,
  Audience,
  DraftIssue,
  IssueType,
  ReportFormat,
  ReportType,
  Template,
} from '../../contracts/authoring/authoring.ts';
import type { Referral, SignalClass, SignalSource, StatementState, Tone } from '../../contracts/signals/signals.ts';

/** Subject and options of a draft, with resolved names. Stored in the draft's row. */
export interface DraftSpec {
  kind: 'artifact' | 'report';
  type: ArtifactType | ReportType;
  audience: Audience;
  /** Null for artifacts. */
  format: ReportFormat | null;
  template: Template;
  issueType: IssueType;
  /** Whether sources are listed in the text. */
  provenance: boolean;
  /** Null: all times, or since `from`. */
  windowDays: number | null;
  /** Start of the period, ISO 8601; absent: `windowDays` before its end. */
  from?: string | null;
  /** End of the period, ISO 8601; absent: `until`. */
  to?: string | null;
  /** As of this instant, ISO 8601: nothing said later is known. Stored, so that a repeated stage uses the same. */
  until: string;
  opportunityId: string | null;
  entity: Named | null;
  area: string | null;
  customer: Named | null;
}

export interface Named {
  id: string;
  type: string;
  name: string;
}

/** Filter for the signals of a draft. */
export interface Filter {
  tenant: string;
  /** The period, ISO 8601; null: from the beginning. */
  from: string | null;
  until: string;
  /** Settlements after it are not known yet, ISO 8601. */
  asOf: string;
  /** Signals recorded later are ignored, ISO 8601. */
  known: string;
  /** Only these signals; null: any. */
  signals: readonly string[] | null;
  /** About one of these entities, or this area as in the source; both null: any. */
  entities: readonly string[] | null;
  area: string | null;
  customer: string | null;
  /** Only comparisons of products, or signals about an entity of type competitor. */
  competing: boolean;
}

/** A number that can be recomputed, within the draft's filter. */
export interface Figure {
  n: number;
  of: 'signals' | 'customers' | 'group';
  /** Signals about this entity. */
  entity?: string;
  classes?: readonly SignalClass[];
  /** Of this set, with its states. */
  set?: SampleSet;
  /** Minimum severity, 0 to 4. */
  severity?: number;
  /** For `group`: number of near-duplicates. */
  group?: string;
  /** ISO 8601; default: the filter's. */
  from?: string;
  until?: string;
}

/** A cited signal. */
export interface Cited {
  /** Id of the signal. */
  ref: string;
  /** `{document_id}#{ordinal}` */
  passage: string;
  statement: string;
  /** Offset in the passage. */
  start: number;
  /** When the document was written: a ticket's state is that of its export. */
  documentAt: string;
  /** The statement of the same speaker before it, for one that is not understood alone. */
  before: string | null;
  class: SignalClass;
  tone: Tone | null;
  sentiment: number;
  severity: number;
  /** When it was said. */
  state: StatementState;
  earlierId: string | null;
  earlier: Referral | null;
  /** What settled it, as far as known on the day of the report. */
  settledBy: string | null;
  settledAt: string | null;
  source: SignalSource;
  author: string | null;
  at: string;
  group: string;
  /** Near-duplicates among the draft's signals, including this one. */
  copies: number;
  customers: string[];
  features: string[];
  competitors: string[];
  /** Names of all its entities. */
  names: string[];
}

/** A fact, an opportunity, or a passage that tells about names, as a source. */
export interface OtherSource {
  ref: string;
  kind: 'fact' | 'opportunity' | 'passage';
  excerpt: string;
  at: string;
  weight: number;
}

/** Something that became known about a name: a sentence with its source. */
export interface NameNews extends OtherSource {
  kind: 'passage';
  text: string;
  /** ISO day. */
  day: string;
}

export const sampleSets = ['any', 'problems', 'requests', 'praise', 'churn'] as const;
export type SampleSet = (typeof sampleSets)[number];

/** Counts of statements and customers. */
export interface Counts {
  signals: number;
  customers: number;
}

/** An entity with its counts. */
export interface Ranked extends Named {
  counts: Record<SampleSet, Counts>;
  /** Signals of the latest and the previous window. */
  recent: number;
  previous: number;
  /** Highest, 0 to 4. */
  severity: number;
  /** Signals behind each count, newest first, without near-duplicates. */
  samples: Record<SampleSet, string[]>;
}

export interface OpportunityView {
  id: string;
  title: string;
  status: string;
  score: number;
  /** By name, e.g. impact. */
  factors: Record<string, number>;
  signalIds: string[];
  createdAt: string;
}

/** All evidence of a draft, read once. */
export interface Evidence {
  spec: DraftSpec;
  title: string;
  filter: Filter;
  /** ISO 8601: starts of the compared windows. */
  recentFrom: string;
  previousFrom: string;
  windowDays: number;
  newest: string;
  oldest: string;
  totals: Counts & { recent: number; previous: number };
  classes: Partial<Record<SignalClass, Counts>>;
  severe: Counts;
  /** By type, most frequent first. */
  ranked: Record<string, Ranked[]>;
  /** Nothing was said before the period. */
  whole: boolean;
  /** Signals that count as evidence of the draft: the telling ones of the period, and what stands from before. */
  telling: string[];
  newestSignals: string[];
  severeSignals: string[];
  /** Those, and what they refer to. */
  signals: Record<string, Cited>;
  /** Renames, and people who changed employer. */
  news: NameNews[];
  facts: OtherSource[];
  opportunities: (OpportunityView & { summary: string })[];
  warnings: string[];
}

/** A statement with its sources. Plain text, escaped when printed. */
export interface Statement {
  text: string;
  /** Refs of signals, facts, opportunities, passages. */
  sources: string[];
  figures: Figure[];
  /** Written by a language model. */
  written?: boolean;
}

export interface Section {
  heading: string;
  statements: Statement[];
  /** Instruction for the person; null: the section is generated. */
  toFill: string | null;
}

export interface Issue extends Omit<DraftIssue, 'description' | 'acceptance_criteria'> {
  description: Statement[];
  criteria: Statement[];
}

export interface Written {
  sections: Section[];
  issues: Issue[] | null;
  /** The assembled sections, if a model wrote others. */
  plain: Section[] | null;
  model: string | null;
  /** Dropped statements of the model: without a given source. */
  dropped: number;
  warnings: string[];
}

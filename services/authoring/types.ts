import type {
  ArtifactType,
  Audience,
  DraftIssue,
  IssueType,
  ReportFormat,
  ReportType,
  Template,
} from '../../contracts/authoring/authoring.ts';
import type { SignalClass, SignalSource } from '../../contracts/signals/signals.ts';

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
  /** Null: all times. */
  windowDays: number | null;
  /** End of all windows, ISO 8601, so that a repeated stage uses the same. */
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
  /** ISO 8601; null: from the beginning. */
  from: string | null;
  until: string;
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
  class: SignalClass;
  sentiment: number;
  severity: number;
  source: SignalSource;
  author: string | null;
  at: string;
  group: string;
  /** Near-duplicates among the draft's signals, including this one. */
  copies: number;
  customers: string[];
  /** Names of all its entities. */
  names: string[];
}

/** A fact or opportunity as a source. */
export interface OtherSource {
  ref: string;
  kind: 'fact' | 'opportunity';
  excerpt: string;
  at: string;
  weight: number;
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
  /** Signal ids by class, most important first, without near-duplicates. */
  quotes: Partial<Record<SignalClass, string[]>>;
  newestSignals: string[];
  severeSignals: string[];
  signals: Record<string, Cited>;
  facts: OtherSource[];
  opportunities: (OpportunityView & { summary: string })[];
  warnings: string[];
}

/** A statement with its sources. Plain text, escaped when printed. */
export interface Statement {
  text: string;
  /** Refs of signals, facts, opportunities. */
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

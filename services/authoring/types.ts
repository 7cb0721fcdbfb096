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

/** What a draft is about and how it is wanted, names resolved. Stands in the draft's row. */
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
  /** Where all windows end, ISO 8601: a repeated stage sees the same. */
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

/** Which signals a draft is about. */
export interface Filter {
  tenant: string;
  /** ISO 8601; null: from the beginning. */
  from: string | null;
  until: string;
  /** What came to be known later does not count, ISO 8601. */
  known: string;
  /** Only these signals; null: no matter. */
  signals: readonly string[] | null;
  /** About one of these, or of this area in the words of the source; both null: no matter. */
  entities: readonly string[] | null;
  area: string | null;
  customer: string | null;
  /** Only what compares products, or is about an entity of type competitor. */
  competing: boolean;
}

/** A number as it can be counted again, within the draft's filter. */
export interface Figure {
  n: number;
  of: 'signals' | 'customers' | 'group';
  /** Of signals about this entity. */
  entity?: string;
  classes?: readonly SignalClass[];
  /** At least this severe, 0 to 4. */
  severity?: number;
  /** Of `group`: how many say nearly the same. */
  group?: string;
  /** ISO 8601; otherwise as the filter. */
  from?: string;
  until?: string;
}

/** A signal as it is cited. */
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
  /** How many of the draft's signals say nearly the same, this one included. */
  copies: number;
  customers: string[];
  /** Names of everything it is about. */
  names: string[];
}

/** What a fact of the graph, or an opportunity, gives to cite. */
export interface OtherSource {
  ref: string;
  kind: 'fact' | 'opportunity';
  excerpt: string;
  at: string;
  weight: number;
}

export const sampleSets = ['any', 'problems', 'requests', 'praise', 'churn'] as const;
export type SampleSet = (typeof sampleSets)[number];

/** How often something is spoken of, and by whom. */
export interface Counts {
  signals: number;
  customers: number;
}

/** An entity with what is said of it. */
export interface Ranked extends Named {
  counts: Record<SampleSet, Counts>;
  /** Signals of the latest window and of the one before it. */
  recent: number;
  previous: number;
  /** Highest, 0 to 4. */
  severity: number;
  /** Signals that show each count, newest first, each group once. */
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

/** Everything that a draft can say, read once. */
export interface Evidence {
  spec: DraftSpec;
  title: string;
  filter: Filter;
  /** ISO 8601: the windows that are compared. */
  recentFrom: string;
  previousFrom: string;
  windowDays: number;
  newest: string;
  oldest: string;
  totals: Counts & { recent: number; previous: number };
  classes: Partial<Record<SignalClass, Counts>>;
  severe: Counts;
  /** Most spoken of first, by type. */
  ranked: Record<string, Ranked[]>;
  /** Ids of signals by class, the most telling first, each group once. */
  quotes: Partial<Record<SignalClass, string[]>>;
  newestSignals: string[];
  severeSignals: string[];
  signals: Record<string, Cited>;
  facts: OtherSource[];
  opportunities: (OpportunityView & { summary: string })[];
  warnings: string[];
}

/** One thing said, with where it comes from. Plain text: it is escaped where it is printed. */
export interface Statement {
  text: string;
  /** Refs of signals, facts, opportunities. */
  sources: string[];
  figures: Figure[];
  /** In a language model's words. */
  written?: boolean;
}

export interface Section {
  heading: string;
  statements: Statement[];
  /** What the person is asked to write; null: nothing is left to them. */
  toFill: string | null;
}

export interface Issue extends Omit<DraftIssue, 'description' | 'acceptance_criteria'> {
  description: Statement[];
  criteria: Statement[];
}

export interface Written {
  sections: Section[];
  issues: Issue[] | null;
  /** The same sections as assembled from the evidence, where a model wrote others. */
  plain: Section[] | null;
  model: string | null;
  /** Statements of the model that cite nothing of what it was given, or more than that. */
  dropped: number;
  warnings: string[];
}

import type { Database, Row } from '../../adapters/postgres/database.ts';
import {
  severities,
  type Referral,
  type Severity,
  type SignalClass,
  type SignalSource,
  type StatementState,
  type Tone,
} from '../../contracts/signals/signals.ts';
import type { Columns } from '../../prisma/rows.ts';

/** A signal for callers. The statement is untrusted data. */
export interface SignalView {
  signal_id: string;
  source: SignalSource;
  /** Title of the document. */
  title: string;
  /** The statement, in its own words. */
  snippet: string;
  occurred_at: string;
  class: SignalClass;
  /** 0 to 1; 1: a person said so */
  class_confidence: number;
  /** -1 to 1 */
  sentiment: number;
  tone: Tone | null;
  severity: Severity;
  /** How things stood when it was said. */
  state: StatementState;
  /** What it does to an earlier statement of the same customer. */
  refers_to: { signal_id: string; as: Referral } | null;
  /** The later statement that resolved or withdrew it. */
  settled: { signal_id: string; at: string } | null;
  author: string | null;
  area: string | null;
  url: string | null;
  customers: string[];
  features: string[];
  issues: string[];
  themes: string[];
  competitors: string[];
  /** Citation of its passage. */
  citation: string;
  group_id: string;
  /** Number of near-duplicates, including this one. */
  group_size: number;
}

interface SignalRow
  extends
    Row,
    Columns<
      'signals',
      | 'id'
      | 'statement'
      | 'occurred_at'
      | 'class_confidence'
      | 'sentiment'
      | 'severity'
      | 'author'
      | 'area'
      | 'url'
      | 'document_id'
      | 'group_id'
      | 'earlier_id'
      | 'settled_by'
      | 'settled_at'
    > {
  source: SignalSource;
  title: string;
  class: SignalClass;
  tone: Tone | null;
  state: StatementState;
  earlier: Referral | null;
  ordinal: number;
  group_size: number;
  names: { type: string; name: string }[] | null;
}

/** Counted up to this number. */
const mostOfGroup = 1_000;

/**
 * These signals, in the order of the given ids; unknown ids are skipped.
 * @param asOf what settled them later is not known yet
 */
export async function signalsById(query: Database['query'], tenant: string, ids: readonly string[], asOf?: Date): Promise<SignalView[]> {
  if (ids.length === 0) return [];
  const rows = await query<SignalRow>(
    `select s.id, s.source, d.title, s.statement, s.occurred_at, s.class, s.class_confidence, s.sentiment, s.severity, s.author, s.area, s.url,
       s.document_id, c.ordinal, s.group_id, s.tone, s.state, s.earlier_id, s.earlier, s.settled_by, s.settled_at,
       (select count(*)::int from (select from signals g where g.tenant_id = $1 and g.group_id = s.group_id limit ${mostOfGroup}) g) as group_size,
       (select jsonb_agg(jsonb_build_object('type', x.type, 'name', e.name) order by e.name) from signal_entities x
        join entities e on e.tenant_id = $1 and e.id = x.entity_id where x.tenant_id = $1 and x.signal_id = s.id) as names
     from signals s join documents d on d.tenant_id = $1 and d.id = s.document_id join chunks c on c.tenant_id = $1 and c.id = s.chunk_id
     where s.tenant_id = $1 and s.id = any($2)`,
    [tenant, ids],
  );
  const views = new Map(rows.map((row) => [row.id, view(row, asOf)]));
  return ids.flatMap((id) => views.get(id) ?? []);
}

function view(row: SignalRow, asOf: Date | undefined): SignalView {
  const named = (type: string): string[] => (row.names ?? []).filter((each) => each.type === type).map((each) => each.name);
  return {
    signal_id: row.id,
    source: row.source,
    title: row.title,
    snippet: row.statement,
    occurred_at: row.occurred_at.toISOString(),
    class: row.class,
    class_confidence: rounded(row.class_confidence),
    sentiment: rounded(row.sentiment),
    tone: row.tone,
    severity: severities[row.severity]!,
    state: row.state,
    refers_to: row.earlier_id === null || row.earlier === null ? null : { signal_id: row.earlier_id, as: row.earlier },
    settled:
      row.settled_by === null || row.settled_at === null || (asOf !== undefined && row.settled_at > asOf)
        ? null
        : { signal_id: row.settled_by, at: row.settled_at.toISOString() },
    author: row.author,
    area: row.area,
    url: row.url,
    customers: named('customer'),
    features: named('feature'),
    issues: named('issue'),
    themes: named('theme'),
    competitors: named('competitor'),
    citation: `${row.document_id}#${row.ordinal}`,
    group_id: row.group_id,
    group_size: row.group_size,
  };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

import type { Database } from '../../adapters/postgres/database.ts';
import type { Columns } from '../../prisma/rows.ts';
import type { OpportunityReader } from './basis.ts';
import type { OpportunityView } from './types.ts';

/** Per opportunity. */
const mostSignals = 20_000;

interface Row
  extends
    Record<string, unknown>,
    Columns<
      'opportunities',
      'id' | 'title' | 'status' | 'score' | 'impact' | 'confidence' | 'strategic_alignment' | 'urgency' | 'effort' | 'created_at'
    > {
  signals: string[];
}

const columns = `o.id, o.title, o.status, o.score, o.impact, o.confidence, o.strategic_alignment, o.urgency, o.effort, o.created_at,
  array(select m.signal_id from opportunity_signals m where m.tenant_id = $1 and m.cluster_id = o.id order by m.signal_id limit ${mostSignals}) as signals`;

/** Reads opportunities for citations. A merged one is replaced by its successor. */
export const opportunityReader = ({ query }: Pick<Database, 'query'>): OpportunityReader => ({
  async get(tenant, id) {
    const seen = new Set<string>();
    for (let next: string | null = id; next !== null && !seen.has(next);) {
      seen.add(next);
      const [row]: (Row & { merged_into: string | null })[] = await query(
        `select ${columns}, o.merged_into from opportunities o where o.tenant_id = $1 and o.id::text = lower($2)`,
        [tenant, next],
      );
      if (!row) return null;
      if (row.merged_into === null) return view(row);
      next = row.merged_into;
    }
    return null;
  },
  async top(tenant, limit, { entities, area }) {
    const rows = await query<Row>(
      `select ${columns} from opportunities o where o.tenant_id = $1 and o.closed_at is null and o.status <> 'rejected'
         and (($3::text[] is null and $4::text is null) or exists (
           select from opportunity_signals m join signals s on s.tenant_id = $1 and s.id = m.signal_id
           where m.tenant_id = $1 and m.cluster_id = o.id and (s.area_key = $4 or exists (
             select from signal_entities x where x.tenant_id = $1 and x.signal_id = s.id and x.entity_id = any($3)))))
       order by o.score desc, o.id limit $2`,
      [tenant, limit, entities, area?.toLowerCase() ?? null],
    );
    return rows.map(view);
  },
});

const rounded = (value: number): number => Math.round(value * 10) / 10;

const view = ({
  id,
  title,
  status,
  score,
  created_at,
  signals,
  impact,
  confidence,
  strategic_alignment,
  urgency,
  effort,
}: Row): OpportunityView => ({
  id,
  title,
  status,
  score: rounded(score),
  factors: {
    impact: rounded(impact),
    confidence: Math.round(confidence * 100) / 100,
    strategic_alignment: rounded(strategic_alignment),
    urgency: rounded(urgency),
    effort: rounded(effort),
  },
  signalIds: signals,
  createdAt: created_at.toISOString(),
});

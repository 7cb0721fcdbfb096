import type { Row } from '../../adapters/postgres/database.ts';
import type { Draft, DraftSource, DraftSummary, ReportType } from '../../contracts/authoring/authoring.ts';
import type { CitedHere } from '../../contracts/knowledge/reading.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { keysetPage, matching, newest, type Page, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { withoutSources } from './render.ts';
import type { Columns } from '../../prisma/rows.ts';

interface DraftRow
  extends
    Row,
    Columns<'drafts', 'id' | 'type' | 'format' | 'title' | 'job_id' | 'statements' | 'dropped' | 'model' | 'created_by' | 'created_at'> {
  kind: DraftSummary['kind'];
  audience: DraftSummary['audience'];
  status: DraftSummary['status'];
}

/** An unfinished draft has the status of its job. */
const standing = `case when d.status <> 'writing' then d.status when j.status in ('failed', 'cancelled') then j.status else 'writing' end`;
const columns = `d.id, d.kind, d.type, d.format, d.audience, d.title, d.job_id, d.statements, d.dropped, d.model, d.created_by, d.created_at,
  ${standing} as status`;
const withJob = 'drafts d left join jobs j on j.tenant_id = $1 and j.id = d.job_id';

/** Per page of passages. */
const shownCiting = 500;

export interface DraftFilter extends Paging {
  kind?: DraftSummary['kind'] | undefined;
  type?: string | undefined;
  status?: DraftSummary['status'] | undefined;
  /** Part of the title. */
  query?: string | undefined;
  opportunityId?: string | undefined;
}

/** Reads of drafts. The table's row-level policy restricts stakeholder teams to their scope. */
export class DraftQueries extends Service {
  /** Newest first. */
  async list(tenant: string, { kind, type, status, query, opportunityId, ...paging }: DraftFilter): Promise<Page<DraftSummary>> {
    const where = matching({
      'd.tenant_id = $': tenant,
      'd.kind = $': kind,
      'd.type = $': type,
      [`${standing} = $`]: status,
      'position(lower($) in lower(d.title)) > 0': query,
      "d.spec->>'opportunityId' = $": opportunityId,
    });
    const list = { select: columns, from: withJob, ...where, order: newest('d.created_at', 'd.id') };
    return await keysetPage(this.db.query, list, paging, summary);
  }

  /** Finished drafts that cite these passages, the newest first, by citation. */
  async citing(tenant: string, citations: readonly string[]): Promise<Map<string, CitedHere[]>> {
    const rows = await this.db.query<CitedHere & { ref: string } & Row>(
      `select s.ref, d.id as draft_id, d.title, d.type, s.number, s.excerpt from draft_sources s
       join drafts d on d.tenant_id = $1 and d.id = s.draft_id and d.status = 'ready'
       where s.tenant_id = $1 and s.ref = any($2) order by d.created_at desc, d.id, s.number limit ${shownCiting}`,
      [tenant, citations],
    );
    const found = new Map<string, CitedHere[]>(citations.map((citation) => [citation, []]));
    for (const { ref, ...draft } of rows) found.get(ref)?.push(draft);
    return found;
  }

  /** @throws AppError NOT_FOUND, also for another tenant's; CONFLICT while it is not ready, GONE when it was withdrawn */
  async get(tenant: string, id: string, { sources = true }: { sources?: boolean } = {}): Promise<Draft> {
    const [row] = await this.db.query<DraftRow & Whole>(
      `select ${columns}, ${whole} from ${withJob} where d.tenant_id = $1 and d.id = $2`,
      [tenant, id],
    );
    if (!row) throw notFound('draft', id, 'authoring.draft.list shows the drafts you may see.');
    if (row.status === 'withdrawn') {
      throw new AppError('GONE', 'A source that the draft quotes was deleted, and its text with it.', { hint: 'Have it generated again.' });
    }
    if (row.status !== 'ready') {
      throw new AppError(
        'CONFLICT',
        row.status === 'writing'
          ? 'The draft is still written.'
          : `The draft has ${row.status === 'failed' ? 'failed' : 'been cancelled'}.`,
        {
          hint: row.status === 'writing' ? 'system.job.get tells when it is done.' : 'Have it generated again.',
          details: { reason: row.status, job_id: row.job_id },
        },
      );
    }
    const draft = await this.full(tenant, row);
    return sources ? draft : { ...draft, content: withoutSources(draft.content) };
  }

  /**
   * The newest report of a type, without area or customer unless one is named.
   * @throws AppError NOT_FOUND
   */
  async latest(
    tenant: string,
    { type, area, customerId }: { type: ReportType; area?: string | undefined; customerId?: string | undefined },
  ): Promise<Draft> {
    const [row] = await this.db.query<DraftRow & Whole>(
      `select ${columns}, ${whole} from ${withJob}
       where d.tenant_id = $1 and d.kind = 'report' and d.type = $2 and d.status = 'ready'
         and d.area is not distinct from lower($3::text) and d.customer_id is not distinct from $4::text
       order by d.generated_at desc, d.id desc limit 1`,
      [tenant, type, area ?? null, customerId ?? null],
    );
    if (row) return await this.full(tenant, row);
    const others = await this.db.query<{ area: string | null }>(
      `select distinct area from drafts where tenant_id = $1 and kind = 'report' and type = $2 and status = 'ready' and area is not null limit 5`,
      [tenant, type],
    );
    throw new AppError(
      'NOT_FOUND',
      `There is no ${type}${area ? ` about ${area}` : ''} yet${others.length > 0 ? ' for this filter' : ''} that you may see.`,
      {
        hint:
          others.length > 0
            ? `There are some about: ${others.map((each) => each.area).join(', ')}.`
            : 'authoring.report.generate makes one; for a stakeholder team with for_team.',
      },
    );
  }

  private async full(tenant: string, row: DraftRow & Whole): Promise<Draft> {
    const sources = await this.db.query<Omit<DraftSource, 'occurred_at'> & { occurred_at: Date } & Row>(
      'select number, ref, kind, excerpt, occurred_at, weight from draft_sources where tenant_id = $1 and draft_id = $2 order by number',
      [tenant, row.id],
    );
    return {
      ...summary(row),
      content: row.content,
      text: row.plain,
      sections: row.body.sections,
      issues: row.body.issues,
      to_fill_by_pm: row.to_fill,
      provenance: sources.map((each) => ({ ...each, occurred_at: each.occurred_at.toISOString() })),
      freshness: {
        newest_signal_at: row.newest_signal_at.toISOString(),
        oldest_signal_at: row.oldest_signal_at.toISOString(),
        generated_at: row.generated_at.toISOString(),
      },
      warnings: row.warnings,
    };
  }
}

const whole = 'd.body, d.content, d.plain, d.to_fill, d.warnings, d.newest_signal_at, d.oldest_signal_at, d.generated_at';

interface Whole {
  body: Pick<Draft, 'sections' | 'issues'>;
  content: string;
  plain: string;
  to_fill: string[];
  warnings: string[];
  newest_signal_at: Date;
  oldest_signal_at: Date;
  generated_at: Date;
}

const summary = (row: DraftRow): DraftSummary => ({
  draft_id: row.id,
  kind: row.kind,
  type: row.type,
  format: row.format,
  audience: row.audience,
  title: row.title,
  status: row.status,
  job_id: row.job_id,
  statements: row.statements,
  dropped: row.dropped,
  model: row.model,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
});

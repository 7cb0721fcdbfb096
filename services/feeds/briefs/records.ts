/** Stored briefs: one row per version. */
import type { Row } from '../../../adapters/postgres/database.ts';
import type { Brief } from '../../../contracts/feeds/briefs.ts';
import { AppError } from '../../../contracts/errors.ts';
import { derivedId, hashOf } from '../../../contracts/ids.ts';
import { down, keysetPage, matching, type Page, type Paging } from '../../kernel/paging.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { noteEvent } from '../../kernel/outbox.ts';
import { lock } from '../../kernel/locks.ts';
import { Service } from '../../kernel/service.ts';
import type { BriefContent } from './types.ts';

export interface NewBrief {
  tenant: string;
  runId: string;
  date: string;
  content: BriefContent;
  /** Hashed to detect an unchanged brief. */
  input: unknown;
  /** Null: no language model. */
  model: string | null;
  dropped: number;
  createdBy: string;
}

export interface Kept {
  id: string;
  version: number;
  /** The input was unchanged: nothing was written. */
  unchanged: boolean;
}

interface BriefRow extends Row, Columns<'briefs', 'id' | 'version' | 'run_id' | 'model' | 'dropped' | 'notified_at' | 'created_at'> {
  date: string;
  content: BriefContent;
}

export const briefIdOf = (tenant: string, runId: string, date: string): string => derivedId('brief', tenant, runId, date);

const columns = 'id, version, date::text as date, run_id, content, model, dropped, notified_at, created_at';

export class BriefRecords extends Service {
  /** Writes the next version with its event; does nothing if the input is unchanged. */
  async keep({ tenant, runId, date, content, input, model, dropped, createdBy }: NewBrief): Promise<Kept> {
    const id = briefIdOf(tenant, runId, date);
    const hash = hashOf(input);
    return await this.db.transaction(async (query) => {
      await lock(query, `brief ${tenant} ${id}`);
      const [last] = await query<{ version: number; input_hash: string }>(
        'select version, input_hash from briefs where tenant_id = $1 and id = $2 order by version desc limit 1',
        [tenant, id],
      );
      if (last?.input_hash === hash) return { id, version: last.version, unchanged: true };
      const version = (last?.version ?? 0) + 1;
      await query(
        `insert into briefs (tenant_id, id, version, date, run_id, input_hash, content, model, dropped, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [tenant, id, version, date, runId, hash, JSON.stringify(content), model, dropped, createdBy],
      );
      await noteEvent(query, tenant, 'brief.generated', id, { date, version, run_id: runId, highlights: content.highlights.length });
      return { id, version, unchanged: false };
    });
  }

  /** @param version default: the newest. @throws AppError NOT_FOUND */
  async get(tenant: string, id: string, version?: number): Promise<Brief> {
    const [row] = await this.db.query<BriefRow>(
      `select ${columns} from briefs where tenant_id = $1 and id = $2 and ($3::int is null or version = $3) order by version desc limit 1`,
      [tenant, id, version ?? null],
    );
    if (!row) throw none(version === undefined ? `No brief with id "${id}".` : `The brief "${id}" has no version ${version}.`);
    return view(row);
  }

  /**
   * The newest of a day, or of all days.
   * @throws AppError NOT_FOUND
   */
  async latest(tenant: string, date?: string): Promise<Brief> {
    const [row] = await this.db.query<BriefRow>(
      `select ${columns} from briefs where tenant_id = $1 and ($2::date is null or date = $2) order by date desc, created_at desc limit 1`,
      [tenant, date ?? null],
    );
    if (!row) throw none(date === undefined ? 'There is no brief yet.' : `There is no brief for ${date}.`);
    return view(row);
  }

  /** The newest version of each, newest day first. @throws AppError VALIDATION_ERROR for a cursor of another list */
  async page(
    tenant: string,
    { from, to, ...paging }: { from?: string | undefined; to?: string | undefined } & Paging,
  ): Promise<Page<Brief>> {
    const where = matching({
      'b.tenant_id = $': tenant,
      'b.date >= $': from,
      'b.date <= $': to,
      'not exists (select from briefs n where n.tenant_id = $1 and n.id = b.id and n.version > b.version)': true,
    });
    const list = { select: columns, from: 'briefs b', ...where, order: [down('b.date', 'date'), down('b.id')] };
    return await keysetPage(this.db.query, list, paging, view);
  }

  /** Addresses in recent briefs of other days. */
  async toldBefore(tenant: string, date: string): Promise<string[]> {
    const rows = await this.db.query<{ url: string }>(
      `select distinct e.url #>> '{}' as url from briefs b, jsonb_path_query(b.content, '$.highlights[*].evidence[*].url') as e(url)
       where b.tenant_id = $1 and b.date between $2::date - 7 and $2::date - 1`,
      [tenant, date],
    );
    return rows.map(({ url }) => url);
  }

  /** Whether readers were notified of any version. */
  async wasTold(tenant: string, id: string): Promise<boolean> {
    const rows = await this.db.query('select 1 from briefs where tenant_id = $1 and id = $2 and notified_at is not null limit 1', [
      tenant,
      id,
    ]);
    return rows.length > 0;
  }

  async markTold(tenant: string, id: string, version: number): Promise<void> {
    await this.db.query('update briefs set notified_at = coalesce(notified_at, now()) where tenant_id = $1 and id = $2 and version = $3', [
      tenant,
      id,
      version,
    ]);
  }
}

const none = (message: string): AppError =>
  new AppError('NOT_FOUND', message, { hint: 'authoring.brief.list shows those there are, authoring.brief.run makes one.' });

const view = ({ id, version, date, run_id, content, model, dropped, created_at }: BriefRow): Brief => ({
  brief_id: id,
  version,
  run_id,
  date,
  ...content,
  generated_at: created_at.toISOString(),
  model,
  dropped_statements: dropped,
});

import type { Database } from '../../../adapters/postgres/database.ts';
import type { Caller } from '../../../contracts/caller.ts';
import { AppError, notFound } from '../../../contracts/errors.ts';
import type { FactorName, OpportunityStatus } from '../../../contracts/signals/opportunities.ts';
import { overridesOf } from './count.ts';
import { noteEvent } from '../../kernel/outbox.ts';
import { Service } from '../../kernel/service.ts';
import { noteHistory } from './lifecycle.ts';
import type { OpportunityQueries, OpportunityRow } from './queries.ts';
import { inForce, leastEffort, scoreOf } from './score.ts';
import { clean } from './title.ts';

type Query = Database['query'];

/** Allowed status changes: people review an opportunity before they decide, and may review it again. */
export const nextStatuses: Record<OpportunityStatus, readonly OpportunityStatus[]> = {
  new: ['reviewing'],
  reviewing: ['accepted', 'rejected', 'new'],
  accepted: ['reviewing'],
  rejected: ['reviewing'],
};

export interface Changed {
  opportunity_id: string;
  title: string;
  status: OpportunityStatus;
  score: number;
  changed: boolean;
}

/** People's decisions about opportunities. New evidence never changes them. */
export class OpportunityCommands extends Service<never, { queries: OpportunityQueries }> {
  /** @throws AppError NOT_FOUND, CONFLICT (closed, or a status change that is not allowed) */
  async setStatus(caller: Caller, id: string, status: OpportunityStatus, reason: string | null): Promise<Changed> {
    return await this.change(caller, id, async (query, row) => {
      if (row.status === status) return false;
      if (!nextStatuses[row.status].includes(status)) {
        throw new AppError('CONFLICT', `An opportunity that is ${row.status} cannot become ${status}.`, {
          hint: `From ${row.status} it may become ${nextStatuses[row.status].join(' or ')}.`,
          details: { status: row.status, allowed: nextStatuses[row.status] },
        });
      }
      const data = { from: row.status, to: status, reason };
      await query('update opportunities set status = $3, rev = rev + 1, updated_at = now() where tenant_id = $1 and id = $2', [
        caller.tenant,
        row.id,
        status,
      ]);
      await noteHistory(query, caller.tenant, row.id, 'status', data, caller.principal);
      await noteEvent(query, caller.tenant, 'opportunity.status_changed', row.id, { ...data, by: caller.principal });
      return true;
    });
  }

  /**
   * @param title null: the generated title again.
   * @throws AppError NOT_FOUND, CONFLICT (closed)
   */
  async setTitle(caller: Caller, id: string, title: string | null): Promise<Changed> {
    const { tenant, principal } = caller;
    return await this.change(caller, id, async (query, row) => {
      const wanted = title === null ? null : clean(title);
      if (wanted === null ? row.title_by === null : row.title_by !== null && row.title === wanted) return false;
      await query(
        `update opportunities set title = coalesce($3, title), title_by = $4, rev = rev + 1, updated_at = now(),
           computed = case when $3::text is null then computed - 'titled' else computed end,
           scored_at = case when $3::text is null then '-infinity' else scored_at end where tenant_id = $1 and id = $2`,
        [tenant, row.id, wanted, wanted === null ? null : principal],
      );
      // Null: the generated title, before and after.
      await noteHistory(query, tenant, row.id, 'title', { from: row.title_by === null ? null : row.title, to: wanted }, principal);
      await noteEvent(query, tenant, 'opportunity.changed', row.id, { what: 'title', by: principal });
      return true;
    });
  }

  /**
   * @param value null: the computed value applies again
   * @throws AppError NOT_FOUND, CONFLICT (closed), VALIDATION_ERROR (out of the factor's range)
   */
  async setFactor(caller: Caller, id: string, factor: FactorName, value: number | null, reason: string | null): Promise<Changed> {
    const { tenant, principal } = caller;
    const [least, most] = factor === 'confidence' ? [0, 1] : factor === 'effort' ? [leastEffort, 10] : [0, 10];
    if (value !== null && (value < least || value > most)) {
      throw new AppError('VALIDATION_ERROR', `${factor} is ${value}; it is between ${least} and ${most}.`, {
        hint: factor === 'confidence' ? 'Confidence is a share: 0.8 for 80 %.' : 'Give a value of that range.',
      });
    }
    return await this.change(caller, id, async (query, row) => {
      const [before] = await query<{ value: number; reason: string | null }>(
        'select value, reason from opportunity_factors where tenant_id = $1 and opportunity_id = $2 and factor = $3',
        [tenant, row.id, factor],
      );
      if (value === null ? !before : before && before.value === Math.fround(value) && before.reason === reason) return false;
      if (value === null) {
        await query('delete from opportunity_factors where tenant_id = $1 and opportunity_id = $2 and factor = $3', [
          tenant,
          row.id,
          factor,
        ]);
      } else {
        await query(
          `insert into opportunity_factors (tenant_id, opportunity_id, factor, value, reason, set_by) values ($1, $2, $3, $4, $5, $6)
           on conflict (tenant_id, opportunity_id, factor) do update set value = excluded.value, reason = excluded.reason, set_by = excluded.set_by, set_at = now()`,
          [tenant, row.id, factor, value, reason, principal],
        );
      }
      const values = inForce(row.computed, await overridesOf(query, tenant, row.id));
      await query(
        `update opportunities set impact = $3, confidence = $4, strategic_alignment = $5, urgency = $6, effort = $7, score = $8, rev = rev + 1,
           updated_at = now() where tenant_id = $1 and id = $2`,
        [tenant, row.id, values.impact, values.confidence, values.strategic_alignment, values.urgency, values.effort, scoreOf(values)],
      );
      await noteHistory(query, tenant, row.id, 'factor', { factor, from: row[factor], to: value, reason }, principal);
      await noteEvent(query, tenant, 'opportunity.changed', row.id, { what: 'factor', factor, by: principal });
      return true;
    });
  }

  /** One at a time per opportunity, and never while it is counted. */
  private async change(caller: Caller, id: string, work: (query: Query, row: OpportunityRow) => Promise<boolean>): Promise<Changed> {
    await this.deps.queries.row(caller.tenant, id);
    const changed = await this.db.transaction(async (query) => {
      const [row] = await query<OpportunityRow>('select * from opportunities where tenant_id = $1 and id = $2 for update', [
        caller.tenant,
        id,
      ]);
      if (!row) throw notFound('opportunity', id);
      if (row.closed_at) {
        const merged = row.closed_reason === 'merged';
        throw new AppError(
          'CONFLICT',
          merged ? 'This opportunity went into another one.' : 'This opportunity is closed: its evidence is gone.',
          {
            hint: merged ? 'Change the one that it went into: details.merged_into.' : 'Choose an open one: opportunity.record.list.',
            details: { closed_reason: row.closed_reason, merged_into: row.merged_into },
          },
        );
      }
      return await work(query, row);
    });
    const row = await this.deps.queries.row(caller.tenant, id);
    return { opportunity_id: row.id, title: row.title, status: row.status, score: Math.round(row.score * 100) / 100, changed };
  }
}

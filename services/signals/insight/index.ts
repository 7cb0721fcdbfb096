import type { Direction } from '../../kernel/trends.ts';
import { Service } from '../../kernel/service.ts';
import type { EntityLookup } from '../../graph/index.ts';
import type { FindPassages } from '../../graph/index.ts';
import { recount, type Recounted } from './counting.ts';
import { asOfDay, dayOf, sinceDay, type Day } from './days.ts';
import { AppError } from '../../../contracts/errors.ts';
import { heatmap, type Dimension, type Heatmap } from './heatmap.ts';
import { Profiles, type CustomerProfile, type FeatureHealth, type IssueImpact } from './profiles.ts';
import { matrix, type Matrix } from './matrix.ts';
import type { Metric } from './ranking.ts';
import { Scenarios, type Action, type Scenario } from './scenario.ts';
import { strategicInsights, type StrategicInsights } from './strategy.ts';
import { noteTrends } from './trend-changes.ts';
import { signalTrends, type Trends } from './trends.ts';

export interface InsightDeps {
  lookup: EntityLookup;
  find: FindPassages;
  /** The current date. Default: the system clock. */
  now?: () => Date;
}

interface Period {
  dateFrom?: string | undefined;
  asOf?: string | undefined;
}

/** Analysis of counted signals. A stakeholder team's scope applies. */
export class InsightService extends Service<'graph', InsightDeps> {
  private readonly profiles = new Profiles(this.deps);
  private readonly scenarios = new Scenarios(this.deps);

  private today(): string {
    return dayOf(this.deps.now?.() ?? new Date());
  }

  /** @throws AppError VALIDATION_ERROR (in the future) */
  private asOf(given: string | undefined): Day | null {
    return given === undefined ? null : asOfDay(given, this.today());
  }

  /** @param dateFrom, asOf ISO 8601; their days count (UTC) @throws AppError VALIDATION_ERROR (in the future, or no period) */
  async heatmap(
    tenant: string,
    { dateFrom, asOf, ...wanted }: Period & { dimension: Dimension; metric: Metric; limit: number },
  ): Promise<Heatmap> {
    return await heatmap(this.db.query, tenant, { ...wanted, ...this.period({ dateFrom, asOf }) });
  }

  /** As `heatmap`. */
  async matrix(
    tenant: string,
    { dateFrom, asOf, ...wanted }: Period & { dimension: Dimension; metric: Metric; rows: number; columns: number },
  ): Promise<Matrix> {
    return await matrix(this.db.query, tenant, { ...wanted, ...this.period({ dateFrom, asOf }) });
  }

  private period({ dateFrom, asOf: given }: Period): { since: Day | null; asOf: Day | null } {
    const asOf = this.asOf(given);
    const since = dateFrom === undefined ? null : sinceDay(dateFrom, this.today());
    if (since !== null && asOf !== null && since > asOf) {
      throw new AppError('VALIDATION_ERROR', `date_from ${dateFrom} lies after as_of ${given}.`, { hint: 'Pass an earlier date_from.' });
    }
    return { since, asOf };
  }

  async trends(
    tenant: string,
    { asOf, ...wanted }: { type: string; direction?: Direction | undefined; windowDays: number; limit: number; asOf?: string | undefined },
  ): Promise<Trends> {
    return await signalTrends(this.db.query, tenant, { ...wanted, today: this.asOf(asOf) ?? this.today() });
  }

  /**
   * Writes events for issues whose trend changed within the last hour.
   * @returns how many
   */
  async noteTrends(tenant: string): Promise<number> {
    return await noteTrends(this.db, tenant);
  }

  /**
   * For this and the next three:
   * @param asOf ISO 8601: nothing said after that day (UTC) counts
   * @throws AppError NOT_FOUND, AMBIGUOUS_ENTITY; VALIDATION_ERROR for a day in the future
   */
  async customer(tenant: string, name: string, asOf?: string): Promise<CustomerProfile> {
    return await this.profiles.customer(tenant, name, this.asOf(asOf));
  }

  async feature(tenant: string, name: string, asOf?: string): Promise<FeatureHealth> {
    return await this.profiles.feature(tenant, name, this.today(), this.asOf(asOf));
  }

  async issue(tenant: string, name: string, asOf?: string): Promise<IssueImpact> {
    return await this.profiles.issue(tenant, name, this.today(), this.asOf(asOf));
  }

  async scenario(tenant: string, action: Action, name: string): Promise<Scenario> {
    return await this.scenarios.analyze(tenant, action, name);
  }

  /** @throws AppError AMBIGUOUS_ENTITY (focus) */
  async strategy(
    tenant: string,
    { asOf, ...wanted }: { focusArea?: string | undefined; windowDays: number; asOf?: string | undefined },
  ): Promise<StrategicInsights> {
    return await strategicInsights(this.deps, tenant, { ...wanted, today: this.asOf(asOf) ?? this.today() });
  }

  /** Recounts all signals of the tenant and corrects differences. Writers of signals wait meanwhile. */
  async recount(tenant: string): Promise<Recounted> {
    return await this.db.transaction((query) => recount(query, tenant), { unhurried: true });
  }
}

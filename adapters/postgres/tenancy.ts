import { AsyncLocalStorage } from 'node:async_hooks';
import type { Freshness, StakeholderScope } from '../../contracts/governance/policy.ts';

/** What a stakeholder team may see of its tenant's knowledge. */
export interface RowScope {
  /** Product areas, in lower case; empty: all. */
  areas: readonly string[];
  /** Entity types; empty: all. */
  types: readonly string[];
  /** Younger records are not shown, in hours. */
  minAgeHours: number;
}

const hours: Record<Freshness, number> = { realtime: 0, daily: 24, weekly: 168 };

/** A team's scope as rows are held to it; null: all of the tenant. */
export const rowsOf = (scope: StakeholderScope | null | undefined): RowScope | null =>
  scope
    ? {
        areas: scope.product_areas.map((area) => area.toLowerCase()),
        types: scope.entity_types,
        minAgeHours: hours[scope.data_freshness],
      }
    : null;

const current = new AsyncLocalStorage<{ tenant: string; scope: RowScope | null }>();

/**
 * Runs `work` with `tenant` set for every database connection it checks out.
 * Prisma's promises are lazy, so `work` is awaited inside: `asTenant(t, () => prisma.x.findMany())` keeps the tenant.
 * Inside a scope it stays in it: nothing that a scoped call sets going reads more than the call may.
 */
export const asTenant = <T>(tenant: string, work: () => Promise<T>): Promise<T> =>
  current.run({ tenant, scope: currentScope() }, async () => await work());

/** Runs `work` with rows outside of `scope` hidden; null: nothing is. */
export const asScoped = <T>(tenant: string, scope: RowScope | null, work: () => Promise<T>): Promise<T> =>
  current.run({ tenant, scope }, async () => await work());

/** The tenant of the running call, or '' when there is none (row-level security then shows nothing). */
export const currentTenant = (): string => current.getStore()?.tenant ?? '';

/** What the running call may see of its tenant; null: all. */
export const currentScope = (): RowScope | null => current.getStore()?.scope ?? null;

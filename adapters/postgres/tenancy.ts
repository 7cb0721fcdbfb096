import { AsyncLocalStorage } from 'node:async_hooks';
import type { Freshness, StakeholderScope } from '../../contracts/governance/policy.ts';

/** The part of its tenant's knowledge that a stakeholder team may see. */
export interface RowScope {
  /** Product areas, in lower case; empty: all. */
  areas: readonly string[];
  /** Entity types; empty: all. */
  types: readonly string[];
  /** Minimum age of a visible record, in hours. */
  minAgeHours: number;
}

const hours: Record<Freshness, number> = { realtime: 0, daily: 24, weekly: 168 };

/** A team's scope as a row filter; null: the whole tenant. */
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
 * Runs `work` with `tenant` set for every database connection it checks out. `work` is awaited inside, so that lazy
 * promises keep the tenant too. Inside a scope the scope stays: everything started by a scoped call is restricted as
 * well.
 */
export const asTenant = <T>(tenant: string, work: () => Promise<T>): Promise<T> =>
  current.run({ tenant, scope: currentScope() }, async () => await work());

/** Runs `work` with rows outside `scope` hidden; null: no restriction. */
export const asScoped = <T>(tenant: string, scope: RowScope | null, work: () => Promise<T>): Promise<T> =>
  current.run({ tenant, scope }, async () => await work());

/** The tenant of the running call, or '' when there is none (row-level security then shows nothing). */
export const currentTenant = (): string => current.getStore()?.tenant ?? '';

/** The scope of the running call; null: the whole tenant. */
export const currentScope = (): RowScope | null => current.getStore()?.scope ?? null;

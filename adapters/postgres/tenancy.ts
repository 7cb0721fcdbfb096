import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/**
 * Runs `work` with `tenant` set for every database connection it checks out.
 * Prisma's promises are lazy, so `work` is awaited inside: `asTenant(t, () => prisma.x.findMany())` keeps the tenant.
 */
export const asTenant = <T>(tenant: string, work: () => Promise<T>): Promise<T> => current.run(tenant, async () => await work());

/** The tenant of the running call, or '' when there is none (row-level security then shows nothing). */
export const currentTenant = (): string => current.getStore() ?? '';

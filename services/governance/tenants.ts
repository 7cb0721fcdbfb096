import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { systemTenant } from '../../contracts/agents/agents.ts';
import { AppError } from '../../contracts/errors.ts';
import { seedPhases } from '../work/index.ts';

const tenantShape = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** @throws AppError VALIDATION_ERROR for an invalid name, FORBIDDEN for the platform's own */
export function checkTenant(tenant: string): void {
  if (!tenantShape.test(tenant)) {
    throw new AppError('VALIDATION_ERROR', `Bad tenant "${tenant.slice(0, 100)}".`, {
      hint: 'Lower-case letters, digits, "-" and "_", at most 63, starting with a letter or digit.',
    });
  }
  if (tenant === systemTenant) {
    throw new AppError('FORBIDDEN', `The tenant "${systemTenant}" is the platform's own.`, { hint: 'Choose another name.' });
  }
}

/** Creates the tenant if it is new. Runs as that tenant. */
export async function ensureTenant(db: Database, tenant: string): Promise<void> {
  const created = await db.query('insert into tenants (id) values ($1) on conflict do nothing returning id', [tenant]);
  if (created.length > 0) await seedPhases(db, tenant);
}

export async function tenantExists(db: Database, tenant: string): Promise<boolean> {
  const rows = await asTenant(tenant, () => db.query('select 1 from tenants where id = $1', [tenant]));
  return rows.length > 0;
}

import type { Row } from '../../../adapters/postgres/database.ts';
import type { Caller } from '../../../contracts/caller.ts';
import type { Mount, Provider } from '../../../contracts/outbound/connectors.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { Service } from '../../kernel/service.ts';

interface MountRow extends Row, Columns<'connector_mounts', 'credentials' | 'dry_run' | 'updated_by' | 'created_at' | 'updated_at'> {
  provider: Provider;
}

export interface MountChange {
  provider: Provider;
  /** Absent: unchanged. */
  token?: string | undefined;
  /** Absent: unchanged; for a new mount: true. */
  dry_run?: boolean | undefined;
}

/** The external systems that a tenant's agents may write to. Credentials are stored sealed and never returned. */
export class ConnectorMounts extends Service<'secrets'> {
  /** @throws AppError VALIDATION_ERROR when it is not a dry run and has no token */
  async set({ tenant, principal }: Caller, { provider, token, dry_run }: MountChange): Promise<Mount> {
    const rows = await this.db.query<MountRow>(
      `insert into connector_mounts as m (tenant_id, provider, credentials, dry_run, updated_by) values ($1, $2, $3, coalesce($4, true), $5)
       on conflict (tenant_id, provider) do update set credentials = coalesce(excluded.credentials, m.credentials),
         dry_run = coalesce($4, m.dry_run), updated_by = $5, updated_at = now()
       where coalesce(excluded.credentials, m.credentials) is not null or coalesce($4, m.dry_run)
       returning *`,
      [tenant, provider, token === undefined ? null : this.deps.secrets.seal(token), dry_run ?? null, principal],
    );
    const row = rows[0];
    if (row && (row.credentials !== null || row.dry_run)) return view(row);
    if (row) await this.remove(tenant, provider);
    throw new AppError('VALIDATION_ERROR', `${provider} cannot be mounted without a token unless in dry run.`, {
      hint: 'Give token, or dry_run: true.',
    });
  }

  async list(tenant: string): Promise<Mount[]> {
    const rows = await this.db.query<MountRow>('select * from connector_mounts where tenant_id = $1 order by provider', [tenant]);
    return rows.map(view);
  }

  /** @returns whether there was one */
  async remove(tenant: string, provider: Provider): Promise<boolean> {
    const rows = await this.db.query('delete from connector_mounts where tenant_id = $1 and provider = $2 returning 1', [tenant, provider]);
    return rows.length > 0;
  }

  /**
   * What a call needs. @throws AppError NOT_FOUND when the provider is not mounted, SERVICE_UNAVAILABLE when the
   * credentials cannot be unsealed
   */
  async open(tenant: string, provider: Provider): Promise<{ dryRun: boolean; token: string | null }> {
    const [row] = await this.db.query<MountRow>('select * from connector_mounts where tenant_id = $1 and provider = $2', [
      tenant,
      provider,
    ]);
    if (!row) {
      throw new AppError('NOT_FOUND', `${provider} is not mounted.`, {
        hint: `connector.mount.set with {"provider": "${provider}", "token": …} mounts it.`,
      });
    }
    return { dryRun: row.dry_run, token: row.credentials === null ? null : this.deps.secrets.open(row.credentials) };
  }

  /** What an attempt needs. @throws AppError as `open`, and CONFLICT when nothing may be sent any more */
  async token(tenant: string, provider: Provider): Promise<string> {
    const { dryRun, token } = await this.open(tenant, provider);
    if (!dryRun && token !== null) return token;
    throw new AppError('CONFLICT', `${provider} has been put into dry run meanwhile: nothing was sent.`, {
      hint: 'connector.mount.list shows its state.',
    });
  }
}

const view = (row: MountRow): Mount => ({
  provider: row.provider,
  dry_run: row.dry_run,
  has_credentials: row.credentials !== null,
  updated_by: row.updated_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

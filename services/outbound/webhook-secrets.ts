import type { Row } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { isWebhookSecret, newWebhookSecret } from '../kernel/webhook-signing.ts';
import { Service } from '../kernel/service.ts';
import type { Columns } from '../../prisma/rows.ts';

interface SecretRow extends Row, Columns<'webhook_secrets', 'recipient_shown' | 'updated_by' | 'updated_at'> {}

export interface WebhookTarget {
  hash: string;
  shown: string;
}

/** Target of the tenant's default secret, for webhooks without their own. */
const everybody: WebhookTarget = { hash: '', shown: '' };

/** The secrets that sign webhooks. They are stored sealed and returned only once, when they are set. */
export class WebhookSecrets extends Service<'secrets'> {
  /** The recipient's secret, else the tenant's, which is created at its first use. */
  async of(tenant: string, recipientHash: string): Promise<string> {
    const find = async (): Promise<string | undefined> => {
      const [row] = await this.db.query<{ secret: string }>(
        `select secret from webhook_secrets where tenant_id = $1 and recipient_hash in ($2, '') order by recipient_hash desc limit 1`,
        [tenant, recipientHash],
      );
      return row?.secret;
    };
    let sealed = await find();
    if (sealed === undefined) {
      await this.db.query(
        `insert into webhook_secrets (tenant_id, secret, updated_by) values ($1, $2, 'signalbox') on conflict do nothing`,
        [tenant, this.deps.secrets.seal(newWebhookSecret())],
      );
      sealed = await find();
    }
    return this.deps.secrets.open(sealed!);
  }

  /** @returns the secret, which is not shown again. @throws AppError VALIDATION_ERROR for an invalid secret */
  async set({ tenant, principal }: Caller, target: WebhookTarget | null, wanted?: string): Promise<string> {
    if (wanted !== undefined && !isWebhookSecret(wanted)) {
      throw new AppError('VALIDATION_ERROR', 'This is not a valid webhook secret.', {
        hint: 'whsec_ and 24 to 64 bytes in base64; left out, one is made.',
      });
    }
    const { hash, shown } = target ?? everybody;
    const secret = wanted ?? newWebhookSecret();
    await this.db.query(
      `insert into webhook_secrets (tenant_id, recipient_hash, recipient_shown, secret, updated_by) values ($1, $2, $3, $4, $5)
       on conflict (tenant_id, recipient_hash) do update set secret = excluded.secret, updated_by = excluded.updated_by, updated_at = now()`,
      [tenant, hash, shown, this.deps.secrets.seal(secret), principal],
    );
    return secret;
  }

  async list(tenant: string): Promise<{ host: string | null; updated_by: string; updated_at: string }[]> {
    const rows = await this.db.query<SecretRow>(
      'select recipient_shown, updated_by, updated_at from webhook_secrets where tenant_id = $1 order by recipient_shown, updated_at limit 500',
      [tenant],
    );
    return rows.map((row) => ({
      host: row.recipient_shown || null,
      updated_by: row.updated_by,
      updated_at: row.updated_at.toISOString(),
    }));
  }

  /** @returns whether there was one */
  async remove(tenant: string, target: WebhookTarget | null): Promise<boolean> {
    const rows = await this.db.query('delete from webhook_secrets where tenant_id = $1 and recipient_hash = $2 returning 1', [
      tenant,
      (target ?? everybody).hash,
    ]);
    return rows.length > 0;
  }
}

import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { SecretBox } from '../../adapters/secrets/box.ts';

/** Every column with values of `SecretBox.seal`. A new one belongs here, or its values are lost with the former key. */
export const sealedColumns: readonly [table: string, column: string][] = [
  ['agents', 'credential'],
  ['delegated_tasks', 'callback_token'],
  ['a2a_push_configs', 'token'],
  ['a2a_push_configs', 'auth_credentials'],
  ['approvals', 'arguments'],
  ['approvals', 'answer'],
  ['external_servers', 'secrets'],
  ['feed_sources', 'credentials'],
  ['brief_settings', 'recipients'],
  ['report_schedules', 'recipients'],
  ['event_subscriptions', 'url'],
  ['event_subscriptions', 'recipient'],
  ['event_subscriptions', 'secret'],
  ['connector_mounts', 'credentials'],
  ['work_trackers', 'credentials'],
  ['notifications', 'recipient'],
  ['webhook_secrets', 'secret'],
  // Of people who signed in at an issuer.
  ['console_sessions', 'tokens'],
  // The request of a call to another system, until it has ended.
  ['jobs', `spec ->> 'request'`],
];

export interface Resealed {
  /** Under the current key before. */
  current: number;
  /** Sealed anew by this run; only counted, if it only looks. */
  resealed: number;
  /** No known key opens them: the credential must be entered again. */
  unreadable: { tenant: string; table: string; column: string; count: number }[];
}

const page = 200;
/** Each finds only rows that were written during the one before it. */
const mostPasses = 10;

/**
 * Seals everything anew that is not sealed under the current key. It can be interrupted and repeated: what is done is
 * recognised, and a row that is written meanwhile is read again.
 */
export async function reseal(
  db: Database,
  secrets: SecretBox,
  { look = false, onTenant }: { look?: boolean; onTenant?: (tenant: string, done: Resealed) => void } = {},
): Promise<Resealed> {
  const done: Resealed = { current: 0, resealed: 0, unreadable: [] };
  const tenants = await db.query<{ list_tenants: string }>('select list_tenants()');
  for (const { list_tenants: tenant } of tenants) {
    await asTenant(tenant, async () => {
      for (const [table, column] of sealedColumns) await resealColumn(db, secrets, { tenant, table, column, look }, done);
    });
    onTenant?.(tenant, done);
  }
  return done;
}

async function resealColumn(
  db: Database,
  secrets: SecretBox,
  { tenant, table, column, look }: { tenant: string; table: string; column: string; look: boolean },
  done: Resealed,
): Promise<void> {
  const isJson = column.includes('->>');
  const set = isJson ? `spec = jsonb_set(spec, '{request}', to_jsonb($4::text))` : `${column} = $4`;
  const own = `${secrets.mark}%`;
  const [counted] = await db.query<{ count: number }>(
    `select count(*)::int as count from ${table} where tenant_id = $1 and ${column} like $2`,
    [tenant, own],
  );
  done.current += counted!.count;
  // A row that is written meanwhile moves, perhaps to a place already passed: a column is done when a pass finds none.
  let found = { readable: 0, unreadable: 0 };
  for (let passes = 0; passes === 0 || (found.readable > 0 && !look && passes < mostPasses); passes += 1) found = await pass();
  if (found.unreadable > 0) done.unreadable.push({ tenant, table, column: isJson ? 'spec.request' : column, count: found.unreadable });

  async function pass(): Promise<typeof found> {
    const seen = { readable: 0, unreadable: 0 };
    for (let after = '(0,0)'; ;) {
      const rows = await db.query<Row & { place: string; sealed: string }>(
        `select ctid::text as place, ${column} as sealed from ${table}
         where tenant_id = $1 and ${column} ~ '^v[12][.]' and ${column} not like $2 and ctid > $3::tid order by ctid limit ${page}`,
        [tenant, own, after],
      );
      for (const { place, sealed } of rows) {
        const text = opened(secrets, sealed);
        seen[text === null ? 'unreadable' : 'readable'] += 1;
        if (text === null) continue;
        if (look) done.resealed += 1;
        else {
          const changed = await db.query(
            `update ${table} set ${set} where tenant_id = $1 and ctid = $2::tid and ${column} = $3 returning 1`,
            [tenant, place, sealed, secrets.seal(text)],
          );
          done.resealed += changed.length;
        }
      }
      if (rows.length < page) return seen;
      after = rows.at(-1)!.place;
    }
  }
}

function opened(secrets: SecretBox, sealed: string): string | null {
  try {
    return secrets.open(sealed);
  } catch {
    return null;
  }
}

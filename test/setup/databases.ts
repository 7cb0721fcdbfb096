import pg from 'pg';
import { vi } from 'vitest';
import type { Database } from '../../adapters/postgres/database.ts';

/** The same server and role, another database. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** One statement outside any transaction. */
export async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Waits until readers in transaction order (followers of the outbox, the ledger's chain) see all earlier commits. An open
 * transaction in any database of the server delays them, also one of another test file.
 */
export async function committedVisible(db: Database): Promise<void> {
  const [now] = await db.query<{ xid: string }>('select pg_current_xact_id()::text as xid');
  await vi.waitFor(
    async () => {
      const [row] = await db.query<{ seen: boolean }>('select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as seen', [now!.xid]);
      if (!row!.seen) throw new Error('A transaction has been open for long.');
    },
    { timeout: 60_000, interval: 20 },
  );
}

import type { Database } from '../../adapters/postgres/database.ts';
import { noticeChannel } from '../../contracts/notices.ts';

/** Notifies the waiters for `topic` in all processes when the transaction of `query` commits. */
export async function notify(query: Database['query'], topic: string): Promise<void> {
  await query('select pg_notify($1, $2)', [noticeChannel, topic]);
}

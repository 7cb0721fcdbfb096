import type { Database } from '../../adapters/postgres/database.ts';
import { noticeChannel } from '../../contracts/notices.ts';

/** Tells whoever waits for `topic`, in all processes, at the commit of the transaction that `query` belongs to. */
export async function notify(query: Database['query'], topic: string): Promise<void> {
  await query('select pg_notify($1, $2)', [noticeChannel, topic]);
}

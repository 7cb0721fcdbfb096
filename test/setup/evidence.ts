/** Documents that are handed in and read, and how they were read. */
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { eventually, type TestStack } from './stack.ts';

/** Hands a text in and waits until it is read. */
export async function takeIn(
  stack: TestStack,
  me: Caller,
  title: string,
  content: string,
  more: Record<string, unknown> = {},
): Promise<{ source_id: string; document_id: string; result: Record<string, unknown> }> {
  const { job_id, source_id } = await stack.ok(me, 'ingest.document.submit', { title, content, ...more });
  const result = await eventually<Record<string, unknown>>(
    `"${title}" is taken in`,
    async () => {
      const { job } = await stack.ok(me, 'system.job.get', { job_id, wait_seconds: 10 });
      if (['failed', 'cancelled'].includes(job.status)) throw new Error(`"${title}" ended as ${job.status}`);
      return job.status === 'completed' ? job.result : null;
      // The first one may wait for the embedding model.
    },
    60_000,
  );
  // Of a slow ingestion the first answer does not know the document.
  return { source_id, document_id: result['document_id'] as string, result };
}

export interface ReadingRow extends Record<string, unknown> {
  document_id: string;
  directory: string;
  names: string;
  read_at: Date;
}

export async function readingsOf(stack: TestStack, tenant: string): Promise<Map<string, ReadingRow>> {
  const rows = await asTenant(tenant, () =>
    stack.db.query<ReadingRow>('select document_id, directory, names, read_at from document_readings where tenant_id = $1', [tenant]),
  );
  return new Map(rows.map((row) => [row.document_id, row]));
}

/** Waits until every reading agrees with the directory. */
export async function upToDate(stack: TestStack, tenant: string): Promise<void> {
  await eventually(
    'all readings are up to date',
    async () => (await asTenant(tenant, () => stack.services.rereading.waiting(tenant))) === 0,
    // Its batch window is some seconds.
    60_000,
  );
}

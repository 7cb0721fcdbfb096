import type { Database } from '../../../adapters/postgres/database.ts';
import { asTenant } from '../../../adapters/postgres/tenancy.ts';
import type { A2aState, TaskJson } from '../../../contracts/agents/a2a.ts';
import { lineOf, type Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import { seesOthers } from './rights.ts';
import { taskJson, type A2aTaskRow } from './tasks-records.ts';

export interface A2aFilter {
  contextId?: string | undefined;
  status?: A2aState | undefined;
  /** Last changed at this time or later. */
  statusTimestampAfter?: Date | undefined;
  /** 1 to 100, default 50. */
  pageSize?: number | undefined;
  pageToken?: string | undefined;
  historyLength?: number | undefined;
  includeArtifacts?: boolean | undefined;
}

export interface A2aPage {
  tasks: TaskJson[];
  /** Empty: that was all. */
  nextPageToken: string;
  pageSize: number;
  /** On all pages together. */
  totalSize: number;
}

/** The tasks that the caller sees, the latest changed first. Answers by message are no tasks. @throws AppError VALIDATION_ERROR (page token) */
export async function listA2aTasks(db: Database, caller: Caller, filter: A2aFilter): Promise<A2aPage> {
  const pageSize = filter.pageSize ?? 50;
  const after = filter.pageToken ? readToken(filter.pageToken) : null;
  const where = `tenant_id = $1 and ($2::text is null or line = $2) and answer is null and ($3::text is null or context_id = $3)
    and ($4::text is null or state = $4) and ($5::timestamptz is null or status_at >= $5)`;
  const values = [
    caller.tenant,
    seesOthers(caller) ? null : lineOf(caller),
    filter.contextId || null,
    filter.status ?? null,
    filter.statusTimestampAfter ?? null,
  ];
  return await asTenant(caller.tenant, async () => {
    const [counted] = await db.query<{ n: number }>(`select count(*)::int as n from a2a_tasks where ${where}`, values);
    const rows = await db.query<A2aTaskRow>(
      `select * from a2a_tasks where ${where} and ($6::timestamptz is null or (status_at, id) < ($6, $7)) order by status_at desc, id desc limit $8`,
      [...values, after?.at ?? null, after?.id ?? null, pageSize + 1],
    );
    const page = rows.slice(0, pageSize);
    const last = page.at(-1);
    const shape = {
      artifacts: filter.includeArtifacts ?? false,
      ...(filter.historyLength === undefined ? {} : { historyLength: filter.historyLength }),
    };
    return {
      tasks: page.map((row) => taskJson(row, shape)),
      nextPageToken: rows.length > pageSize && last ? writeToken(last) : '',
      pageSize,
      totalSize: counted?.n ?? 0,
    };
  });
}

const writeToken = ({ status_at, id }: A2aTaskRow): string =>
  Buffer.from(JSON.stringify([status_at.toISOString(), id])).toString('base64url');

function readToken(token: string): { at: Date; id: string } {
  try {
    const [at, id] = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[];
    if (typeof at === 'string' && typeof id === 'string' && !Number.isNaN(Date.parse(at))) return { at: new Date(at), id };
  } catch {
    // Refused below.
  }
  throw new AppError('VALIDATION_ERROR', 'Bad pageToken.', { hint: 'Send the nextPageToken of the page before, or none.' });
}

import type { Database } from '../../../adapters/postgres/database.ts';
import { asTenant } from '../../../adapters/postgres/tenancy.ts';
import type { A2aState, TaskJson } from '../../../contracts/agents/a2a.ts';
import { lineOf, type Caller } from '../../../contracts/caller.ts';
import type { A2aTaskView } from '../../../contracts/agents/a2a-tools.ts';
import { countedPage, keysetPage, matching, newest, type Page, type Paging } from '../../kernel/paging.ts';
import { seesOthers } from './rights.ts';
import { taskJson, type A2aTaskRow } from './tasks-records.ts';
import { viewOf } from './views.ts';

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
  /** Empty: there are no more pages. */
  nextPageToken: string;
  pageSize: number;
  /** Number of tasks on all pages. */
  totalSize: number;
}

/** As rows, for tools; also messages that were answered by a message. */
export async function pageOfA2aTasks(
  db: Database,
  caller: Caller,
  { status, contextId }: Pick<A2aFilter, 'status' | 'contextId'>,
  paging: Paging,
): Promise<Page<A2aTaskView>> {
  const where = matching({
    'tenant_id = $': caller.tenant,
    'line = $': seesOthers(caller) ? undefined : lineOf(caller),
    'context_id = $': contextId,
    'state = $': status,
  });
  const list = { select: '*', from: 'a2a_tasks', ...where, order: newest('status_at', 'id') };
  return await asTenant(caller.tenant, () => keysetPage(db.query, list, paging, (row: A2aTaskRow) => viewOf(row)));
}

/**
 * The tasks that the caller may see, last changed first. Without messages that were answered by a message. @throws
 * AppError VALIDATION_ERROR (page token)
 */
export async function listA2aTasks(db: Database, caller: Caller, filter: A2aFilter): Promise<A2aPage> {
  const pageSize = filter.pageSize ?? 50;
  const where = matching({
    'tenant_id = $': caller.tenant,
    'line = $': seesOthers(caller) ? undefined : lineOf(caller),
    'answer is null': true,
    'context_id = $': filter.contextId || undefined,
    'state = $': filter.status,
    'status_at >= $': filter.statusTimestampAfter,
  });
  const list = { select: '*', from: 'a2a_tasks', ...where, order: newest('status_at', 'id'), called: 'pageToken' };
  const shape = {
    artifacts: filter.includeArtifacts ?? false,
    ...(filter.historyLength === undefined ? {} : { historyLength: filter.historyLength }),
  };
  return await asTenant(caller.tenant, async () => {
    const paging = { limit: pageSize, cursor: filter.pageToken || undefined };
    const { items, total, next = '' } = await countedPage(db.query, list, paging, (row: A2aTaskRow) => taskJson(row, shape));
    return { tasks: items, nextPageToken: next, pageSize, totalSize: total };
  });
}

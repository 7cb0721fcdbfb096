import type { Database } from '../../adapters/postgres/database.ts';
import { isOver, systemTenant } from '../../contracts/agents/agents.ts';
import type { DelegatedRef } from '../../contracts/activities/agents/delegation.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { DelegatedTask, TaskResult } from '../../contracts/agents/delegations.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { AppError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { topics } from '../../contracts/notices.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { DelegatedAnswer } from '../../workflows/agents/delegation/process.ts';
import { down, keysetPage, matching, up, type Page, type Paging } from '../kernel/paging.ts';
import type { Process } from '../kernel/processes.ts';
import {
  delegatedUnder,
  findDelegated,
  insertDelegated,
  resultView,
  taskNotFound,
  taskView,
  type DelegatedRow,
  type Progress,
} from './delegation-records.ts';
import { checkParameters, checkTarget, uuidOf } from './delegation-rules.ts';
import { agentColumns, findAgent, type AgentRow } from './records.ts';
import { referTo } from './sessions-records.ts';
import { untilSeen } from '../kernel/waiting.ts';
import { Service } from '../kernel/service.ts';

export type DelegationNames = 'processes' | 'notices' | 'peers' | 'secrets' | 'a2a' | 'log';

export interface Wanted {
  targetAgent?: string | undefined;
  capability: string;
  parameters: Record<string, unknown>;
  priority: number;
  timeoutSeconds?: number | undefined;
  callbackUrl?: string | undefined;
  callbackToken?: string | undefined;
  sessionId?: string | undefined;
  correlationId?: string | undefined;
}

/** The workflow of a delegated task, from its reference. */
export function processOf(
  ref: DelegatedRef,
  row: Pick<DelegatedRow, 'status' | 'created_by' | 'capability' | 'target_agent' | 'source_agent'>,
): Process {
  const sent = ref.direction === 'sent';
  return {
    workflow: sent ? 'delegation' : 'received',
    id: (sent ? workflowIds.delegation : workflowIds.received)(ref.tenant, ref.id),
    queue: 'interactive',
    args: [ref],
    tenant: ref.tenant,
    kind: sent ? 'delegation' : 'received',
    status: row.status,
    owner: row.created_by,
    summary: `${row.capability.slice(0, 80)} ${sent ? 'to' : 'from'} ${(sent ? row.target_agent : row.source_agent).slice(0, 100)}`,
  };
}

/** Tasks handed to other agents, and queries about tasks of both directions. */
export class Delegations extends Service<DelegationNames> {
  /**
   * Hands a task to the named agent, otherwise to the healthy agent with the capability that has the fewest open tasks.
   * @returns the task, `pending`; it is sent in the background
   * @throws AppError VALIDATION_ERROR (target, see `details.reason`; parameters; callback address), NOT_FOUND (no agent
   * with the capability; session)
   */
  async delegate(caller: Caller, wanted: Wanted, callKey: string): Promise<DelegatedTask> {
    const { db, a2a, secrets, log } = this.deps;
    const { tenant } = caller;
    const target =
      wanted.targetAgent === undefined
        ? await this.choose(tenant, wanted.capability)
        : await findAgent(db.query, tenant, wanted.targetAgent);
    const capability = checkTarget(target, wanted.targetAgent ?? target?.id ?? '', wanted.capability);
    checkParameters(capability, wanted.parameters);
    if (wanted.callbackUrl !== undefined) this.deps.peers.check(wanted.callbackUrl);
    const ref: DelegatedRef = { tenant, direction: 'sent', id: uuidOf('delegation', tenant, callKey) };
    const insert = (query: Database['query']) =>
      insertDelegated(query, ref, 'pending', {
        sourceAgent: caller.principal,
        targetAgent: target!.id,
        capability: wanted.capability,
        parameters: wanted.parameters,
        priority: wanted.priority,
        timeoutSeconds: wanted.timeoutSeconds ?? a2a.taskTimeoutSeconds,
        correlationId: wanted.correlationId ?? newId('corr'),
        sessionId: wanted.sessionId ?? null,
        callbackUrl: wanted.callbackUrl ?? null,
        callbackToken: wanted.callbackToken === undefined ? null : secrets.seal(wanted.callbackToken),
        createdBy: caller.principal,
        keyId: caller.keyId,
      });
    const { sessionId } = wanted;
    const { row, created } =
      sessionId === undefined
        ? await insert(db.query)
        : await db.transaction(async (query) => {
            await referTo(query, caller, sessionId, ref.id);
            return await insert(query);
          });
    // A repeat after a crash finds the row and starts the workflow now.
    if (!isOver(row.status)) await this.deps.processes.start(processOf(ref, row));
    if (created) {
      log.info(
        { event: 'a2a_task_delegated', task_id: row.id, target_agent: row.target_agent, capability: row.capability },
        'task delegated',
      );
    }
    return taskView(row);
  }

  /** @throws AppError NOT_FOUND */
  private async choose(tenant: string, capability: string): Promise<AgentRow> {
    const [row] = await this.db.query<AgentRow>(
      `select ${agentColumns} from agents a
       where a.tenant_id in ($1, $3) and a.removed_at is null and a.admin_status = 'active' and a.health in ('healthy', 'none') and a.protocol is not null
         and exists (select from agent_capabilities k where k.tenant_id = a.tenant_id and k.agent_id = a.id and k.name = $2)
       order by (select count(*) from delegated_tasks t where t.tenant_id = $1 and t.direction = 'sent' and t.target_agent = a.id and t.completed_at is null),
         a.registered_at, a.id limit 1`,
      [tenant, capability, systemTenant],
    );
    if (row) return row;
    throw new AppError('NOT_FOUND', `No healthy agent has the capability "${capability}".`, {
      hint: 'agent.capability.list shows what agents can do; agent.peer.register adds one.',
      details: { capability_name: capability },
    });
  }

  /** @throws AppError NOT_FOUND */
  async get(tenant: string, id: string, direction?: DelegatedRef['direction']): Promise<DelegatedTask> {
    const rows = await delegatedUnder(this.db.query, tenant, id);
    const row = rows.find((one) => direction === undefined || one.direction === direction);
    if (!row) throw taskNotFound(id);
    return taskView(row);
  }

  /** Newest first. @param filter.before a time; @param filter.cursor of the page before @throws AppError VALIDATION_ERROR (cursor) */
  async list(
    tenant: string,
    {
      direction,
      status,
      agent,
      before,
      ...paging
    }: { direction?: string | undefined; status?: string | undefined; agent?: string | undefined; before?: string | undefined } & Paging,
  ): Promise<Page<DelegatedTask>> {
    const list = {
      select: 't.*, (t.result is not null or t.error is not null) as reported',
      from: 'delegated_tasks t',
      ...matching({
        't.tenant_id = $': tenant,
        't.direction = $': direction,
        't.status = $': status,
        't.target_agent = $ or t.source_agent = $': agent,
        't.created_at < $': before,
      }),
      order: [down('t.created_at', 'timestamptz'), up('t.id'), up('t.direction')],
    };
    return await keysetPage(this.deps.db.query, list, paging, (row: DelegatedRow) => taskView(row));
  }

  /**
   * The result of a task. Waiting never changes the task. A result can be read for seven days.
   * @throws AppError NOT_FOUND, TIMEOUT when it does not end in time
   */
  async result(
    tenant: string,
    id: string,
    waitMs: number,
    signal: AbortSignal,
    onProgress?: (progress: Progress) => void,
  ): Promise<TaskResult> {
    const row = await this.settled(tenant, id, waitMs, signal, onProgress);
    if (isOver(row.status)) return resultView(row);
    throw new AppError('TIMEOUT', 'Timeout waiting for result', {
      hint: 'The task goes on: ask again.',
      details: { task_id: row.id, status: row.status },
    });
  }

  /** As `result`, but returns the unfinished task at the timeout. */
  async waited(
    tenant: string,
    id: string,
    waitMs: number,
    signal: AbortSignal,
    onProgress?: (progress: Progress) => void,
  ): Promise<{ over: boolean; result: TaskResult }> {
    const row = await this.settled(tenant, id, waitMs, signal, onProgress);
    return { over: isOver(row.status), result: resultView(row) };
  }

  /** The task when it has ended, or unfinished at the timeout. @throws AppError NOT_FOUND */
  async settled(
    tenant: string,
    id: string,
    waitMs: number,
    signal: AbortSignal,
    onProgress?: (progress: Progress) => void,
  ): Promise<DelegatedRow> {
    const { db, notices } = this.deps;
    let told = '';
    return await untilSeen(notices, topics.delegation(tenant, id), waitMs, signal, async () => {
      const [row] = await delegatedUnder(db.query, tenant, id);
      if (!row) throw taskNotFound(id);
      const progress = JSON.stringify(row.progress);
      if (row.progress && progress !== told) onProgress?.(row.progress);
      told = progress;
      return { seen: row, enough: isOver(row.status) };
    });
  }

  /**
   * Cancels a task: the sent one with this id, otherwise the received one. Cancelling again succeeds, so that a caller
   * who lost the answer can retry.
   * @throws AppError NOT_FOUND, CONFLICT when it has ended in another way
   */
  async cancel(caller: Caller, id: string): Promise<DelegatedRow> {
    const { db, processes, log } = this.deps;
    const { tenant } = caller;
    const rows = await delegatedUnder(db.query, tenant, id);
    const row = rows.find((one) => !isOver(one.status)) ?? rows[0];
    if (!row) throw taskNotFound(id);
    const over = (status: string): AppError =>
      new AppError('CONFLICT', `The task is over: ${status}.`, {
        hint: 'agent.task.get_result shows its outcome.',
        details: { task_id: id, status },
      });
    if (row.status === 'cancelled') return row;
    if (isOver(row.status)) throw over(row.status);
    const ref: DelegatedRef = { tenant, direction: row.direction, id };
    const { status } = await processes.ask<DelegatedAnswer>(processOf(ref, row), 'cancel', { by: caller.principal }, id);
    if (status !== 'cancelled') throw over(status);
    log.info({ event: 'a2a_task_cancelled', task_id: id }, 'task cancelled');
    return (await findDelegated(db.query, ref)) ?? row;
  }

  /** Restarts the workflow of an open task. */
  async restart(ref: DelegatedRef): Promise<void> {
    const row = await findDelegated(this.db.query, ref);
    if (row && !isOver(row.status)) await this.deps.processes.start(processOf(ref, row));
  }

  /** The refs of an answer about a task. */
  refs(tenant: string, { direction, task_id }: Pick<DelegatedTask, 'direction' | 'task_id'>): Ref[] {
    return this.deps.processes.refs((direction === 'sent' ? workflowIds.delegation : workflowIds.received)(tenant, task_id));
  }
}

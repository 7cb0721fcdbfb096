import type { A2aRef } from '../../../contracts/activities/agents/a2a.ts';
import type { Caller } from '../../../contracts/caller.ts';
import type { Ref } from '../../../contracts/envelope.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import { DraftQueries } from '../../authoring/index.ts';
import type { Approvals } from '../../governance/index.ts';
import { Service } from '../../kernel/service.ts';
import { A2aEvents } from './events.ts';
import { asTenant } from '../../../adapters/postgres/tenancy.ts';
import type { MessageJson } from '../../../contracts/agents/a2a.ts';
import type { A2aTaskDetail, A2aTaskView } from '../../../contracts/agents/a2a-tools.ts';
import type { Page, Paging } from '../../kernel/paging.ts';
import { listA2aTasks, pageOfA2aTasks, type A2aFilter, type A2aPage } from './list.ts';
import { isQuiet } from './tasks-records.ts';
import { detailOf } from './views.ts';
import { A2aPush } from './push.ts';
import { sendPushes } from './push-send.ts';
import { A2aTasks } from './tasks.ts';
import { A2aTurns } from './turns.ts';

/** This platform as an agent of the A2A protocol. */
export class A2aService extends Service<'processes' | 'notices' | 'secrets' | 'peers' | 'a2a' | 'jobs', { approvals: Approvals }> {
  readonly settings = this.deps.a2a;
  readonly push = new A2aPush(this.deps);
  readonly tasks = new A2aTasks({ ...this.deps, push: this.push });
  readonly events = new A2aEvents({ ...this.deps, tasks: this.tasks });
  readonly turns: A2aTurns = new A2aTurns({
    ...this.deps,
    approval: (tenant, id) => (id.startsWith('apr_') ? this.deps.approvals.find(tenant, id) : Promise.resolve(null)),
    draft: (tenant, id) => new DraftQueries(this.deps).get(tenant, id),
    scripted: this.deps.a2a.scripted,
    changed: async ({ tenant, id }) => {
      if ((await this.push.rows(tenant, id)).length > 0) await this.deps.processes.signal(workflowIds.a2aTask(tenant, id), 'news');
    },
  });

  /** The refs of an answer about a task: its workflow in Temporal's UI. */
  refs(tenant: string, id: string): Ref[] {
    return this.deps.processes.refs(workflowIds.a2aTask(tenant, id));
  }

  async list(caller: Caller, filter: A2aFilter): Promise<A2aPage> {
    return await listA2aTasks(this.db, caller, filter);
  }

  async page(caller: Caller, filter: Pick<A2aFilter, 'status' | 'contextId'>, paging: Paging): Promise<Page<A2aTaskView>> {
    return await pageOfA2aTasks(this.db, caller, filter, paging);
  }

  /** @throws AppError NOT_FOUND */
  async detail(caller: Caller, id: string): Promise<A2aTaskDetail> {
    return detailOf(await asTenant(caller.tenant, () => this.tasks.row(caller, id)));
  }

  /** Gives a message to a new task or to one that waits. @throws AppError as `A2aTasks.send` */
  async say(caller: Caller, message: Omit<MessageJson, 'role'>, waitMs: number, signal: AbortSignal): Promise<A2aTaskDetail> {
    const sent = await this.tasks.send(caller, { message: { ...message, role: 'ROLE_USER' } });
    const seen = await this.tasks.until(caller, sent.id, Date.now() + waitMs, signal, (row) => row.rev > sent.rev && isQuiet(row));
    return detailOf(seen);
  }

  /** Sends a task's new events to its callbacks. */
  async sendPushes(ref: A2aRef, signal: AbortSignal): Promise<void> {
    await sendPushes({ ...this.deps, push: this.push }, ref, signal);
  }
}

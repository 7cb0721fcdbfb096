import { ActivityCompletionError, ActivityNotFoundError } from '@temporalio/client';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { asAppError } from '../../adapters/temporal/errors.ts';
import { systemTenant, type Health } from '../../contracts/agents/agents.ts';
import { AppError } from '../../contracts/errors.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Process } from '../kernel/processes.ts';
import { Service } from '../kernel/service.ts';
import { writeSigns, type Sign } from './presence-records.ts';

/** Optional content of a heartbeat. */
export interface HeartbeatReport {
  /** 0 to 1: how well the agent thinks it is doing. */
  coherence?: number | undefined;
  activity?: string | undefined;
  /** Usage since the last heartbeat. */
  usage?: { calls?: number | undefined; tokens?: number | undefined; cost_usd?: number | undefined } | undefined;
}

/** Batch window of heartbeat writes, in ms. */
const linger = 1_000;
/** Timeout of a heartbeat's call to Temporal, in ms. */
const answerWithin = 5_000;
/** Delay of the retry after "not found", in ms: the presence activity may be about to start. */
const secondTryAfter = 300;
/** TTL of a tenant's list of registered workers, in ms. */
const workersFreshFor = 30_000;
const maxWorkers = 20_000;

/**
 * Signs of life. A heartbeat goes directly to the agent's presence activity, by its id, so it adds nothing to the
 * workflow. Its content is written once per second for all agents together.
 */
export class Presence extends Service<'temporal' | 'a2a' | 'log' | 'processes'> {
  private readonly signs = new Map<string, Map<string, Sign>>();
  private readonly workers = new Map<string, { at: number; ids: Set<string> }>();
  /** By tenant and id: when a worker's call last counted as a heartbeat, and about which revision an agent's workflow was last told. */
  private readonly signed = new Map<string, number>();
  private readonly told = new Map<string, { rev: number; at: number }>();
  private timer: NodeJS.Timeout | null = null;
  private flushing: Promise<void> | null = null;
  private closed = false;

  /**
   * @throws AppError NOT_FOUND; FORBIDDEN (the platform's own agent); SERVICE_UNAVAILABLE (Temporal did not answer)
   */
  async heartbeat(tenant: string, id: string, report: HeartbeatReport = {}): Promise<void> {
    const sent = await this.send(tenant, id);
    if (sent) return this.note(tenant, id, report);
    // The activity has not started yet or has just timed out, or the agent does not exist.
    await new Promise((done) => setTimeout(done, secondTryAfter));
    if (await this.send(tenant, id)) return this.note(tenant, id, report);
    const [row] = await asTenant(tenant, () =>
      this.db.query<{ tenant_id: string; health: Health; rev: number }>(
        'select tenant_id, health, rev from agents where tenant_id in ($1, $3) and id = $2 and removed_at is null order by tenant_id = $1 desc limit 1',
        [tenant, id, systemTenant],
      ),
    );
    if (!row) throw agentNotFound(id);
    if (row.tenant_id !== tenant) {
      throw new AppError('FORBIDDEN', `"${id}" is this platform itself.`, { hint: 'Send heartbeats for agents that you have registered.' });
    }
    this.note(tenant, id, report);
    // The workflow is about to start the activity, or it is lost: start it then. A running one is not changed.
    if (row.health === 'healthy') await this.once(tenant, id, row.rev, () => this.start(tenant, id));
    else await this.revive(tenant, id, row.rev);
  }

  /** Counts a worker's call as a heartbeat. Never waits, never fails, and ignores workers that are not registered. */
  sign(tenant: string, id: string): void {
    const known = this.workers.get(tenant);
    if (!known || known.at < Date.now() - workersFreshFor) void this.learnWorkers(tenant);
    if (!known?.ids.has(id) || this.closed) return;
    const key = `${tenant}/${id}`;
    const last = this.signed.get(key) ?? 0;
    if (last > Date.now() - (this.deps.a2a.heartbeatIntervalSeconds * 1_000) / 3) return;
    this.signed.set(key, Date.now());
    void this.heartbeat(tenant, id).catch((error: unknown) => this.deps.log.debug({ err: error, agent: id }, 'a sign of life was lost'));
  }

  /** Starts the workflow that monitors the agent, unless it already runs. @throws AppError SERVICE_UNAVAILABLE */
  async start(tenant: string, id: string): Promise<void> {
    await this.deps.processes.start(this.process(tenant, id));
  }

  /**
   * Ends the workflow after the agent was unregistered. If the signal is lost, the workflow finds the row removed at the
   * next missed heartbeat.
   */
  async end(tenant: string, id: string): Promise<void> {
    await this.deps.processes.signal(workflowIds.agent(tenant, id), 'left').catch((error: unknown) => {
      this.deps.log.debug({ err: error, agent: id }, 'the presence of an unregistered agent ends later');
    });
  }

  /** Writes pending heartbeats. Called before the process exits. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    await this.flushing;
    await this.flush();
  }

  /** @returns false when the presence activity does not exist */
  private async send(tenant: string, id: string): Promise<boolean> {
    try {
      await this.deps.temporal.client.withDeadline(Date.now() + answerWithin, () =>
        this.deps.temporal.client.activity.heartbeat({ workflowId: workflowIds.agent(tenant, id), activityId: 'presence' }),
      );
      return true;
    } catch (error) {
      if (error instanceof ActivityNotFoundError) return false;
      if (error instanceof ActivityCompletionError) {
        throw new AppError('SERVICE_UNAVAILABLE', 'The process engine (Temporal) did not answer in time.', {
          hint: 'Send the heartbeat again: an outage of the platform alone takes nothing from an agent.',
          retryAfterSeconds: 3,
          cause: error,
        });
      }
      throw asAppError(error);
    }
  }

  private note(tenant: string, id: string, { coherence, activity, usage }: HeartbeatReport): void {
    let ofTenant = this.signs.get(tenant);
    if (!ofTenant) this.signs.set(tenant, (ofTenant = new Map()));
    const before = ofTenant.get(id);
    ofTenant.set(id, {
      id,
      at: new Date(),
      coherence: coherence ?? before?.coherence ?? null,
      activity: activity ?? before?.activity ?? null,
      calls: (before?.calls ?? 0) + (usage?.calls ?? 0),
      tokens: (before?.tokens ?? 0) + (usage?.tokens ?? 0),
      costUsd: (before?.costUsd ?? 0) + (usage?.cost_usd ?? 0),
    });
    this.flushSoon();
  }

  private flushSoon(): void {
    if (this.timer || this.closed) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.flushing ??= this.flush().finally(() => {
        this.flushing = null;
        if (this.signs.size > 0) this.flushSoon();
      });
    }, linger);
    this.timer.unref();
  }

  private async flush(): Promise<void> {
    const batch = [...this.signs];
    this.signs.clear();
    for (const [tenant, signs] of batch) {
      try {
        const doubted = await writeSigns(this.db, tenant, [...signs.values()]);
        await Promise.all(doubted.map(({ id, rev }) => this.revive(tenant, id, rev)));
      } catch (error) {
        // The next heartbeats repeat the rest, but the reported usage is lost.
        this.deps.log.warn({ err: error, agents: signs.size }, 'heartbeats could not be written');
      }
    }
  }

  /**
   * Signals the workflow of an agent whose stored health is not healthy. It signals once per revision (`rev`), because
   * signals are not lost and each heartbeat must not add load to a busy server. @throws AppError SERVICE_UNAVAILABLE
   */
  async revive(tenant: string, id: string, rev: number): Promise<void> {
    await this.once(tenant, id, rev, () => this.deps.processes.signalStarting(this.process(tenant, id), 'alive'));
  }

  private async once(tenant: string, id: string, rev: number, tell: () => Promise<void>): Promise<void> {
    const key = `${tenant}/${id}`;
    const told = this.told.get(key);
    // After two timeouts without a change, the workflow itself may be lost: signal again.
    if (told?.rev === rev && told.at > Date.now() - this.deps.a2a.heartbeatTimeoutSeconds * 2_000) return;
    if (this.told.size > maxWorkers) this.told.clear();
    this.told.set(key, { rev, at: Date.now() });
    try {
      await tell();
    } catch (error) {
      this.told.delete(key);
      throw error;
    }
  }

  private async learnWorkers(tenant: string): Promise<void> {
    const before = this.workers.get(tenant);
    // Sets the time first, so that only one query runs at a time.
    this.workers.set(tenant, { at: Date.now(), ids: before?.ids ?? new Set() });
    try {
      const rows = await asTenant(tenant, () =>
        this.db.query<{ id: string }>(
          `select id from agents where tenant_id = $1 and kind in ('worker', 'managed') and removed_at is null limit ${maxWorkers}`,
          [tenant],
        ),
      );
      this.workers.set(tenant, { at: Date.now(), ids: new Set(rows.map((row) => row.id)) });
      if (this.signed.size > maxWorkers) this.signed.clear();
    } catch (error) {
      this.deps.log.debug({ err: error }, 'registered workers could not be read');
    }
  }

  /** A worker that has just registered here counts at once. */
  learnWorker(tenant: string, id: string): void {
    this.workers.get(tenant)?.ids.add(id);
  }

  private process(tenant: string, id: string): Process {
    return {
      workflow: 'agent',
      id: workflowIds.agent(tenant, id),
      queue: 'presence',
      args: [{ tenant, id }],
      tenant,
      kind: 'agent',
      status: 'healthy',
      owner: id,
      summary: `Presence of ${id}`,
    };
  }
}

/** The message is agentic-rag's, because its clients compare it. */
export const agentNotFound = (id: string): AppError =>
  new AppError('NOT_FOUND', 'Agent not found', {
    hint: `No agent has the id "${id.slice(0, 128)}": agent.peer.register registers one, agent.peer.list shows them.`,
    details: { agent_id: id.slice(0, 128) },
  });

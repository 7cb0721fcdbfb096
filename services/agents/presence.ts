import { ActivityCompletionError, ActivityNotFoundError } from '@temporalio/client';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { asAppError } from '../../adapters/temporal/errors.ts';
import { systemTenant, type Health } from '../../contracts/agents/agents.ts';
import { AppError } from '../../contracts/errors.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Process } from '../kernel/processes.ts';
import { Service } from '../kernel/service.ts';
import { writeSigns, type Sign } from './presence-records.ts';

/** What may come with a heartbeat. */
export interface HeartbeatReport {
  /** 0 to 1: how well the agent thinks it is on course. */
  coherence?: number | undefined;
  activity?: string | undefined;
  /** Since the last one. */
  usage?: { calls?: number | undefined; tokens?: number | undefined; cost_usd?: number | undefined } | undefined;
}

/** How long heartbeats wait for each other before they are written, in ms. */
const linger = 1_000;
/** How long a heartbeat waits for Temporal, in ms. */
const answerWithin = 5_000;
/** How long after a first "not found" it is asked again: the presence activity may be about to start, in ms. */
const secondTryAfter = 300;
/** How long a tenant's list of registered workers serves, in ms. */
const workersFreshFor = 30_000;
const maxWorkers = 20_000;

/**
 * Signs of life. A heartbeat goes to the agent's presence activity by its id, which costs its process nothing; what it
 * tells is written once a second for all agents together.
 */
export class Presence extends Service<'temporal' | 'a2a' | 'log' | 'processes'> {
  private readonly signs = new Map<string, Map<string, Sign>>();
  private readonly workers = new Map<string, { at: number; ids: Set<string> }>();
  /** When a worker's call last counted as a heartbeat, and of which state an agent's process was last told, by tenant and id. */
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
    // Not started yet, timed out this moment, or no such agent.
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
    // Its process is about to watch it, or lost: then it starts. One that runs is not bothered.
    if (row.health === 'healthy') await this.once(tenant, id, row.rev, () => this.start(tenant, id));
    else await this.revive(tenant, id, row.rev);
  }

  /** A call of a worker shows that it is alive. Never waits, never fails, and does nothing for those who are not registered. */
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

  /** Starts the process that watches it; one that runs is left alone. @throws AppError SERVICE_UNAVAILABLE */
  async start(tenant: string, id: string): Promise<void> {
    await this.deps.processes.start(this.process(tenant, id));
  }

  /** Ends it after the agent was unregistered. What does not hear it finds the row gone at the next silence. */
  async end(tenant: string, id: string): Promise<void> {
    await this.deps.processes.signal(workflowIds.agent(tenant, id), 'left').catch((error: unknown) => {
      this.deps.log.debug({ err: error, agent: id }, 'the presence of an unregistered agent ends later');
    });
  }

  /** Writes what is left. Called before the process ends. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    await this.flushing;
    await this.flush();
  }

  /** @returns false when there is no presence activity by that name */
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
        // The next heartbeats say the same again; what was used is lost with this line.
        this.deps.log.warn({ err: error, agents: signs.size }, 'heartbeats could not be written');
      }
    }
  }

  /**
   * Tells the process of an agent that is not thought to be healthy, once for each state that it is found in (`rev`): a
   * signal is not lost, and a busy server must not get more to do from each heartbeat. @throws AppError SERVICE_UNAVAILABLE
   */
  async revive(tenant: string, id: string, rev: number): Promise<void> {
    await this.once(tenant, id, rev, () => this.deps.processes.signalStarting(this.process(tenant, id), 'alive'));
  }

  private async once(tenant: string, id: string, rev: number, tell: () => Promise<void>): Promise<void> {
    const key = `${tenant}/${id}`;
    const told = this.told.get(key);
    // After a time it may have been the process that was lost.
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
    // Marked as fresh first: one query at a time.
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

  /** Registered here just now: it counts at once. */
  learnWorker(tenant: string, id: string): void {
    this.workers.get(tenant)?.ids.add(id);
  }

  private process(tenant: string, id: string): Process {
    return {
      workflow: 'agent',
      id: workflowIds.agent(tenant, id),
      queue: 'interactive',
      args: [{ tenant, id }],
      tenant,
      kind: 'agent',
      status: 'healthy',
      owner: id,
      summary: `Presence of ${id}`,
    };
  }
}

/** In agentic-rag's words, which its clients compare. */
export const agentNotFound = (id: string): AppError =>
  new AppError('NOT_FOUND', 'Agent not found', {
    hint: `No agent has the id "${id.slice(0, 128)}": agent.peer.register registers one, agent.peer.list shows them.`,
    details: { agent_id: id.slice(0, 128) },
  });

import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { SweepActivities, SweepReport } from '../../contracts/activities/kernel/sweep.ts';
import type { Services } from '../../services/index.ts';
import { forgetOldA2aTasks } from '../../services/agents/a2a/tasks-records.ts';
import { forgetOldDelegations } from '../../services/agents/delegation-records.ts';
import { forgetReadMessages } from '../../services/agents/messages.ts';
import { sweepSessions } from '../../services/agents/sessions-records.ts';
import { tendGraph } from '../../services/graph/tend.ts';
import { isSweepDue, sweepBlobs } from '../../services/kernel/blobs.ts';
import { pruneOutbox } from '../../services/kernel/outbox.ts';
import { Isolation, shuffled } from '../../services/kernel/isolation.ts';
import { retain, retained, type Retained } from '../../services/kernel/retention.ts';
import { noteStartedAgain, restoredFor } from '../../services/kernel/restored.ts';
import { noteSweep } from '../../services/kernel/sweep-report.ts';
import { findLost, restart, type Lost } from '../../services/sweep.ts';
import { beating } from './stage.ts';

/** Explanations of answers, and outbox entries that every reader has processed. */
const keepTrajectoriesDays = 30;
const keepOutboxDays = 7;
/** What agents said in runs that have ended. */
const keepRunEventsDays = 90;
/** Finished delegated tasks, and ended sessions. */
const keepDelegationsDays = 7;
/** Finished A2A tasks, and acknowledged messages. */
const keepConversationsDays = 30;

/** Less than the activity's timeout: the remaining work is skipped and reported. */
const totalMs = 480_000;
/** Per step of one tenant. */
const stepMs = 60_000;
/** The schedule's interval. */
const everyMs = 15 * 60_000;

type Step = [name: string, work: () => Promise<unknown>];

export function sweepActivities(services: Services): SweepActivities {
  const { kernel } = services;
  return {
    async sweep() {
      const restored = await restoredFor(kernel.db.query);
      // After a restore one tenant may have to start more processes than its share of a usual sweep allows.
      const apart = new Isolation({
        log: kernel.log,
        totalMs,
        stepMs: restored === null ? stepMs : totalMs,
        signal: cancellationSignal(),
      });
      const sweeping = async (): Promise<SweepReport> => {
        // Rows that are younger than the restore belong to callers who start the process themselves.
        const found = await findLost(kernel, restored ?? undefined, apart.run);
        const byItself = ({ neverStarted, stands }: Lost): boolean => restored !== null || neverStarted || stands;
        const lost = found.filter((entry) => !byItself(entry));
        const started = await restart(services, found.filter(byItself), apart.run);
        if (restored !== null) await noteStartedAgain(kernel.db.query, started, apart.count);
        if (lost.length > 0) {
          kernel.log.warn(
            { lost: lost.slice(0, 20), count: lost.length, activity: activityInfo().activityId },
            'processes are gone: `signalbox doctor` shows them and starts them again with --fix',
          );
        }
        let expired = 0;
        for (const { list_tenants: tenant } of shuffled(await kernel.db.query<{ list_tenants: string }>('select list_tenants()'))) {
          for (const [step, work] of tidying(tenant)) expired += Number((await apart.run({ tenant, step }, work)) ?? 0);
          for (const [step, work] of tending(tenant)) await apart.run({ tenant, step }, work);
        }
        const report = { started, lost: lost.length, expired, skipped: apart.count, skippedSome: apart.skipped };
        if (apart.count > 0) kernel.log.warn({ skipped: apart.skipped, count: apart.count }, 'the sweep skipped some of its work');
        await noteSweep(kernel.db, report);
        // If it was terminated in Temporal's UI, start it again: otherwise searches would use Postgres permanently.
        await services.projections.start();
        return report;
      };
      return await beating(sweeping, { everyMs: 15_000 });
    },
  };

  /** Deletes rows past their retention. Each step returns the number of rows. */
  function tidying(tenant: string): Step[] {
    const { governance, exports, events, notifications, briefs, knowledge, work } = services;
    const { query } = kernel.db;
    return [
      ['idempotency', () => governance.idempotency.sweep()],
      ['sessions', () => governance.sessions.sweep(tenant)],
      ['open_streams', () => governance.streams.sweep(tenant)],
      ['rate_windows', () => governance.limits.sweep(tenant)],
      ['console_sessions', () => governance.consoleSessions.sweep(tenant)],
      ['runs', () => work.runs.tend(tenant, keepRunEventsDays)],
      ['run_keys', () => governance.runKeys.sweep(tenant)],
      ['approvals', () => governance.approvals.sweep(tenant)],
      ['ledger', () => governance.chain.retain({ forMs: stepMs / 2, signal: cancellationSignal() })],
      ['exports', () => exports.sweep(tenant)],
      ['events', () => events.sweep(tenant)],
      ['notifications', () => notifications.tend(tenant)],
      ['briefs', () => briefs.sweep(tenant)],
      ['trajectories', () => knowledge.trajectories.prune(tenant, keepTrajectoriesDays)],
      ['memories', () => knowledge.memories.sweep(tenant)],
      ['outbox', () => pruneOutbox(kernel.db, tenant, keepOutboxDays)],
      ['delegations', () => forgetOldDelegations(query, tenant, keepDelegationsDays)],
      ['a2a_sessions', () => sweepSessions(query, tenant, keepDelegationsDays)],
      ['a2a_tasks', () => forgetOldA2aTasks(query, tenant, keepConversationsDays)],
      ['blobs', () => sweptBlobs(tenant)],
      ['messages', () => forgetReadMessages(query, tenant, keepConversationsDays)],
      ...(Object.keys(retained) as Retained[]).map((what): Step => [what, () => retainedOf(tenant, what)]),
    ];
  }

  /** Records that stay because something refers to them are looked at again, so each tenant has its turn once a day. */
  async function retainedOf(tenant: string, what: Retained): Promise<number> {
    if (!isSweepDue(tenant, everyMs)) return 0;
    const removed = await retain(kernel, tenant, what, { forMs: stepMs / 2, signal: cancellationSignal() });
    if (removed > 0) kernel.log.info({ tenant, what, removed }, 'past its retention');
    return removed;
  }

  /** Listing them costs requests, so each tenant has its turn once a day. */
  async function sweptBlobs(tenant: string): Promise<number> {
    if (!isSweepDue(tenant, everyMs)) return 0;
    const swept = await sweepBlobs(kernel, tenant, { graceMs: kernel.blobGraceMs, forMs: stepMs / 2, signal: cancellationSignal() });
    if (swept.set_aside + swept.deleted > 0) kernel.log.info({ tenant, ...swept }, 'blobs that no row names');
    return swept.deleted;
  }

  /** Periodic maintenance of a tenant's processes and schedules. */
  function tending(tenant: string): Step[] {
    return [
      ['report_schedules', () => services.reportSchedules.tend(tenant)],
      ['recurrences', () => services.work.recurrences.clocks.tend(tenant)],
      ['task_counts', () => services.work.counts.sweep(tenant)],
      ['trackers', () => services.work.trackers.clocks.tend(tenant)],
      ['memories', () => services.knowledge.memories.indexing.tend(tenant)],
      ['reindexing', () => services.knowledge.reindexing.tend(tenant)],
      ['graph', () => tendGraph(kernel, services.graph, tenant)],
      ['opportunities', () => services.opportunities.tend(tenant)],
      ['rereading', () => services.rereading.tend(tenant)],
      ['issue_trends', () => services.insight.noteTrends(tenant)],
      ['brief_schedule', () => services.briefs.tend(tenant)],
      ['external_servers', () => services.external.health.refreshAll(tenant)],
    ];
  }
}

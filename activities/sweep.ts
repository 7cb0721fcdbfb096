import { activityInfo, heartbeat } from '@temporalio/activity';
import { asTenant } from '../adapters/postgres/tenancy.ts';
import type { SweepActivities } from '../contracts/activities/sweep.ts';
import type { Deps, Services } from '../services/index.ts';
import { forgetOldA2aTasks } from '../services/a2a/tasks-records.ts';
import { forgetOldDelegations } from '../services/agents/delegation-records.ts';
import { forgetReadMessages } from '../services/agents/messages.ts';
import { sweepSessions } from '../services/agents/sessions-records.ts';
import { tendGraph } from '../services/graph/tend.ts';
import { pruneOutbox } from '../services/knowledge/outbox.ts';
import { findLost, restart } from '../services/sweep.ts';

/** Explanations of answers, and changes that every follower has seen. */
const keepTrajectoriesDays = 30;
const keepOutboxDays = 7;
/** Results of delegated tasks, and sessions that are over. */
const keepDelegationsDays = 7;
/** A2A tasks that are over, and messages that were acknowledged. */
const keepConversationsDays = 30;

export const sweepActivities = (deps: Deps, services: Services): SweepActivities => ({
  async sweep() {
    const beat = setInterval(() => heartbeat(), 15_000);
    try {
      const found = await findLost(deps);
      const started = await restart(
        services,
        found.filter((lost) => lost.neverStarted),
      );
      const lost = found.filter((entry) => !entry.neverStarted);
      if (lost.length > 0) {
        deps.log.warn(
          { lost: lost.slice(0, 20), count: lost.length, activity: activityInfo().activityId },
          'processes are gone: `signalbox doctor` shows them and starts them again with --fix',
        );
      }
      let expired = 0;
      for (const { list_tenants: tenant } of await deps.db.query<{ list_tenants: string }>('select list_tenants()')) {
        expired += await asTenant(tenant, () => services.governance.idempotency.sweep());
        expired += await asTenant(tenant, () => services.governance.sessions.sweep(tenant));
        expired += await asTenant(tenant, () => services.governance.approvals.sweep(tenant));
        expired += await asTenant(tenant, () => services.governance.chain.retain());
        expired += await asTenant(tenant, () => services.exports.sweep(tenant));
        expired += await asTenant(tenant, () => services.events.sweep(tenant));
        expired += await asTenant(tenant, () => services.notifications.tend(tenant));
        await asTenant(tenant, () => services.reportSchedules.tend(tenant));
        expired += await asTenant(tenant, () => services.briefs.sweep(tenant));
        expired += await services.knowledge.trajectories.prune(tenant, keepTrajectoriesDays);
        expired += await asTenant(tenant, () => pruneOutbox(deps.db, tenant, keepOutboxDays));
        expired += await asTenant(tenant, () => forgetOldDelegations(deps.db.query, tenant, keepDelegationsDays));
        expired += await asTenant(tenant, () => sweepSessions(deps.db.query, tenant, keepDelegationsDays));
        expired += await asTenant(tenant, () => forgetOldA2aTasks(deps.db.query, tenant, keepConversationsDays));
        expired += await asTenant(tenant, () => forgetReadMessages(deps.db.query, tenant, keepConversationsDays));
        await asTenant(tenant, () => tendGraph(deps, services.graph, tenant));
        await asTenant(tenant, () => services.opportunities.tend(tenant));
        await asTenant(tenant, () => services.briefs.tend(tenant));
        await asTenant(tenant, () => services.external.health.refreshAll(tenant));
      }
      // Terminated in Temporal's UI, it is wanted nevertheless: searches would fall back to Postgres for good.
      await services.projections.start();
      return { started, lost: lost.length, expired };
    } finally {
      clearInterval(beat);
    }
  },
});

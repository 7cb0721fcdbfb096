import { CompleteAsyncError } from '@temporalio/activity';
import type { A2aSettings } from '../../adapters/open.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { AgentActivities } from '../../contracts/activities/agent.ts';
import { findPresence, forgetAgent, freeLeases, writeHealth } from '../../services/agents/presence-records.ts';
import type { WorkService } from '../../services/work/index.ts';
import { stage } from '../kernel/stage.ts';

/** Activities of an agent's presence. */
export const agentActivities = ({ db, a2a }: { db: Database; a2a: A2aSettings }, work: WorkService): AgentActivities => ({
  findPresence: (ref) => stage(ref.tenant, () => findPresence(db, ref, a2a.heartbeatTimeoutSeconds)),

  presence() {
    // Nothing completes it: the api's heartbeats keep it alive, and its heartbeat timeout ends it.
    throw new CompleteAsyncError();
  },

  writeHealth: (ref, snapshot) => stage(ref.tenant, () => writeHealth(db, ref, snapshot)),

  freeLeases: (ref, since) => stage(ref.tenant, () => freeLeases(db, work, ref, since)),

  forgetAgent: (ref) => stage(ref.tenant, () => forgetAgent(db, ref)),
});

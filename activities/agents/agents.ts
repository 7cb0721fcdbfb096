import { CompleteAsyncError } from '@temporalio/activity';
import type { AgentActivities } from '../../contracts/activities/agents/agent.ts';
import { findPresence, forgetAgent, freeLeases, writeHealth } from '../../services/agents/presence-records.ts';
import type { Services } from '../../services/index.ts';
import { stage } from '../kernel/stage.ts';

/** Activities of an agent's presence. */
export const agentActivities = ({ kernel: { db, a2a }, work }: Services): AgentActivities => ({
  findPresence: (ref) => stage(ref.tenant, () => findPresence(db, ref, a2a.heartbeatTimeoutSeconds)),

  presence() {
    // Nothing completes it: the api's heartbeats keep it alive, and its heartbeat timeout ends it.
    throw new CompleteAsyncError();
  },

  writeHealth: (ref, snapshot) => stage(ref.tenant, () => writeHealth(db, ref, snapshot)),

  freeLeases: (ref, since) => stage(ref.tenant, () => freeLeases(db, work, ref, since)),

  forgetAgent: (ref) => stage(ref.tenant, () => forgetAgent(db, ref)),
});

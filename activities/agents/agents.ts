import { CompleteAsyncError } from '@temporalio/activity';
import type { AgentActivities } from '../../contracts/activities/agent.ts';
import { findPresence, forgetAgent, freeLeases, writeHealth } from '../../services/agents/presence-records.ts';
import type { Services } from '../../services/index.ts';
import { stage } from '../kernel/stage.ts';

/** What an agent's presence does to the world. */
export const agentActivities = ({ kernel: { db, a2a }, work }: Services): AgentActivities => ({
  findPresence: (ref) => stage(ref.tenant, () => findPresence(db, ref, a2a.heartbeatTimeoutSeconds)),

  presence() {
    // Nobody completes it: the api's heartbeats by its id keep it, and its heartbeat timeout is what ends it.
    throw new CompleteAsyncError();
  },

  writeHealth: (ref, snapshot) => stage(ref.tenant, () => writeHealth(db, ref, snapshot)),

  freeLeases: (ref, since) => stage(ref.tenant, () => freeLeases(db, work, ref, since)),

  forgetAgent: (ref) => stage(ref.tenant, () => forgetAgent(db, ref)),
});

import type { AdminStatus } from '../../contracts/agents/agents.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { Service } from '../kernel/service.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { listActivity, type Activity } from './activity.ts';
import { administer, type Administered } from './administration.ts';
import { DelegationService } from './delegation.ts';
import { AgentMessages } from './messages.ts';
import { AgentOutputs } from './outputs.ts';
import { AgentPast } from './past.ts';
import { Presence } from './presence.ts';
import { AgentQueries } from './queries.ts';
import { AgentRegistry } from './registry.ts';
import { Sessions } from './sessions.ts';
import { AgentVersions } from './versions.ts';
import type { GovernanceService } from '../governance/index.ts';
import { A2aService } from './a2a/index.ts';

/** Agents: registry, presence, messages and sessions, delegation, outputs. */
export class AgentsService extends Service<keyof Kernel> {
  readonly presence = new Presence(this.deps);
  readonly registry = new AgentRegistry({ ...this.deps, presence: this.presence });
  readonly queries = new AgentQueries(this.deps);
  readonly versions = new AgentVersions(this.deps);
  readonly past = new AgentPast(this.deps);
  readonly outputs = new AgentOutputs(this.deps);
  readonly messages = new AgentMessages(this.deps);
  readonly delegation = new DelegationService(this.deps);
  readonly sessions = new Sessions({ ...this.deps, heartbeat: (caller, agentId) => this.presence.heartbeat(caller.tenant, agentId) });

  /** Pauses or resumes an agent. @throws AppError NOT_FOUND, FORBIDDEN (the platform's own) */
  async administer(caller: Caller, id: string, status: AdminStatus, reason: string | null): Promise<Administered> {
    return await administer(this.db, caller, id, status, reason);
  }

  /** Working and available agents. */
  async activity(tenant: string, limit: number): Promise<Activity[]> {
    return await listActivity(this.db, tenant, limit);
  }

  /** The refs of an answer about an agent: its presence workflow. */
  refs(tenant: string, id: string): Ref[] {
    return this.deps.processes.refs(workflowIds.agent(tenant, id));
  }

  /** Writes pending heartbeats. Called before the process exits. */
  async close(): Promise<void> {
    await this.presence.close();
  }
}

export const createAgents = (kernel: Kernel, { governance }: { governance: GovernanceService }) => ({
  agents: new AgentsService(kernel),
  a2a: new A2aService({ ...kernel, approvals: governance.approvals }),
});

import type { Logger } from 'pino';
import type { A2aSettings } from '../../adapters/open.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Notices } from '../../adapters/postgres/notices.ts';
import type { SecretBox } from '../../adapters/secrets/box.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import type { PeerPorts } from '../../adapters/peers/types.ts';
import type { WebClient } from '../../adapters/web/types.ts';
import type { AdminStatus } from '../../contracts/agents/agents.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { ReviewProcesses } from '../kernel/reviews/reviews-process.ts';
import { Processes } from '../kernel/processes.ts';
import { listActivity, type Activity } from './activity.ts';
import { administer, type Administered } from './administration.ts';
import { DelegationService } from './delegation.ts';
import { AgentMessages } from './messages.ts';
import { AgentOutputs } from './outputs.ts';
import { Presence } from './presence.ts';
import { AgentQueries } from './queries.ts';
import { AgentRegistry, type FetchCard } from './registry.ts';
import { Sessions } from './sessions.ts';
import { AgentVersions } from './versions.ts';

export interface AgentDeps {
  db: Database;
  temporal: Temporal;
  peers: WebClient;
  peerPorts: PeerPorts;
  notices: Notices;
  secrets: SecretBox;
  a2a: A2aSettings;
  fetchCard: FetchCard;
  /** People's decisions about outputs. */
  reviews: ReviewProcesses;
  log: Logger;
}

/** Agents: who they are, whether they are there, what they say to each other and hand in. */
export class AgentsService {
  readonly processes: Processes;
  readonly registry: AgentRegistry;
  readonly presence: Presence;
  readonly queries: AgentQueries;
  readonly versions: AgentVersions;
  readonly outputs: AgentOutputs;
  readonly messages: AgentMessages;
  readonly delegation: DelegationService;
  readonly sessions: Sessions;
  private readonly db: Database;

  constructor(deps: AgentDeps) {
    this.db = deps.db;
    this.processes = new Processes(deps.temporal);
    this.presence = new Presence(deps, this.processes);
    this.registry = new AgentRegistry(deps, this.presence);
    this.queries = new AgentQueries(deps.db);
    this.versions = new AgentVersions(deps.db);
    this.outputs = new AgentOutputs(deps.db, deps.reviews);
    this.messages = new AgentMessages(deps.db, deps.notices);
    this.delegation = new DelegationService({ ...deps, processes: this.processes });
    this.sessions = new Sessions({ ...deps, heartbeat: (caller, agentId) => this.presence.heartbeat(caller.tenant, agentId) });
  }

  /** Pauses an agent, or lets it go on. @throws AppError NOT_FOUND, FORBIDDEN (the platform's own) */
  async administer(caller: Caller, id: string, status: AdminStatus, reason: string | null): Promise<Administered> {
    return await administer(this.db, caller, id, status, reason);
  }

  /** Who is at work, and who is there to work. */
  async activity(tenant: string, limit: number): Promise<Activity[]> {
    return await listActivity(this.db, tenant, limit);
  }

  /** What an answer about an agent points at: its presence. */
  refs(tenant: string, id: string): Ref[] {
    return this.processes.refs(workflowIds.agent(tenant, id));
  }

  /** Writes what waits. Called before the process ends. */
  async close(): Promise<void> {
    await this.presence.close();
  }
}

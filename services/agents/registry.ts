import { createHash } from 'node:crypto';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { systemTenant, type AgentKind, type Capability } from '../../contracts/agents/agents.ts';
import { isPerson, lineOf, type Caller } from '../../contracts/caller.ts';
import { credentialHeaders } from '../../contracts/agents/delegations.ts';
import { AppError } from '../../contracts/errors.ts';
import { checkHeaders } from '../../contracts/headers.ts';
import { lock } from '../kernel/locks.ts';
import { Service } from '../kernel/service.ts';
import { checkCapabilities } from './capabilities.ts';
import { noteAgentHistory } from './history.ts';
import { agentNotFound, type Presence } from './presence.ts';
import { agentOf, findAgent, type AgentRow } from './records.ts';
import { writeAgent, writeCapabilities, type Registration } from './registry-records.ts';

export interface NewAgent {
  kind: AgentKind;
  agentType: string;
  /** For workers and managed agents; default: the caller. */
  agentId?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
  endpointUrl?: string | undefined;
  /** For a standard A2A agent; its card supplies the rest. */
  cardUrl?: string | undefined;
  capabilities: Capability[];
  stableKey?: string | undefined;
  credential?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  slos?: Record<string, number> | undefined;
  /** The definition of a managed agent; a change creates a new version. */
  definition?: Record<string, unknown> | undefined;
  note?: string | undefined;
}

/** The registry of agents. Administrative status is written here; only the agent's workflow writes health. */
export class AgentRegistry extends Service<'peers' | 'secrets' | 'a2a' | 'fetchCard' | 'log', { presence: Presence }> {
  /**
   * Registers or renews an agent: a peer by its stable key, others by id.
   * @throws AppError VALIDATION_ERROR (address, capability, id), FORBIDDEN (registered with another key), and errors of
   * fetching its card
   */
  async register(caller: Caller, wanted: NewAgent, callKey: string): Promise<{ agent: AgentRow; warnings: string[] }> {
    const { db } = this.deps;
    const { tenant } = caller;
    if (tenant === systemTenant) throw new AppError('FORBIDDEN', 'Agents of the platform itself cannot be registered.');
    const registration = await this.registration(caller, wanted, callKey);
    checkCapabilities(registration.capabilities);
    const { id, dropped } = await db.transaction((query) => writeAgent(query, caller, registration));
    this.deps.log.info(
      { event: 'a2a_agent_registered', agent_id: id, agent_type: wanted.agentType, capability_count: registration.capabilities.length },
      'agent registered',
    );
    const agent = await agentOf(db.query, tenant, id);
    const warnings: string[] = dropped
      ? ['It has another address now, so the credential for the former one was dropped: register it again with the credential of this one.']
      : [];
    if (agent.health !== 'none') {
      this.deps.presence.learnWorker(tenant, id);
      try {
        // Registering again also counts as a sign of life.
        if (agent.health === 'healthy') await this.deps.presence.start(tenant, id);
        else await this.deps.presence.revive(tenant, id, agent.rev);
      } catch (error) {
        // The row exists: its first heartbeat or the sweep will start the workflow.
        this.deps.log.warn({ err: error, agent_id: id }, 'the presence of a new agent starts later');
        warnings.push('It is registered; its presence is watched from its first heartbeat on.');
      }
    }
    return { agent, warnings };
  }

  /** One of the tenant's agents or of the platform's. @throws AppError NOT_FOUND */
  async get(tenant: string, id: string): Promise<AgentRow> {
    return await agentOf(this.db.query, tenant, id);
  }

  /**
   * Removes an agent from the registry. A repeat has no effect.
   * @throws AppError NOT_FOUND; FORBIDDEN (the platform's own, or registered with another key)
   */
  async unregister(caller: Caller, id: string): Promise<{ agent_id: string; removed_at: string }> {
    const { tenant } = caller;
    const { db, log } = this.deps;
    const [row] = await db.query<{ removed_at: Date | null; key_id: string; kind: AgentKind }>(
      'select removed_at, key_id, kind from agents where tenant_id = $1 and id = $2',
      [tenant, id],
    );
    if (!row) {
      if (await findAgent(db.query, tenant, id)) throw new AppError('FORBIDDEN', `"${id}" is this platform itself.`);
      throw agentNotFound(id);
    }
    if (row.removed_at) return { agent_id: id, removed_at: row.removed_at.toISOString() };
    const itself = row.kind !== 'peer' && caller.principal === id;
    if (!isPerson(caller) && !itself && lineOf(caller) !== row.key_id) {
      throw new AppError('FORBIDDEN', `"${id}" was registered with another key.`, {
        hint: 'Use that key, or let a person unregister it.',
      });
    }
    const at = await db.transaction(async (query) => {
      const [gone] = await query<{ removed_at: Date }>(
        `update agents set removed_at = now(), updated_at = now() where tenant_id = $1 and id = $2 and removed_at is null returning removed_at`,
        [tenant, id],
      );
      if (gone) await noteAgentHistory(query, tenant, id, 'unregistered', {}, caller.principal);
      return gone?.removed_at ?? new Date();
    });
    await this.deps.presence.end(tenant, id);
    log.info({ event: 'a2a_agent_unregistered', agent_id: id }, 'agent unregistered');
    return { agent_id: id, removed_at: at.toISOString() };
  }

  /** Registers this platform as an agent that every tenant sees. Called at each start of the api. */
  async registerSelf(capabilities: readonly Capability[]): Promise<void> {
    const { db, a2a } = this.deps;
    checkCapabilities(capabilities);
    await asTenant(systemTenant, () =>
      db.transaction(async (query) => {
        // Several apis may start at once.
        await lock(query, 'signalbox self');
        await query('update agents set removed_at = now() where tenant_id = $1 and id <> $2 and removed_at is null', [
          systemTenant,
          a2a.agentId,
        ]);
        await query(
          `insert into agents (tenant_id, id, kind, agent_type, name, description, protocol, endpoint_url, health, last_heartbeat, registered_by, key_id)
           values ($1, $2, 'peer', 'agentic-rag', 'Signalbox', 'Work, knowledge, memory and tools for agents.', 'local', $3, 'healthy', now(), 'signalbox', 'system')
           on conflict (tenant_id, id) do update set endpoint_url = excluded.endpoint_url, health = 'healthy', last_heartbeat = now(),
             removed_at = null, updated_at = now()`,
          [systemTenant, a2a.agentId, a2a.endpointUrl],
        );
        await writeCapabilities(query, systemTenant, a2a.agentId, capabilities);
      }),
    );
  }

  /** Validates a registration without the database. */
  private async registration(caller: Caller, wanted: NewAgent, callKey: string): Promise<Registration> {
    const { peers, secrets, fetchCard } = this.deps;
    checkHeaders(credentialHeaders(wanted.credential ?? null));
    const base = {
      kind: wanted.kind,
      agentType: wanted.agentType,
      stableKey: wanted.stableKey ?? null,
      credential: wanted.credential === undefined ? null : secrets.seal(wanted.credential),
      metadata: wanted.metadata ?? {},
      slos: wanted.slos ?? {},
      definition: wanted.definition ?? null,
      note: wanted.note ?? null,
      person: isPerson(caller),
    };
    if (wanted.kind !== 'peer') {
      const id = wanted.agentId ?? caller.principal;
      if (!base.person && id !== caller.principal) {
        throw new AppError('FORBIDDEN', `You are "${caller.principal}", not "${id}".`, {
          hint: 'An agent registers itself under the name that it works under; a person may register others.',
        });
      }
      return {
        ...base,
        ids: [id],
        name: wanted.name ?? id,
        description: wanted.description ?? '',
        capabilities: wanted.capabilities,
        protocol: null,
        endpointUrl: null,
        cardUrl: null,
        card: null,
        health: wanted.kind === 'worker' ? 'healthy' : 'none',
      };
    }
    const ids = [0, 1, 2].map((n) => `${caller.tenant}-${wanted.agentType}-${eightHex(`${caller.tenant}/${callKey}/${n}`)}`);
    if (wanted.cardUrl !== undefined) {
      const url = peers.check(wanted.cardUrl);
      const found = await fetchCard(url);
      return {
        ...base,
        ids,
        name: wanted.name ?? found.name,
        description: wanted.description ?? found.description,
        capabilities: wanted.capabilities.length > 0 ? wanted.capabilities : found.capabilities,
        protocol: 'a2a',
        endpointUrl: peers.check(found.endpointUrl),
        cardUrl: url,
        card: found.card,
        // Standard A2A has no heartbeats, so the agent's health is not monitored.
        health: 'none',
      };
    }
    if (wanted.endpointUrl === undefined) {
      throw new AppError('VALIDATION_ERROR', 'A peer needs an endpoint_url or a card_url.', {
        hint: 'endpoint_url: where it takes POST /a2a/tasks; card_url: the card of a standard A2A agent.',
      });
    }
    return {
      ...base,
      ids,
      name: wanted.name ?? wanted.agentType,
      description: wanted.description ?? '',
      capabilities: wanted.capabilities,
      protocol: 'signalbox',
      endpointUrl: peers.check(wanted.endpointUrl).replace(/\/+$/, ''),
      cardUrl: null,
      card: null,
      health: 'healthy',
    };
  }
}

const eightHex = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

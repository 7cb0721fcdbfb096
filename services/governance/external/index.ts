import type { Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { ExternalServer, GivenCredentials } from '../../../contracts/governance/external.ts';
import type { Artifacts } from '../../substrate/index.ts';
import { answerOf, bounded, type ExternalAnswer } from './answers.ts';
import { assertCallable } from './callable.ts';
import { GraphitiPass } from './graphiti.ts';
import { Health, type Refreshed } from './health.ts';
import { withoutValues } from './secrets.ts';
import { Servers, type ServerSettings } from './servers.ts';
import type { ServerTarget } from './target.ts';
import type { ExternalTool, Snapshot } from './snapshot.ts';
import { ExternalTools } from './tools.ts';
import { Service } from '../../kernel/service.ts';

export interface Added {
  server: ExternalServer;
  approved: string[];
  /** Not approved with the others, because a person should review them. */
  flagged: string[];
  refresh: Pick<Refreshed, 'healthy' | 'refused'> & { error: string | null };
}

export type ServerMethod = 'resources/list' | 'resources/templates/list' | 'resources/read' | 'prompts/list' | 'prompts/get';

/** Other MCP servers as providers of tools, resources and prompts. */
export class ExternalService extends Service<'mcp' | 'secrets' | 'web' | 'log' | 'graphitiUrl', { artifacts: Artifacts }> {
  readonly servers = new Servers(this.deps);
  readonly tools = new ExternalTools({ ...this.deps, servers: this.servers });
  readonly health = new Health({ ...this.deps, servers: this.servers, tools: this.tools });
  readonly graphiti = this.deps.graphitiUrl === null ? null : new GraphitiPass(this.deps.graphitiUrl, this.deps);

  /**
   * Adds a server and reads its tools; a server that does not answer is added anyway.
   * @throws AppError
   */
  async add(
    caller: Caller,
    given: ServerTarget & ServerSettings & { name: string; credentials?: GivenCredentials | undefined; approveAll?: boolean | undefined },
  ): Promise<Added> {
    await this.servers.add(caller, given);
    this.tools.forget(caller.tenant);
    if (given.enabled === false) return await this.outcome(caller, given.name, { healthy: false, error: null, refused: [] });
    const refreshed = await this.health.refresh(caller.tenant, given.name);
    const { approved, skipped } =
      given.approveAll && refreshed.healthy ? await this.tools.approve(caller, given.name, {}) : { approved: [], skipped: [] };
    return {
      ...(await this.outcome(caller, given.name, refreshed)),
      approved: approved.map(({ name }) => name),
      flagged: skipped.map(({ name }) => name),
    };
  }

  async update(
    caller: Caller,
    name: string,
    given: ServerTarget & ServerSettings & { credentials?: GivenCredentials | undefined },
  ): Promise<Added> {
    const row = await this.servers.update(caller, name, given);
    await this.tools.changed(caller.tenant);
    await this.deps.mcp.drop(`${caller.tenant}/${name}`);
    const refreshed = row.enabled ? await this.health.refresh(caller.tenant, name) : { healthy: false, error: null, refused: [] };
    return await this.outcome(caller, name, refreshed);
  }

  async remove(caller: Caller, name: string): Promise<void> {
    await this.servers.remove(caller, name);
    await this.tools.changed(caller.tenant);
    await this.deps.mcp.drop(`${caller.tenant}/${name}`);
  }

  /** Contacts the server now, with a new connection if necessary. */
  async test(caller: Caller, name: string): Promise<Added & { latency_ms: number }> {
    const started = performance.now();
    const refreshed = await this.health.refresh(caller.tenant, name);
    const latency = Math.round((performance.now() - started) * 10) / 10;
    return { ...(await this.outcome(caller, name, refreshed)), latency_ms: latency };
  }

  private async outcome(caller: Caller, name: string, { healthy, error, refused }: Refreshed): Promise<Added> {
    const [server] = await this.servers.views(caller.tenant, name);
    return { server: server!, approved: [], flagged: [], refresh: { healthy, refused, error: error?.message ?? null } };
  }

  /** All of a tenant's tools, from Postgres; their servers are checked in the background. */
  async snapshot(tenant: string): Promise<Snapshot> {
    const snapshot = await this.tools.snapshot(tenant);
    this.health.touch(tenant, enabledIn(snapshot));
    return snapshot;
  }

  /** With dots or hyphens; undefined when no tool has this name. */
  async find(tenant: string, name: string): Promise<ExternalTool | undefined> {
    return await this.tools.find(tenant, name);
  }

  /** @throws AppError CONFLICT (not_approved, definition_changed, server_disabled) or GONE (tool_gone) */
  async assertCallable(tenant: string, tool: ExternalTool): Promise<void> {
    if (tool.state === 'approved' && tool.enabled) return;
    assertCallable(tool, (await this.tools.snapshot(tenant)).byName.values());
  }

  /**
   * Calls a tool of another server. Checks again whether it may be called, because an approval may have taken a day.
   * @throws AppError; `details.reason` as in adapters/mcp/types.ts, or `tool_error` with the server's message
   */
  async call(
    caller: Caller,
    name: string,
    args: Record<string, unknown>,
    options: { signal?: AbortSignal | undefined; onProgress?: ((done: number, total?: number, message?: string) => void) | undefined } = {},
  ): Promise<ExternalAnswer> {
    const tool = await this.find(caller.tenant, name);
    if (!tool) throw new AppError('NOT_FOUND', `No external tool "${name}".`, { hint: 'external.tool.list shows those there are.' });
    await this.assertCallable(caller.tenant, tool);
    this.health.touch(caller.tenant, [tool.server]);
    const { server, secrets } = await this.tools.spec(caller.tenant, tool.server);
    try {
      const result = await this.deps.mcp.call(server, {
        tool: tool.tool,
        arguments: args,
        ...(wantsHeaders(tool) ? { definition: tool.definition } : {}),
        ...options,
      });
      return await answerOf(caller, this.deps.artifacts, name, result);
    } catch (error) {
      throw error instanceof AppError ? withoutValues(error, secrets) : error;
    }
  }

  /**
   * Resources and prompts, as the server returns them.
   * @throws AppError
   */
  async read(
    caller: Caller,
    name: string,
    method: ServerMethod,
    params: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<ExternalAnswer> {
    const { server, secrets } = await this.tools.spec(caller.tenant, name);
    try {
      const {
        _meta,
        ttlMs: _ttl,
        cacheScope: _scope,
        resultType: _type,
        nextCursor: _next,
        ...data
      } = await this.deps.mcp.read(server, method, params, signal);
      return await bounded(caller, this.deps.artifacts, data);
    } catch (error) {
      throw error instanceof AppError ? withoutValues(error, secrets) : error;
    }
  }
}

function* enabledIn({ servers }: Snapshot): Generator<string> {
  for (const { name, enabled } of servers.values()) if (enabled) yield name;
}

/** The SDK handles arguments that are sent as headers (2026-07-28). */
const headerMark = new WeakMap<ExternalTool, boolean>();
function wantsHeaders(tool: ExternalTool): boolean {
  let wants = headerMark.get(tool);
  if (wants === undefined) headerMark.set(tool, (wants = JSON.stringify(tool.definition.inputSchema).includes('"x-mcp-header"')));
  return wants;
}

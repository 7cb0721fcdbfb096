import { LRUCache } from 'lru-cache';
import type { McpDefinition, McpServer } from '../../../adapters/mcp/types.ts';
import type { Row } from '../../../adapters/postgres/database.ts';
import { isPerson, type Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import { topics } from '../../../contracts/notices.ts';
import type { ExternalToolEntry, ToolFlag, ToolState } from '../../../contracts/governance/external.ts';
import { notify } from '../../kernel/notify.ts';
import { Service } from '../../kernel/service.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { disabled } from './callable.ts';
import { changesOf, effectOf, flagsOf, isIdempotent, listedForms, spellings, toolNames } from './rules.ts';
import { checkOf, tooMuch, type Check } from './schema.ts';
import type { ServerRow, Servers } from './servers.ts';
import { unknownServer } from './target.ts';

/** How long changes of other processes may be missed, in ms. */
const freshFor = 1_000;
const tenantsKept = 200;

export interface ToolRow
  extends Row, Columns<'external_tools', 'server' | 'name' | 'hash' | 'pinned_hash' | 'pinned_by' | 'pinned_at' | 'gone_at'> {
  definition: McpDefinition;
  pinned_definition: McpDefinition | null;
}

/** A callable tool of another server. */
export interface ExternalTool {
  /** `external.{server}.{tool}` */
  name: string;
  /** The name in lists: a short form if the name is too long for clients. */
  listedAs: string;
  server: string;
  /** The server's own name. */
  tool: string;
  state: ToolState;
  /** The approved definition; for an unapproved tool the current one. */
  definition: McpDefinition;
  effect: 'read' | 'write' | 'destructive';
  idempotent: boolean;
  approval: 'A0' | 'A1' | 'A2';
  enabled: boolean;
  hash: string;
  row: ToolRow;
  check: Check;
}

/** All of a tenant's tools at one moment; a new object for each snapshot. */
export interface Snapshot {
  byName: ReadonlyMap<string, ExternalTool>;
  /** By other unambiguous spellings: the short form, and underscores for dots. */
  bySpelling: ReadonlyMap<string, ExternalTool>;
  /** Those that can be called. */
  callable: readonly ExternalTool[];
  servers: ReadonlyMap<string, ServerRow>;
}

interface Kept {
  snapshot: Snapshot;
  fingerprint: string;
  checkedAt: number;
  specs: Map<string, ReturnType<Servers['spec']>>;
}

export class ExternalTools extends Service<never, { servers: Servers }> {
  private readonly kept = new LRUCache<string, Kept>({ max: tenantsKept });
  private readonly loading = new Map<string, Promise<Kept>>();
  /** Incremented by each write of this process: data read before it is not cached. */
  private writes = 0;

  async snapshot(tenant: string): Promise<Snapshot> {
    return (await this.current(tenant)).snapshot;
  }

  /** In any spelling. */
  async find(tenant: string, name: string): Promise<ExternalTool | undefined> {
    const { byName, bySpelling } = await this.snapshot(tenant);
    const dotted = name.replaceAll('-', '.');
    return byName.get(dotted) ?? bySpelling.get(dotted);
  }

  /** @throws AppError NOT_FOUND, CONFLICT (disabled), SERVICE_UNAVAILABLE */
  async spec(tenant: string, server: string): Promise<{ server: McpServer; secrets: string[] }> {
    const kept = await this.current(tenant);
    const row = kept.snapshot.servers.get(server);
    if (!row) throw unknownServer(server);
    if (!row.enabled) throw disabled(server);
    let spec = kept.specs.get(server);
    if (!spec) kept.specs.set(server, (spec = this.deps.servers.spec(tenant, row)));
    return spec;
  }

  /** After a write of this process. */
  forget(tenant: string): void {
    this.writes += 1;
    this.kept.delete(tenant);
    this.loading.delete(tenant);
  }

  /** After a change of callable tools: notifies other processes and clients. */
  async changed(tenant: string): Promise<void> {
    this.forget(tenant);
    await notify((text, values) => this.db.query(text, values), topics.externalTools(tenant));
  }

  private async current(tenant: string): Promise<Kept> {
    const kept = this.kept.get(tenant);
    if (kept && Date.now() - kept.checkedAt < freshFor) return kept;
    const under = this.loading.get(tenant);
    if (under) return await under;
    const loading = this.load(tenant, kept).finally(() => {
      if (this.loading.get(tenant) === loading) this.loading.delete(tenant);
    });
    this.loading.set(tenant, loading);
    return await loading;
  }

  private async load(tenant: string, before: Kept | undefined): Promise<Kept> {
    const { writes } = this;
    const [{ fingerprint } = { fingerprint: '' }] = await this.db.query<{ fingerprint: string }>(
      `select (select concat(count(*), '/', max(updated_at)) from external_servers where tenant_id = $1) || ' ' ||
         (select concat(count(*), '/', max(updated_at)) from external_tools where tenant_id = $1) as fingerprint`,
      [tenant],
    );
    if (before?.fingerprint === fingerprint) {
      before.checkedAt = Date.now();
      return before;
    }
    const [rows, servers] = await Promise.all([this.rows(tenant), this.deps.servers.all(tenant)]);
    const kept: Kept = { snapshot: snapshotOf(rows, servers), fingerprint, checkedAt: Date.now(), specs: new Map() };
    if (writes === this.writes) this.kept.set(tenant, kept);
    return kept;
  }

  private async rows(tenant: string): Promise<ToolRow[]> {
    return await this.db.query<ToolRow>(
      `select server, name, definition, hash, pinned_hash, pinned_definition, pinned_by, pinned_at, gone_at
       from external_tools where tenant_id = $1 order by server, created_at, name`,
      [tenant],
    );
  }

  /** @throws AppError NOT_FOUND */
  async entries(tenant: string, filter: { server?: string | undefined; state?: ToolState | undefined } = {}): Promise<ExternalToolEntry[]> {
    const { byName, servers } = await this.snapshot(tenant);
    if (filter.server !== undefined && !servers.has(filter.server)) throw unknownServer(filter.server);
    const wanted = [...byName.values()].filter(
      (tool) =>
        (filter.server === undefined || tool.server === filter.server) && (filter.state === undefined || tool.state === filter.state),
    );
    const names = await this.namesOfOthers(tenant);
    return wanted.map((tool) => entryOf(tool, flagsIn(tool.row.definition, names(tool.server))));
  }

  /** Tool names that a definition of this server has no reason to mention. */
  private async namesOfOthers(tenant: string): Promise<(server: string) => ReadonlySet<string>> {
    const { byName } = await this.snapshot(tenant);
    const own = await this.db.query<{ name: string; aliases: string[] }>(
      'select distinct on (name) name, aliases from tool_definitions order by name, version desc',
    );
    // A plain word is not a tool name.
    const platform = own.flatMap(({ name, aliases }) => [name, ...aliases]).filter((name) => /[._]/.test(name));
    return (server) => {
      const foreign = [...byName.values()].filter((tool) => tool.server !== server);
      const mine = new Set([...byName.values()].filter((tool) => tool.server === server).map(({ tool }) => tool));
      return new Set(
        [...platform, ...foreign.flatMap(({ name, tool }) => (/[._-]/.test(tool) ? [name, tool] : [name]))].filter(
          (name) => !mine.has(name),
        ),
      );
    };
  }

  /**
   * Approves the current definitions of tools. Flagged ones only when they are named.
   * @param wanted.tools by either name; none: all that wait or have changed
   * @param wanted.hashes as reviewed: others are refused
   * @throws AppError FORBIDDEN for agents, NOT_FOUND, CONFLICT when a definition has changed again
   */
  async approve(
    caller: Caller,
    server: string,
    wanted: { tools?: string[] | undefined; hashes?: Record<string, string> | undefined },
  ): Promise<{ approved: string[]; skipped: { name: string; flags: ToolFlag[] }[] }> {
    if (!isPerson(caller)) {
      throw new AppError('FORBIDDEN', 'Tools of other servers are approved by people.', {
        hint: 'Ask a person to look at external.tool.list and to approve them (`signalbox servers approve`).',
      });
    }
    this.forget(caller.tenant);
    const { byName, servers } = await this.snapshot(caller.tenant);
    if (!servers.has(server)) throw unknownServer(server);
    const all = [...byName.values()].filter((tool) => tool.server === server && tool.state !== 'gone');
    const chosen = (wanted.tools ?? []).map((name) => {
      const found = all.find((tool) => tool.tool === name || tool.name === name.replaceAll('-', '.'));
      if (!found) throw new AppError('NOT_FOUND', `"${server}" has no tool "${name}".`, { hint: 'external.tool.list shows its tools.' });
      return found;
    });
    const names = (await this.namesOfOthers(caller.tenant))(server);
    const open = (wanted.tools ? chosen : all).filter((tool) => tool.state !== 'approved');
    const skipped: { name: string; flags: ToolFlag[] }[] = [];
    const approved: ExternalTool[] = [];
    for (const tool of open) {
      const seen = wanted.hashes?.[tool.tool] ?? wanted.hashes?.[tool.name];
      if (seen !== undefined && seen !== tool.hash) {
        throw new AppError('CONFLICT', `"${tool.name}" has changed since you looked at it.`, {
          hint: 'Look at external.tool.list again.',
          details: { reason: 'definition_changed' },
        });
      }
      const flags = flagsIn(tool.row.definition, names);
      if (!wanted.tools && flags.length > 0) skipped.push({ name: tool.name, flags });
      else approved.push(tool);
    }
    const pinned = await this.pin(
      caller,
      server,
      approved.map(({ tool, hash }) => ({ tool, hash })),
    );
    return { approved: approved.filter(({ tool }) => pinned.has(tool)).map(({ name }) => name), skipped };
  }

  /** @returns those whose definition was unchanged since the review */
  private async pin(caller: Caller, server: string, tools: { tool: string; hash: string }[]): Promise<Set<string>> {
    const rows = await this.db.query<{ name: string }>(
      `with pinned as (
         update external_tools t set pinned_hash = t.hash, pinned_definition = t.definition, pinned_by = $3, pinned_at = now(), updated_at = clock_timestamp()
         from jsonb_to_recordset($4) as w(tool text, hash text)
         where t.tenant_id = $1 and t.server = $2 and t.name = w.tool and t.hash = w.hash and t.gone_at is null returning t.name),
       noted as (
         insert into outbox (tenant_id, type, subject, data)
         select $1, 'external.tool_changed', $2, jsonb_build_object('server', $2::text, 'approved', count(*), 'by', $3::text) from pinned having count(*) > 0)
       select name from pinned`,
      [caller.tenant, server, caller.principal, JSON.stringify(tools)],
    );
    await this.changed(caller.tenant);
    return new Set(rows.map(({ name }) => name));
  }
}

const flagsIn = (definition: McpDefinition, names: ReadonlySet<string>): ToolFlag[] => {
  const why = tooMuch(definition.inputSchema);
  return [
    ...flagsOf(definition, names),
    ...(why === null || why === 'refers to itself'
      ? []
      : [{ kind: 'schema' as const, what: `its input schema ${why}; it is not checked here` }]),
  ];
};

const entryOf = (tool: ExternalTool, flags: ToolFlag[]): ExternalToolEntry => ({
  name: tool.name,
  server: tool.server,
  tool: tool.tool,
  state: tool.state,
  effect: tool.effect,
  description: tool.row.definition.description ?? '',
  hash: tool.hash,
  flags,
  changes: tool.state === 'changed' && tool.row.pinned_definition ? changesOf(tool.row.pinned_definition, tool.row.definition) : [],
  approved_by: tool.row.pinned_by,
  approved_at: tool.row.pinned_at?.toISOString() ?? null,
});

function snapshotOf(rows: ToolRow[], servers: ServerRow[]): Snapshot {
  const byServer = Map.groupBy(rows, (row) => row.server);
  const tools: ExternalTool[] = [];
  for (const server of servers) {
    const own = byServer.get(server.name) ?? [];
    const names = toolNames(
      server.name,
      own.map(({ name }) => name),
    );
    for (const row of own) tools.push(toolOf(row, server, names.get(row.name)!));
  }
  const listed = listedForms(tools.map(({ name }) => name));
  for (const tool of tools) tool.listedAs = listed.get(tool.name)!;
  return {
    byName: new Map(tools.map((tool) => [tool.name, tool])),
    bySpelling: spellings(tools),
    callable: tools.filter(({ state, enabled }) => state === 'approved' && enabled),
    servers: new Map(servers.map((server) => [server.name, server])),
  };
}

function toolOf(row: ToolRow, server: ServerRow, name: string): ExternalTool {
  const definition = row.pinned_definition ?? row.definition;
  const effect = effectOf(definition);
  let check: Check | undefined;
  return {
    name,
    listedAs: name,
    server: row.server,
    tool: row.name,
    state: row.gone_at ? 'gone' : row.pinned_hash === null ? 'waiting' : row.pinned_hash === row.hash ? 'approved' : 'changed',
    definition,
    effect,
    idempotent: isIdempotent(definition),
    approval: effect === 'read' && server.approval === 'A1' ? 'A0' : server.approval,
    enabled: server.enabled,
    hash: row.hash,
    row,
    // Schemas are compiled on first use.
    check: (args, called) => (check ??= checkOf(definition.inputSchema))(args, called),
  };
}

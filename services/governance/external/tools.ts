import { LRUCache } from 'lru-cache';
import type { McpServer } from '../../../adapters/mcp/types.ts';
import { isPerson, type Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import { topics } from '../../../contracts/notices.ts';
import type { ExternalToolDefinition, ExternalToolEntry, ToolFlag, ToolState } from '../../../contracts/governance/external.ts';
import { notify } from '../../kernel/notify.ts';
import { noteEvent } from '../../kernel/outbox.ts';
import { Service } from '../../kernel/service.ts';
import { approvalsOf } from './approved.ts';
import { disabled } from './callable.ts';
import { marksOf } from './marks.ts';
import type { Servers } from './servers.ts';
import { entryOf, flagsIn, snapshotOf, type ExternalTool, type Snapshot, type ToolRow } from './snapshot.ts';
import { unknownServer } from './target.ts';

/** How long changes of other processes may be missed, in ms. */
const freshFor = 1_000;
const tenantsKept = 200;

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
  ): Promise<{ approved: { name: string; hash: string }[]; skipped: { name: string; flags: ToolFlag[] }[] }> {
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
    const seen = ({ tool, name }: ExternalTool): string | undefined => wanted.hashes?.[tool] ?? wanted.hashes?.[name];
    const skipped: { name: string; flags: ToolFlag[] }[] = [];
    const approved: ExternalTool[] = [];
    for (const tool of wanted.tools ? chosen : all) {
      // Also of one that somebody else has approved meanwhile as it is now.
      if ((seen(tool) ?? tool.hash) !== tool.hash) throw changedSince(tool);
      if (tool.state === 'approved') continue;
      const flags = flagsIn(tool.row.definition, names);
      if (!wanted.tools && flags.length > 0) skipped.push({ name: tool.name, flags });
      else approved.push(tool);
    }
    const pinned = await this.pin(caller, server, approved, (tool) => seen(tool) !== undefined);
    return { approved: pinned.map(({ name, hash }) => ({ name, hash })), skipped };
  }

  /**
   * @param bound of these a person has looked at this very definition
   * @returns those whose definition was unchanged since they were read
   * @throws AppError CONFLICT when a bound one has changed: then none is approved
   */
  private async pin(
    caller: Caller,
    server: string,
    tools: ExternalTool[],
    bound: (tool: ExternalTool) => boolean,
  ): Promise<ExternalTool[]> {
    const { tenant, principal } = caller;
    const pinned = await this.db.transaction(async (query) => {
      const rows = await query<{ name: string }>(
        `update external_tools t set pinned_hash = t.hash, pinned_definition = t.definition, pinned_by = $3, pinned_at = now(), updated_at = clock_timestamp()
         from jsonb_to_recordset($4) as w(tool text, hash text)
         where t.tenant_id = $1 and t.server = $2 and t.name = w.tool and t.hash = w.hash and t.gone_at is null returning t.name`,
        [tenant, server, principal, JSON.stringify(tools.map(({ tool, hash }) => ({ tool, hash })))],
      );
      const names = new Set(rows.map(({ name }) => name));
      const other = tools.find((tool) => bound(tool) && !names.has(tool.tool));
      if (other) throw changedSince(other);
      if (rows.length > 0)
        await noteEvent(query, tenant, 'external.tool_changed', server, { server, approved: rows.length, by: principal });
      return tools.filter(({ tool }) => names.has(tool));
    });
    await this.changed(tenant);
    return pinned;
  }

  /**
   * A definition in full, as it was approved and as it is now, with the places that a person should look at.
   * @param name as it is called here, or by its server
   * @throws AppError NOT_FOUND
   */
  async definition(tenant: string, name: string): Promise<ExternalToolDefinition> {
    this.forget(tenant);
    const found = await this.find(tenant, name);
    if (!found) throw new AppError('NOT_FOUND', `No external tool "${name}".`, { hint: 'external.tool.list shows those there are.' });
    const others = (await this.namesOfOthers(tenant))(found.server);
    const { definition, pinned_definition: approved, pinned_hash } = found.row;
    return {
      ...entryOf(found, flagsIn(definition, others)),
      approved_hash: pinned_hash,
      present: { ...definition },
      approved: approved && { ...approved },
      marks: marksOf(definition, others),
      approved_marks: approved ? marksOf(approved, others) : [],
      approvals: await approvalsOf(this.db, tenant, found.name),
    };
  }
}

const changedSince = ({ name, hash }: ExternalTool): AppError =>
  new AppError('CONFLICT', `"${name}" has changed since you looked at it.`, {
    hint: 'Read external.tool.get again.',
    details: { reason: 'definition_changed', hash },
  });

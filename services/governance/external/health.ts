import type { McpDefinition } from '../../../adapters/mcp/types.ts';
import { asTenant } from '../../../adapters/postgres/tenancy.ts';
import { AppError } from '../../../contracts/errors.ts';
import { jsonProblem, storable } from '../../../contracts/json.ts';
import { topics } from '../../../contracts/notices.ts';
import { eachInTurn } from '../../kernel/isolation.ts';
import { notify } from '../../kernel/notify.ts';
import { noteEvent } from '../../kernel/outbox.ts';
import { Service } from '../../kernel/service.ts';
import { definitionHash } from './rules.ts';
import { withoutValues } from './secrets.ts';
import type { ServerRow, Servers } from './servers.ts';
import type { ExternalTools } from './tools.ts';

/** Maximum age of the data about a server in use, in ms. */
const renewAfter = 60_000;
const seenLately = 600_000;
const mostTools = 1_000;
const mostDefinition = 64 * 1024;
const deepestDefinition = 128;

export interface Refreshed {
  healthy: boolean;
  error: AppError | null;
  /** Its tools that could not be registered. */
  refused: string[];
}

/** Keeps the state of servers: whether they answer, and their tool definitions. Never blocks a request. */
export class Health extends Service<'mcp' | 'log', { servers: Servers; tools: ExternalTools }> {
  private readonly under = new Map<string, { of: ServerRow; work: Promise<Refreshed> }>();
  private readonly lastAt = new Map<string, number>();

  constructor(deps: Health['deps']) {
    super(deps);
    deps.mcp.onChange((key, why) => {
      // The platform's own servers have no rows.
      if (key.startsWith(':')) return;
      const at = key.indexOf('/');
      const again = (): void => this.soon(key.slice(0, at), key.slice(at + 1));
      const under = this.under.get(key);
      if (!under) again();
      // A connection made for a refresh needs no other refresh; a change may come too late for the running one.
      else if (why === 'changed') void under.work.then(again, again);
    });
  }

  /** Refreshes in the background, unless done recently. */
  touch(tenant: string, names: Iterable<string>): void {
    for (const name of names) {
      const key = `${tenant}/${name}`;
      if (Date.now() - (this.lastAt.get(key) ?? 0) < renewAfter) continue;
      this.soon(tenant, name);
    }
  }

  private soon(tenant: string, name: string): void {
    this.lastAt.set(`${tenant}/${name}`, Date.now());
    void asTenant(tenant, () => this.refresh(tenant, name)).catch((error: unknown) => {
      this.deps.log.debug({ err: error, tenant, server: name }, 'an external server could not be refreshed');
    });
  }

  /**
   * Reads the server's tools and stores them. Joins a refresh that runs, unless the server was changed or replaced
   * after its start.
   * @throws AppError NOT_FOUND; a failing server is not an error
   */
  async refresh(tenant: string, name: string): Promise<Refreshed> {
    const key = `${tenant}/${name}`;
    this.lastAt.set(key, Date.now());
    const row = await this.deps.servers.get(tenant, name);
    const under = this.under.get(key);
    if (under && isSame(under.of, row)) return await under.work;
    const work = this.ask(tenant, row).finally(() => {
      if (this.under.get(key)?.work === work) this.under.delete(key);
    });
    this.under.set(key, { of: row, work });
    return await work;
  }

  private async ask(tenant: string, row: ServerRow): Promise<Refreshed> {
    let secrets: string[] = [];
    try {
      const spec = this.deps.servers.spec(tenant, row);
      secrets = spec.secrets;
      const { identity, tools } = await this.deps.mcp.tools(spec.server);
      const { taken, refused } = readable(tools);
      await this.write(tenant, row, taken);
      await this.noteHealth(
        { tenant, row, health: 'healthy' },
        'last_seen_at = now(), last_error = $4, server_name = $5, server_version = $6, protocol_version = $7',
        [
          refused.length > 0 ? `Tools that cannot be taken: ${refused.slice(0, 10).join('; ')}`.slice(0, 1_000) : null,
          identity.name,
          identity.version,
          identity.protocolVersion,
        ],
      );
      return { healthy: true, error: null, refused };
    } catch (caught) {
      if (!(caught instanceof AppError)) throw caught;
      const error = withoutValues(caught, secrets);
      // A server that is busy with other calls is alive.
      if (error.details?.['reason'] === 'busy' && error.details['status'] === undefined) return { healthy: true, error, refused: [] };
      await this.noteHealth({ tenant, row, health: 'unhealthy' }, 'last_error = $4', [error.message.slice(0, 1_000)]);
      return { healthy: false, error, refused: [] };
    }
  }

  /** A change of health is an event; a refresh that finds the same is none. */
  private async noteHealth(
    { tenant, row: { name, updated_at }, health }: { tenant: string; row: ServerRow; health: 'healthy' | 'unhealthy' },
    set: string,
    values: unknown[],
  ): Promise<void> {
    await this.db.transaction(async (query) => {
      const [row] = await query<{ was: string }>(
        `update external_servers s set health = '${health}', ${set}
         from (select health from external_servers s where tenant_id = $1 and name = $2 and ${unchanged('$3')} for update) before
         where s.tenant_id = $1 and s.name = $2 returning before.health as was`,
        [tenant, name, updated_at, ...values],
      );
      if (row && row.was !== health)
        await noteEvent(query, tenant, 'external.server_health', name, { server: name, from: row.was, health });
    });
  }

  private async write(tenant: string, { name: server, updated_at }: ServerRow, tools: McpDefinition[]): Promise<void> {
    const rows = JSON.stringify(tools.map((definition) => ({ name: definition.name, definition, hash: definitionHash(definition) })));
    const changed = await this.db.transaction(async (query) => {
      // These are tools of the server as it was when it was asked.
      const still = await query(`select 1 from external_servers s where tenant_id = $1 and name = $2 and ${unchanged('$3')} for share`, [
        tenant,
        server,
        updated_at,
      ]);
      if (still.length === 0) return 0;
      const written = await query<{ pinned_hash: string | null; open: boolean }>(
        `insert into external_tools (tenant_id, server, name, definition, hash, created_at, updated_at)
         select $1, $2, t.name, t.definition, t.hash, now(), clock_timestamp() from jsonb_to_recordset($3) as t(name text, definition jsonb, hash text)
         order by t.name
         on conflict (tenant_id, server, name) do update
           set definition = excluded.definition, hash = excluded.hash, gone_at = null, updated_at = clock_timestamp()
           where external_tools.hash <> excluded.hash or external_tools.gone_at is not null
         returning pinned_hash, pinned_hash is distinct from hash as open`,
        [tenant, server, rows],
      );
      const gone = await query<{ pinned_hash: string | null }>(
        `update external_tools set gone_at = now(), updated_at = clock_timestamp()
         where tenant_id = $1 and server = $2 and gone_at is null and not (name = any($3)) returning pinned_hash`,
        [tenant, server, tools.map(({ name }) => name)],
      );
      // Unapproved tools are not listed.
      if ([...written, ...gone].some((row) => row.pinned_hash !== null)) await notify(query, topics.externalTools(tenant));
      if (written.length + gone.length > 0) {
        await noteEvent(query, tenant, 'external.tool_changed', server, {
          server,
          changed: written.filter(({ pinned_hash, open }) => pinned_hash !== null && open).length,
          waiting: written.filter(({ pinned_hash }) => pinned_hash === null).length,
          gone: gone.length,
        });
      }
      return written.length + gone.length;
    });
    if (changed > 0) this.deps.tools.forget(tenant);
  }

  /**
   * Refreshes every enabled server of a tenant that was not refreshed recently, a few at a time.
   * @returns how many do not answer
   */
  async refreshAll(tenant: string): Promise<number> {
    const names = (await this.deps.servers.all(tenant))
      .filter(({ enabled, last_seen_at }) => enabled && (last_seen_at === null || Date.now() - last_seen_at.getTime() > seenLately))
      .map(({ name }) => name);
    let unhealthy = 0;
    const next = function* (): Generator<string> {
      for (let name = names.shift(); name !== undefined; name = names.shift()) yield name;
    };
    const lane = (): Promise<void> =>
      eachInTurn(next(), async (name) => {
        const { healthy } = await this.refresh(tenant, name);
        if (!healthy) unhealthy += 1;
      });
    const failed = (await Promise.allSettled(Array.from({ length: 8 }, lane))).find((ended) => ended.status === 'rejected');
    if (failed) throw failed.reason;
    return unhealthy;
  }
}

/** Neither changed nor replaced by another of its name. Dates here have milliseconds. */
const isSame = (one: ServerRow, other: ServerRow): boolean => one.updated_at.getTime() === other.updated_at.getTime();
const unchanged = (at: string): string => `date_trunc('milliseconds', s.updated_at) = ${at}`;

function readable(tools: McpDefinition[]): { taken: McpDefinition[]; refused: string[] } {
  const taken = new Map<string, McpDefinition>();
  const refused: string[] = [];
  for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
    const shown = storable(String(name).slice(0, 64));
    if (typeof name !== 'string' || name === '' || name.length > 128 || jsonProblem(name) !== null) refused.push(`${shown}: bad name`);
    else if (taken.has(name)) refused.push(`${shown}: named twice`);
    else if (taken.size >= mostTools) refused.push(`${shown}: more than ${mostTools} tools`);
    else {
      const definition: McpDefinition = {
        name,
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { description }),
        inputSchema,
        ...(outputSchema === undefined ? {} : { outputSchema }),
        ...(annotations === undefined ? {} : { annotations }),
      };
      const deep = jsonProblem(definition, deepestDefinition, { text: false });
      if (deep !== null) refused.push(`${shown}: its definition ${deep}`);
      else if (Buffer.byteLength(JSON.stringify(definition)) > mostDefinition)
        refused.push(`${shown}: its definition has more than ${mostDefinition / 1024} KB`);
      else taken.set(name, storable(definition));
    }
  }
  return { taken: [...taken.values()], refused };
}

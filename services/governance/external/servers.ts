import type { McpServer } from '../../../adapters/mcp/types.ts';
import type { Row } from '../../../adapters/postgres/database.ts';
import { isUniqueViolation } from '../../../adapters/postgres/errors.ts';
import type { Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { ExternalServer, GivenCredentials, ServerCredentials, ServerTransport } from '../../../contracts/governance/external.ts';
import { hashOf } from '../../../contracts/ids.ts';
import { assertRoom } from '../../kernel/room.ts';
import { Service } from '../../kernel/service.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { filled } from './import.ts';
import { allowed, badTarget, checkServerHeaders, complete, sameOrigin, transportOf, unknownServer, type ServerTarget } from './target.ts';

/** Per tenant. */
const mostServers = 200;

export interface ServerSettings {
  timeoutMs?: number | undefined;
  concurrency?: number | undefined;
  approval?: 'A0' | 'A1' | 'A2' | undefined;
  enabled?: boolean | undefined;
}

export interface ServerRow
  extends
    Row,
    Columns<
      'external_servers',
      | 'name'
      | 'secrets'
      | 'enabled'
      | 'timeout_ms'
      | 'concurrency'
      | 'server_name'
      | 'server_version'
      | 'protocol_version'
      | 'last_error'
      | 'last_seen_at'
      | 'created_by'
      | 'created_at'
      | 'updated_at'
    > {
  transport: ServerTransport;
  target: { command?: string; args?: string[]; cwd?: string; url?: string };
  approval: 'A0' | 'A1' | 'A2';
  health: ExternalServer['health'];
}

/** Other MCP servers of a tenant: addresses and credentials. Credentials are never shown again. */
export class Servers extends Service<'secrets' | 'web'> {
  /**
   * A repeat with the same definition returns the existing server.
   * @throws AppError CONFLICT when the name is taken, FORBIDDEN, VALIDATION_ERROR
   */
  async add(
    caller: Caller,
    given: ServerTarget & ServerSettings & { name: string; credentials?: GivenCredentials | undefined },
  ): Promise<ServerRow> {
    const { name } = given;
    const transport = transportOf(given);
    allowed(caller, transport);
    const credentials = complete(given.credentials);
    const target = this.targetOf(transport, given, credentials);
    try {
      const [row] = await this.db.transaction(async (query) => {
        await assertRoom(query, {
          of: `external_servers/${caller.tenant}`,
          most: mostServers,
          count: 'select count(*)::int as n from external_servers where tenant_id = $1 and name <> $2',
          values: [caller.tenant, name],
          refusal: (n) =>
            new AppError('CONFLICT', `There are ${n} external servers; at most ${mostServers} may be.`, {
              hint: 'Remove one that is not used.',
            }),
        });
        return await query<ServerRow>(
          `insert into external_servers (tenant_id, name, transport, target, secrets, enabled, timeout_ms, concurrency, approval, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning *`,
          [
            caller.tenant,
            name,
            transport,
            JSON.stringify(target),
            this.sealed(credentials),
            given.enabled ?? true,
            given.timeoutMs ?? 30_000,
            given.concurrency ?? 8,
            given.approval ?? 'A1',
            caller.principal,
          ],
        );
      });
      return row!;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      const [there] = await this.db.query<ServerRow>('select * from external_servers where tenant_id = $1 and name = $2', [
        caller.tenant,
        name,
      ]);
      const wanted = hashOf({ transport, target, credentials });
      const same = there && hashOf({ transport: there.transport, target: there.target, credentials: this.credentialsOf(there) }) === wanted;
      if (same && there.created_by === caller.principal) return there;
      throw new AppError('CONFLICT', `There is an external server "${name}" already.`, {
        hint: 'external.server.update changes it; or choose another name.',
        details: { reason: 'name_taken', server: name },
      });
    }
  }

  /**
   * Fields that are not given stay. Credentials are replaced by kind; when the address changes, all stored ones are
   * dropped.
   * @throws AppError
   */
  async update(
    caller: Caller,
    name: string,
    given: ServerTarget & ServerSettings & { credentials?: GivenCredentials | undefined },
  ): Promise<ServerRow> {
    return await this.db.transaction(async (query) => {
      // Locked, so that concurrent changes are not overwritten.
      const [row] = await query<ServerRow>('select * from external_servers where tenant_id = $1 and name = $2 for update', [
        caller.tenant,
        name,
      ]);
      if (!row) throw unknownServer(name);
      const { transport, target, secrets } = this.changed(caller, row, given);
      const [updated] = await query<ServerRow>(
        `update external_servers set transport = $3, target = $4, secrets = $5, enabled = $6, timeout_ms = $7, concurrency = $8, approval = $9,
           updated_at = clock_timestamp() where tenant_id = $1 and name = $2 returning *`,
        [
          caller.tenant,
          name,
          transport,
          JSON.stringify(target),
          secrets,
          given.enabled ?? row.enabled,
          given.timeoutMs ?? row.timeout_ms,
          given.concurrency ?? row.concurrency,
          given.approval ?? row.approval,
        ],
      );
      return updated!;
    });
  }

  /**
   * Address and credentials after a change.
   * @throws AppError
   */
  private changed(
    caller: Caller,
    row: ServerRow,
    given: ServerTarget & { credentials?: GivenCredentials | undefined },
  ): Pick<ServerRow, 'transport' | 'target' | 'secrets'> {
    const moved = [given.command, given.args, given.cwd, given.url, given.transport].some((each) => each !== undefined);
    const command = given.command ?? (given.url === undefined ? row.target.command : undefined);
    const url = given.url ?? (given.command === undefined ? row.target.url : undefined);
    const transport = moved ? transportOf({ transport: given.transport, command, url }) : row.transport;
    if (!moved && !given.credentials) return row;
    allowed(caller, row.transport);
    allowed(caller, transport);
    const known = this.credentialsOf(row);
    const { env = known.env, headers = known.headers, variables = known.variables } = given.credentials ?? {};
    const elsewhere = url !== undefined && !sameOrigin(filled(row.target.url ?? '', known.variables), filled(url, variables));
    if (elsewhere && !given.credentials && Object.values(known).some((each) => Object.keys(each).length > 0)) {
      throw new AppError('VALIDATION_ERROR', `"${row.name}" has credentials for another address.`, {
        hint: 'Give all its credentials again together with the new url, or {} to send none.',
        details: { reason: 'credentials_needed' },
      });
    }
    const credentials = elsewhere ? complete(given.credentials) : { env, headers, variables };
    const { args = row.target.args, cwd = row.target.cwd } = given;
    const target = this.targetOf(transport, { args, cwd, command, url }, credentials);
    return { transport, target, secrets: given.credentials ? this.sealed(credentials) : row.secrets };
  }

  /**
   * Including its tools and approvals.
   * @throws AppError NOT_FOUND
   */
  async remove(caller: Caller, name: string): Promise<void> {
    const gone = await this.db.query('delete from external_servers where tenant_id = $1 and name = $2 returning 1', [caller.tenant, name]);
    if (gone.length === 0) throw unknownServer(name);
  }

  /** @throws AppError NOT_FOUND */
  async get(tenant: string, name: string): Promise<ServerRow> {
    const [row] = await this.db.query<ServerRow>('select * from external_servers where tenant_id = $1 and name = $2', [tenant, name]);
    if (!row) throw unknownServer(name);
    return row;
  }

  async all(tenant: string): Promise<ServerRow[]> {
    return await this.db.query<ServerRow>('select * from external_servers where tenant_id = $1 order by name', [tenant]);
  }

  /** As callers see it. */
  async views(tenant: string, name?: string): Promise<ExternalServer[]> {
    const rows = name === undefined ? await this.all(tenant) : [await this.get(tenant, name)];
    const counts = await this.db.query<{ server: string } & ExternalServer['tools']>(
      `select server,
         count(*) filter (where gone_at is null and pinned_hash = hash)::int as approved,
         count(*) filter (where gone_at is null and pinned_hash is null)::int as waiting,
         count(*) filter (where gone_at is null and pinned_hash <> hash)::int as changed,
         count(*) filter (where gone_at is not null)::int as gone
       from external_tools where tenant_id = $1 group by server`,
      [tenant],
    );
    return rows.map((row) => {
      const { server: _, ...tools } = counts.find((each) => each.server === row.name) ?? {
        server: '',
        approved: 0,
        waiting: 0,
        changed: 0,
        gone: 0,
      };
      return this.view(row, tools);
    });
  }

  private view(row: ServerRow, tools: ExternalServer['tools']): ExternalServer {
    const { env, headers, variables } = this.namesOf(row);
    return {
      name: row.name,
      transport: row.transport,
      target: row.target,
      credentials: [...env, ...headers, ...variables.map((name) => `\${${name}}`)],
      enabled: row.enabled,
      timeout_ms: row.timeout_ms,
      concurrency: row.concurrency,
      approval: row.approval,
      health: row.health,
      last_error: row.last_error,
      last_seen_at: row.last_seen_at?.toISOString() ?? null,
      server_name: row.server_name,
      server_version: row.server_version,
      protocol_version: row.protocol_version,
      tools,
      created_by: row.created_by,
      created_at: row.created_at.toISOString(),
    };
  }

  private namesOf(row: ServerRow): Record<keyof ServerCredentials, string[]> {
    try {
      const { env, headers, variables } = this.credentialsOf(row);
      return { env: Object.keys(env), headers: Object.keys(headers), variables: Object.keys(variables) };
    } catch {
      // Sealed under another key: the other fields can still be shown and corrected.
      return { env: [], headers: [], variables: [] };
    }
  }

  /** @throws AppError SERVICE_UNAVAILABLE when it was sealed under another key */
  credentialsOf(row: Pick<ServerRow, 'secrets'>): ServerCredentials {
    return complete(row.secrets === null ? {} : (JSON.parse(this.deps.secrets.open(row.secrets)) as GivenCredentials));
  }

  /**
   * Connection data with secrets.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  spec(tenant: string, row: ServerRow): { server: McpServer; secrets: string[] } {
    const { env, headers, variables } = this.credentialsOf(row);
    const fill = (text: string): string => filled(text, variables);
    const all = (texts: Record<string, string>): Record<string, string> =>
      Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, fill(value)]));
    const { command = '', args = [], cwd, url = '' } = row.target;
    const { transport } = row;
    return {
      server: {
        key: `${tenant}/${row.name}`,
        version: hashOf([transport, row.target, row.secrets, row.timeout_ms, row.concurrency]),
        target:
          transport === 'stdio'
            ? { transport, command: fill(command), args: args.map(fill), ...(cwd === undefined ? {} : { cwd: fill(cwd) }), env: all(env) }
            : { transport, url: fill(url), headers: all(headers) },
        timeoutMs: row.timeout_ms,
        concurrency: row.concurrency,
      },
      secrets: [...Object.values(all(env)), ...Object.values(all(headers)), ...Object.values(variables)].filter(
        (value) => value.length >= 6,
      ),
    };
  }

  private sealed(credentials: ServerCredentials): string | null {
    const some = Object.values(credentials).some((each) => Object.keys(each).length > 0);
    return some ? this.deps.secrets.seal(JSON.stringify(credentials)) : null;
  }

  private targetOf(transport: ServerTransport, given: ServerTarget, { headers, variables }: ServerCredentials): ServerRow['target'] {
    const { command, args, cwd, url } = given;
    if (transport === 'stdio') {
      if (command === undefined) throw badTarget('A stdio server needs a command.');
      return { command, args: args ?? [], ...(cwd === undefined ? {} : { cwd }) };
    }
    if (url === undefined) throw badTarget(`A ${transport} server needs a url.`);
    this.deps.web.check(filled(url, variables));
    checkServerHeaders(headers, variables);
    return { url };
  }
}

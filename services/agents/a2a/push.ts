import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { asTenant } from '../../../adapters/postgres/tenancy.ts';
import { readOnlyRoles, type Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import { checkHeaders } from '../../../contracts/headers.ts';
import { newId } from '../../../contracts/ids.ts';
import { assertRoom } from '../../kernel/room.ts';
import { Service } from '../../kernel/service.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { changeableA2aTask, isOwn, visibleA2aTask } from './rights.ts';
import type { A2aTaskRow } from './tasks-records.ts';

/** A callback for a task. */
export interface PushConfig {
  id?: string | undefined;
  url: string;
  /** Sent with each callback, and used to sign it. */
  token?: string | undefined;
  authentication?: { scheme: string; credentials?: string | undefined } | undefined;
}

export interface PushRow
  extends
    Row,
    Columns<
      'a2a_push_configs',
      | 'tenant_id'
      | 'task_id'
      | 'id'
      | 'url'
      | 'token'
      | 'auth_scheme'
      | 'auth_credentials'
      | 'protocol_version'
      | 'sent_seq'
      | 'failures'
      | 'last_error'
    > {}

const maxPerTask = 10;

/** Only keys of the line that created the task may see the token that signs its callbacks, and only if they may write. */
const seesToken = (task: A2aTaskRow, caller: Caller): boolean => isOwn(task, caller) && !readOnlyRoles.has(caller.role);

/** Headers by which a callback's receiver recognizes us. */
export const shownHeaders = (token?: string | null, scheme?: string | null, credentials?: string | null): Record<string, string> => ({
  ...(token ? { 'x-a2a-notification-token': token } : {}),
  ...(credentials ? { authorization: `${scheme ?? 'Bearer'} ${credentials}` } : {}),
});

/** Callbacks of tasks. Their tokens and credentials are stored sealed; credentials are never shown again. */
export class A2aPush extends Service<'secrets' | 'peers'> {
  /**
   * Checks whether the URL may be called (each callback checks its IP address again), and whether token and credentials
   * are valid in headers.
   * @throws AppError VALIDATION_ERROR
   */
  async check({ url, token, authentication }: PushConfig): Promise<void> {
    this.deps.peers.check(url);
    checkHeaders(shownHeaders(token, authentication?.scheme, authentication?.credentials));
  }

  /** Adds a callback, or replaces the one with its id. It receives events from now on. @throws AppError NOT_FOUND, VALIDATION_ERROR */
  async set(caller: Caller, taskId: string, config: PushConfig, protocolVersion: string): Promise<PushConfig & { id: string }> {
    await this.check(config);
    return await asTenant(caller.tenant, async () => {
      const row = await changeableA2aTask(this.db.query, caller, taskId);
      const id = await this.db.transaction((query) => this.write(query, caller.tenant, taskId, config, protocolVersion, row.seq));
      const made = (await this.rows(caller.tenant, taskId)).find((one) => one.id === id);
      return this.view(made!, seesToken(row, caller));
    });
  }

  /** @param ids ids that it may have, the likeliest first. @throws AppError NOT_FOUND */
  async get(caller: Caller, taskId: string, ids: string[]): Promise<PushConfig & { id: string }> {
    return await asTenant(caller.tenant, async () => {
      const task = await visibleA2aTask(this.db.query, caller, taskId);
      const rows = await this.rows(caller.tenant, taskId);
      const found = ids.map((id) => rows.find((row) => row.id === id)).find((row) => row !== undefined);
      if (found) return this.view(found, seesToken(task, caller));
      throw new AppError('NOT_FOUND', `The task has no callback with id "${ids[0]?.slice(0, 128)}".`, { details: { reason: 'callback' } });
    });
  }

  async list(caller: Caller, taskId: string): Promise<(PushConfig & { id: string })[]> {
    return await asTenant(caller.tenant, async () => {
      const task = await visibleA2aTask(this.db.query, caller, taskId);
      const rows = await this.rows(caller.tenant, taskId);
      return rows.map((row) => this.view(row, seesToken(task, caller)));
    });
  }

  /** Succeeds when the callback does not exist. */
  async remove(caller: Caller, taskId: string, id: string): Promise<void> {
    await asTenant(caller.tenant, async () => {
      await changeableA2aTask(this.db.query, caller, taskId);
      await this.db.query('delete from a2a_push_configs where tenant_id = $1 and task_id = $2 and id = $3', [caller.tenant, taskId, id]);
    });
  }

  /** @param sentSeq number of the last event that is not sent to it */
  async write(
    query: Database['query'],
    tenant: string,
    taskId: string,
    config: PushConfig,
    protocolVersion: string,
    sentSeq: number,
  ): Promise<string> {
    // In version 0.3 a task has one callback without an id.
    const id = config.id || (protocolVersion === '0.3' ? taskId : newId('push'));
    await assertRoom(query, {
      of: `a2a_push_configs/${tenant}/${taskId}`,
      most: maxPerTask,
      count: 'select count(*)::int as n from a2a_push_configs where tenant_id = $1 and task_id = $2 and id <> $3',
      values: [tenant, taskId, id],
      refusal: () => new AppError('VALIDATION_ERROR', `A task has ${maxPerTask} callbacks at most.`, { hint: 'Delete one first.' }),
    });
    const seal = (text: string | undefined): string | null => (text ? this.deps.secrets.seal(text) : null);
    await query(
      `insert into a2a_push_configs as c (tenant_id, task_id, id, url, token, auth_scheme, auth_credentials, protocol_version, sent_seq)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (tenant_id, task_id, id) do update set url = excluded.url, token = excluded.token, auth_scheme = excluded.auth_scheme,
         auth_credentials = excluded.auth_credentials, protocol_version = excluded.protocol_version, failures = 0, last_error = null, updated_at = now()`,
      [
        tenant,
        taskId,
        id,
        config.url,
        seal(config.token),
        config.authentication?.scheme || null,
        seal(config.authentication?.credentials),
        protocolVersion,
        sentSeq,
      ],
    );
    return id;
  }

  async rows(tenant: string, taskId: string): Promise<PushRow[]> {
    return await this.db.query<PushRow>(
      'select * from a2a_push_configs where tenant_id = $1 and task_id = $2 order by created_at, id limit 100',
      [tenant, taskId],
    );
  }

  private view(row: PushRow, withToken: boolean): PushConfig & { id: string } {
    return {
      id: row.id,
      url: row.url,
      ...(row.token === null || !withToken ? {} : { token: this.deps.secrets.open(row.token) }),
      ...(row.auth_scheme === null ? {} : { authentication: { scheme: row.auth_scheme } }),
    };
  }
}

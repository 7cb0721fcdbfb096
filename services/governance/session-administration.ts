import { asScoped } from '../../adapters/postgres/tenancy.ts';
import { hasScope, isPerson, lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { ConsoleSessionView } from '../../contracts/governance/console-sessions.ts';
import { topics } from '../../contracts/notices.ts';
import type { Columns } from '../../prisma/rows.ts';
import { notify } from '../kernel/notify.ts';
import { keysetPage, matching, newest, type Page, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import type { ConsoleSessions } from './console-sessions.ts';

/** Which sessions are listed or ended. */
interface SessionFilter {
  session_id?: string | undefined;
  key_id?: string | undefined;
  person?: string | undefined;
}

type Listed = Columns<
  'console_sessions',
  'id' | 'principal' | 'key_id' | 'browser' | 'created_at' | 'last_seen_at' | 'ends_at' | 'checked_at'
> & { means: ConsoleSessionView['means'] };

/** Signed-in browsers: everybody sees and ends their own, admins those of their tenant. */
export class SessionAdministration extends Service<never, { consoleSessions: ConsoleSessions }> {
  async list(caller: Caller, { all, ...filter }: SessionFilter & { all: boolean }, paging: Paging): Promise<Page<ConsoleSessionView>> {
    if (all) assertAdmin(caller, 'key:read');
    return await asScoped(caller.tenant, null, () =>
      keysetPage<Listed & Record<string, unknown>, ConsoleSessionView>(
        this.db.query,
        {
          select: 'id, principal, key_id, means, browser, created_at, last_seen_at, ends_at, checked_at',
          from: 'console_sessions',
          ...matching({
            'tenant_id = $': caller.tenant,
            ...conditions(filter),
            'line = $': all ? undefined : lineOf(caller),
            "kind = 'session' and ends_at > now()": true,
          }),
          order: newest('created_at', 'id'),
        },
        paging,
        (row) => viewOf(row, caller),
      ),
    );
  }

  /**
   * Ends sessions: their tabs are signed out at once, and their calls are refused within two seconds. Sessions that have
   * ended already stay so.
   * @param others all of the caller's own except the one that makes the call
   * @throws AppError VALIDATION_ERROR, FORBIDDEN for those of others
   */
  async end(caller: Caller, { others, ...filter }: SessionFilter & { others: boolean }): Promise<ConsoleSessionView[]> {
    const given = [others || undefined, ...Object.values(filter)].filter((one) => one !== undefined).length;
    if (given !== 1) {
      throw new AppError('VALIDATION_ERROR', 'Say which sessions end: session_id, others, key_id or person; one of them.', {
        hint: 'access.session.list shows them.',
      });
    }
    const own = filter.person === undefined && (filter.key_id === undefined || filter.key_id === caller.keyId);
    const may = isAdmin(caller, 'key:write') && isPerson(caller);
    if (!own && !may) assertAdmin(caller, 'key:write');
    const { where, values } = matching({
      'tenant_id = $': caller.tenant,
      ...conditions(filter),
      'line = $': others || !may ? lineOf(caller) : undefined,
      'id <> $': others ? (caller.consoleSession ?? '') : undefined,
      "kind = 'session'": true,
    });
    const ended = await asScoped(caller.tenant, null, () =>
      this.db.transaction(async (query) => {
        const rows = await query<Listed & Record<string, unknown>>(`delete from console_sessions where ${where} returning *`, values);
        if (rows.length > 0) await notify(query, topics.keys(caller.tenant));
        return rows;
      }),
    );
    this.deps.consoleSessions.forget();
    return ended.map((row) => viewOf(row, caller));
  }
}

const conditions = ({ session_id, key_id, person }: SessionFilter): Record<string, unknown> => ({
  'id = $': session_id,
  'key_id = $': key_id,
  'principal = $': person,
});

const isAdmin = (caller: Caller, scope: string): boolean =>
  caller.role === 'admin' && caller.team === null && (caller.scopes.length === 0 || hasScope(caller.scopes, scope));

function assertAdmin(caller: Caller, scope: string): void {
  if (isAdmin(caller, scope) && (scope === 'key:read' || isPerson(caller))) return;
  throw new AppError('FORBIDDEN', 'These sessions are not your own.', {
    hint: `An admin${scope === 'key:read' ? '' : ' who is a person'} may do it, with the scope ${scope} if the key has scopes.`,
    details: { rule: 'own' },
  });
}

const viewOf = (row: Listed, { consoleSession }: Caller): ConsoleSessionView => ({
  session_id: row.id,
  principal: row.principal,
  key_id: row.key_id,
  means: row.means,
  browser: row.browser,
  signed_in_at: row.created_at.toISOString(),
  last_seen_at: row.last_seen_at.toISOString(),
  ends_at: row.ends_at.toISOString(),
  checked_at: row.checked_at?.toISOString() ?? null,
  current: row.id === consoleSession,
});

import { isPerson, lineOf, mayDecide, type Caller } from '../../../contracts/caller.ts';
import { notFound } from '../../../contracts/errors.ts';
import { inboxCountedAtMost, type InboxCounts, type InboxItem, type InboxKind } from '../../../contracts/inbox.ts';
import { pageOf, pageSql, up, type Page, type Paging } from '../paging.ts';
import { Service } from '../service.ts';
import { kindSql } from './kinds.ts';

/** Characters of each text of an item in a list, and of one that is looked at. */
const shortText = 2_000;
const wholeText = 100_000;
/** The order of what does not expire. */
const never = '9999-12-31 00:00:00+00';

interface Key {
  kind: InboxKind;
  id: string;
}

interface DetailRow {
  id: string;
  title: string | null;
  who: string | null;
  note: string | null;
  since: Date;
  expires_at: Date | null;
  open: boolean;
  data: Record<string, unknown>;
}

/** Everything that waits for a person, of all contexts, in one list. */
export class Inbox extends Service {
  /**
   * What expires first comes first, then what waits longest.
   * @param wanted.kinds that the caller may see; all of them are counted
   * @param wanted.only of these are the items
   */
  async list(
    caller: Caller,
    { kinds, only, mine, ...paging }: { kinds: readonly InboxKind[]; only?: readonly InboxKind[] | undefined; mine: boolean } & Paging,
  ): Promise<Page<InboxItem> & { counts: InboxCounts }> {
    const { tenant } = caller;
    const seen = seenBy(caller, kinds).filter((kind) => !mine || kind === 'call' || kind === 'ambiguous');
    const line = mine || !mayDecide(caller) ? lineOf(caller) : null;
    const listed = only ? seen.filter((kind) => only.includes(kind)) : seen;
    if (listed.length === 0) return { items: [], counts: seen.length === 0 ? {} : await this.counts(tenant, seen, line) };
    const [page, counts] = await Promise.all([this.keys(tenant, listed, line, paging), this.counts(tenant, seen, line)]);
    const details = await this.details(caller, page.items, shortText);
    const items = page.items.flatMap(({ kind, id }) => details.get(`${kind}/${id}`) ?? []);
    return { ...page, items, counts };
  }

  /**
   * One item, whole, also after it was decided.
   * @param kinds that the caller may see
   * @throws AppError NOT_FOUND
   */
  async get(caller: Caller, kinds: readonly InboxKind[], { kind, id }: Key): Promise<InboxItem> {
    const found = seenBy(caller, kinds).includes(kind)
      ? await this.details(caller, [{ kind, id }], wholeText)
      : new Map<string, InboxItem>();
    const item = found.get(`${kind}/${id}`);
    if (!item) throw notFound('inbox item', `${kind} ${id}`, 'system.inbox.list shows what waits.');
    return item;
  }

  /** Each kind gives no more than a page, so that its index can give the first ones however many wait. */
  private async keys(tenant: string, kinds: readonly InboxKind[], line: string | null, paging: Paging): Promise<Page<Key>> {
    const pages = kinds.map((kind) => {
      const { from, open, id, since, expires = `'${never}'::timestamptz` } = kindSql[kind];
      const list = {
        select: `'${kind}' as kind, ${id} as id, ${since} as since, ${expires} as due`,
        from: `${from} x`,
        where: `x.tenant_id = $1 and ${open} and $2::text is not distinct from $2`,
        values: [tenant, line],
        order: [up(expires, 'timestamptz'), up(since, 'timestamptz'), up(`'${kind}'::text`), up(id)],
      };
      return pageSql(list, paging);
    });
    const { values } = pages[0]!;
    const rows = await this.db.query<Key & { page_key: string[] } & Record<string, unknown>>(
      `select kind, id, page_key from (${pages.map(({ sql }) => `(${sql})`).join(' union all ')}) waiting
       order by due, since, kind, id limit $${values.length}`,
      values,
    );
    return pageOf(rows, paging.limit, ({ kind, id }): Key => ({ kind, id }));
  }

  private async counts(tenant: string, kinds: readonly InboxKind[], line: string | null): Promise<InboxCounts> {
    const each = kinds.map((kind) => {
      const { from, open } = kindSql[kind];
      return `'${kind}', (select count(*)::int from (select from ${from} x where x.tenant_id = $1 and ${open} limit ${inboxCountedAtMost + 1}) found)`;
    });
    const [row] = await this.db.query<{ counts: InboxCounts }>(
      `select json_build_object(${each.join(', ')}) as counts where $2::text is not distinct from $2`,
      [tenant, line],
    );
    return row!.counts;
  }

  /** By kind and id. */
  private async details(caller: Caller, keys: readonly Key[], most: number): Promise<Map<string, InboxItem>> {
    const { tenant } = caller;
    const line = mayDecide(caller) ? null : lineOf(caller);
    const found = await Promise.all(
      [...Map.groupBy(keys, ({ kind }) => kind)].map(async ([kind, own]) => {
        const sql = kindSql[kind];
        const visible = kind === 'call' || kind === 'ambiguous' ? 'and ($2::text is null or x.line = $2)' : '';
        const rows = await this.db.query<DetailRow & Record<string, unknown>>(
          `select ${sql.id} as id, ${sql.title} as title, ${sql.who} as who, ${sql.note} as note, ${sql.since} as since,
             ${sql.expires ?? 'null::timestamptz'} as expires_at, coalesce(${sql.open}, false) as open, json_build_object(${sql.data}) as data
           from ${sql.from} x ${sql.join ?? ''}
           where x.tenant_id = $1 and ${sql.id} = any($4) ${visible} and $2::text is not distinct from $2 and $3::int > 0`,
          [tenant, line, most, own.map(({ id }) => id)],
        );
        return rows.map((row): [string, InboxItem] => [`${kind}/${row.id}`, viewOf(kind, row, caller)]);
      }),
    );
    return new Map(found.flat());
  }
}

/** People judge outputs, whatever an agent's scopes say. */
const seenBy = (caller: Caller, kinds: readonly InboxKind[]): InboxKind[] => kinds.filter((kind) => kind !== 'output' || isPerson(caller));

function viewOf(kind: InboxKind, row: DetailRow, caller: Caller): InboxItem {
  const { line, principal, ...data } = row.data;
  const asked = kind === 'call' || kind === 'ambiguous';
  return {
    kind,
    id: row.id,
    title: row.title ?? '',
    who: row.who,
    note: row.note,
    since: row.since.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    open: row.open,
    data: asked ? { ...data, requested_by_me: line === lineOf(caller) || principal === caller.principal } : data,
  };
}

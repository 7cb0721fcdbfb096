import type { Row } from '../../adapters/postgres/database.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { Entity, ListedEntity } from '../../contracts/graph/graph.ts';
import { aliasesOf, entityColumns, entityView, linksOf, listedByType, type EntityRow } from './entity-view.ts';
import { count, cut, matching, rankedPage, readCursor, writeCursor, type CountedPage, type Paging } from '../kernel/paging.ts';
import type { Candidate } from './lookup-decide.ts';
import type { EntityLookup, WantedName } from './lookup.ts';
import { blocksOf, keyWords, nameKey } from '../../engines/text/names.ts';
import { Service } from '../kernel/service.ts';
import { countedInScope } from './scoped-counts.ts';

export interface EntityFilter extends Paging {
  type?: string | undefined;
  /** A name, or prefixes of its words, possibly misspelt. */
  search?: string | undefined;
}

interface EntityPage<T = ListedEntity> extends CountedPage<T> {
  /** More were found than are looked at: the total is a least number. */
  atLeast?: boolean;
}

export interface EntityDetail extends Entity {
  description: string | null;
  area: string | null;
  /** As reported by a person or another system: open, fixed, … */
  state: string | null;
  state_source: string | null;
  mention_count: number;
  first_seen_at: string | null;
  last_seen_at: string | null;
  created_at: string;
  links: { external_system: string; external_id: string; url: string | null }[];
  /** Newest first. */
  history: HistoryEntry[];
}

export interface HistoryEntry {
  event: string;
  at: string;
  by: string;
  change_id: string | null;
  /** entity.change.undo can take it back. */
  undoable: boolean;
  data: Record<string, unknown>;
}

interface DetailRow extends EntityRow {
  state: string | null;
  state_source: string | null;
  mention_count: number;
  first_seen_at: Date | null;
  last_seen_at: Date | null;
  created_at: Date;
}

/** Maximum entities read per search. */
const searched = 500;
/** Minimum similarity of a misspelt name. */
const alike = 0.6;
const shownHistory = 50;

/** Reads of entities. */
export class EntityQueries extends Service<never, { lookup: EntityLookup }> {
  /** Ordered by number of signals; with `search` by similarity of the name. */
  async list(tenant: string, filter: EntityFilter): Promise<EntityPage> {
    const found = filter.search?.trim() ? await this.found(tenant, filter.search, filter) : await this.all(tenant, filter);
    const page = { ...found, items: await countedInScope(this.db.query, tenant, found.items, ({ id }) => id) };
    const aliases = await aliasesOf(this.db.query, tenant, page.items);
    const links = await linksOf(
      this.db.query,
      tenant,
      page.items.map(({ id }) => id),
    );
    return {
      ...page,
      items: page.items.map((row) => ({ ...entityView(row, aliases.get(row.id)), state: row.state, links: links.get(row.id) ?? [] })),
    };
  }

  /** @throws AppError NOT_FOUND, AMBIGUOUS_ENTITY, VALIDATION_ERROR unless exactly one of id and name is given */
  async get(
    tenant: string,
    which: { id?: string | undefined; name?: string | undefined } & WantedName,
  ): Promise<{ entity: EntityDetail; others: Candidate[] }> {
    if ((which.id === undefined) === (which.name === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'Give either entity_id or entity_name.', { hint: 'entity.record.list shows both.' });
    }
    const { entity, alternatives } =
      which.id === undefined
        ? await this.deps.lookup.resolveName(tenant, which.name!, which)
        : { entity: await this.deps.lookup.byId(tenant, which.id), alternatives: [] };
    return { entity: await this.detail(tenant, entity.id), others: alternatives };
  }

  private async detail(tenant: string, id: string): Promise<EntityDetail> {
    const { query } = this.db;
    const found = await query<DetailRow>(
      `select ${entityColumns}, e.state, e.state_source, e.mention_count, e.first_seen_at, e.last_seen_at, e.created_at
       from entities e where e.tenant_id = $1 and e.id = $2`,
      [tenant, id],
    );
    const [row] = await countedInScope(query, tenant, found, (each) => each.id);
    if (!row) throw notFound('entity', id);
    const links = (await linksOf(query, tenant, [id])).get(id) ?? [];
    return {
      ...entityView(row, (await aliasesOf(query, tenant, [row])).get(id)),
      description: row.description,
      area: row.area,
      state: row.state,
      state_source: row.state_source,
      mention_count: row.mention_count,
      first_seen_at: row.first_seen_at?.toISOString() ?? null,
      last_seen_at: row.last_seen_at?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
      links,
      history: await this.history(tenant, id),
    };
  }

  /** History of an entity, newest first. */
  async history(tenant: string, id: string, limit = shownHistory): Promise<HistoryEntry[]> {
    const rows = await this.db.query<Omit<HistoryEntry, 'at'> & { at: Date } & Row>(
      `select h.event, h.at, h.by_whom as by, h.change_id, h.data,
         h.change_id is not null and h.event in ('absorbed', 'split', 'alias_added') and not exists (
           select from entity_history u where u.tenant_id = $1 and u.change_id = h.change_id and u.event = 'restored' and u.data ? 'undone') as undoable
       from entity_history h where h.tenant_id = $1 and h.entity_id = $2 order by h.id desc limit $3`,
      [tenant, id, limit],
    );
    return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  }

  /** Not by `keysetPage`: the place is looked up in the index of each type before the types are merged. */
  private async all(tenant: string, { type, limit, cursor }: EntityFilter): Promise<EntityPage<EntityRow>> {
    const after = cursor === undefined ? [] : readCursor(cursor, ['int', 'text']);
    const where = matching({ 'tenant_id = $': tenant, "status = 'active'": true, 'type = $': type });
    const total = await count(this.db.query, { from: 'entities', ...where });
    const rows = await this.db.query<EntityRow>(
      `${listedByType('($2::text is null or e.type = $2) and ($3::int is null or e.signal_count < $3 or (e.signal_count = $3 and e.id > $4))', '$5')}
       select ${entityColumns} from (select * from listed order by signal_count desc, id limit $5) l
       join entities e on e.tenant_id = $1 and e.id = l.id order by e.signal_count desc, e.id`,
      [tenant, type ?? null, after[0] ?? null, after[1] ?? null, limit + 1],
    );
    return { ...cut(rows, limit, (last) => writeCursor(String(last.signal_count), last.id)), total };
  }

  private async found(tenant: string, search: string, { type, ...paging }: EntityFilter): Promise<EntityPage<EntityRow>> {
    const key = nameKey(search);
    if (key === '') return { items: [], total: 0 };
    const scores = new Map(
      (await this.deps.lookup.similar(tenant, key)).flatMap((each) =>
        each.confidence >= alike ? [[each.entity_id, each.confidence]] : [],
      ),
    );
    const begun = await this.beginning(tenant, key, type);
    for (const id of begun) scores.set(id, Math.max(scores.get(id) ?? 0, 0.9));
    const rows = await this.db.query<EntityRow>(
      `select ${entityColumns} from entities e where e.tenant_id = $1 and e.id = any($2) and e.status = 'active' and ($3::text is null or e.type = $3)`,
      [tenant, [...scores.keys()], type ?? null],
    );
    const order = (row: EntityRow): number => scores.get(row.id) ?? 0;
    rows.sort((a, b) => order(b) - order(a) || b.signal_count - a.signal_count || (a.id < b.id ? -1 : 1));
    return { ...rankedPage(rows, paging), atLeast: begun.length >= searched };
  }

  /** Entities with a name that begins like this, or whose words begin like all of its words. */
  private async beginning(tenant: string, key: string, type: string | undefined): Promise<string[]> {
    const words = keyWords(key);
    const [block] = blocksOf(key)
      .filter((each) => each.startsWith('w:'))
      .toSorted((x, y) => y.length - x.length);
    const rows = await this.db.query<{ entity_id: string; key: string }>(
      `(select entity_id, key from entity_aliases where tenant_id = $1 and key ^@ $2 and ($4::text is null or type = $4) limit ${searched})
       union
       (select a.entity_id, a.key from (select type, key from entity_blocks where tenant_id = $1 and block ^@ $3 and ($4::text is null or type = $4)
          limit ${searched}) b join entity_aliases a on a.tenant_id = $1 and a.type = b.type and a.key = b.key where $3 <> '')`,
      [tenant, key, block ?? '', type ?? null],
    );
    const begins = (other: string): boolean => {
      const its = keyWords(other);
      return words.every((word) => its.some((each) => each.startsWith(word)));
    };
    return [...new Set(rows.filter((row) => begins(row.key)).map((row) => row.entity_id))];
  }
}

import type { Database } from '../../adapters/postgres/database.ts';
import { blocksOf } from '../../engines/text/names.ts';
import { vouched } from './vouched.ts';

type Query = Database['query'];

/** An entity for the matcher. */
export interface KnownEntity {
  id: string;
  type: string;
  certain: boolean;
  name: string;
  signals: number;
  /** Only phrases tell that it is a feature, and the tenant's features are known. */
  phrase?: boolean;
  /** All its names' keys. */
  keys: string[];
}

/** A block with more names is too common ("app", "customer"). */
const crowded = 200;
/** Maximum candidates of one name: those that share most blocks. */
const most = 25;

/** Entities of one batch and of the tenant, by name and by block. New ones are added as they are created. */
export class Candidates {
  private readonly byKey = new Map<string, KnownEntity[]>();
  private readonly byBlock = new Map<string, Set<KnownEntity>>();
  private readonly entities = new Map<string, KnownEntity>();

  /**
   * Loads all candidates for names with these keys.
   * @param features keys of the features, if they are known
   */
  static async load(query: Query, tenant: string, keys: readonly string[], features: ReadonlySet<string> | null): Promise<Candidates> {
    const candidates = new Candidates();
    const exact = await query<{ entity_id: string }>(
      'select distinct entity_id from entity_aliases where tenant_id = $1 and key = any($2)',
      [tenant, keys],
    );
    const blocks = [...new Set(keys.flatMap(blocksOf))];
    // Blocks are counted first, so that large ones are not read. Each name is looked up by itself: without statistics,
    // as in a tenant that was just filled, Postgres would read all names instead.
    const similar = await query<{ entity_id: string }>(
      `with small as materialized (select w.block from unnest($2::text[]) w(block)
         where (select count(*) from (select from entity_blocks c where c.tenant_id = $1 and c.block = w.block limit ${crowded + 1}) n) <= ${crowded})
       select distinct a.entity_id from small s
       cross join lateral (select type, key from entity_blocks b where b.tenant_id = $1 and b.block = s.block limit ${crowded}) b
       cross join lateral (select entity_id from entity_aliases a where a.tenant_id = $1 and a.type = b.type and a.key = b.key offset 0) a`,
      [tenant, blocks],
    );
    const ids = [...new Set([...exact, ...similar].map((row) => row.entity_id))];
    const rows = await query<{
      id: string;
      type: string;
      certain: boolean;
      name: string;
      signal_count: number;
      vouched: boolean;
      keys: string[];
    }>(
      `select e.id, e.type, e.certain, e.name, e.signal_count, e.type <> 'feature' or ${vouched} as vouched,
         (select array_agg(a.key order by a.key) from entity_aliases a where a.tenant_id = $1 and a.entity_id = e.id) as keys
       from entities e where e.tenant_id = $1 and e.id = any($2) and e.status = 'active' order by e.id`,
      [tenant, ids],
    );
    for (const { vouched: told, signal_count: signals, ...row } of rows) {
      const phrase = features !== null && !told && !row.keys.some((key) => features.has(key));
      candidates.add({ ...row, signals, phrase });
    }
    return candidates;
  }

  add(entity: KnownEntity): void {
    this.entities.set(entity.id, entity);
    for (const key of entity.keys) this.name(entity, key);
  }

  /** Adds a name to the entity. */
  addKey(entity: KnownEntity, key: string): void {
    if (!entity.keys.includes(key)) entity.keys.push(key);
    this.name(entity, key);
  }

  /** Entities with exactly this name; those with most evidence first. */
  named(key: string): KnownEntity[] {
    return (this.byKey.get(key) ?? []).toSorted((a, b) => b.signals - a.signals || (a.id < b.id ? -1 : 1));
  }

  /** Entities whose names share blocks with this one. */
  near(key: string): KnownEntity[] {
    const shared = new Map<KnownEntity, number>();
    for (const block of blocksOf(key)) {
      const of = this.byBlock.get(block);
      if (!of || of.size > crowded) continue;
      for (const entity of of) shared.set(entity, (shared.get(entity) ?? 0) + 1);
    }
    return [...shared]
      .sort(([a, n], [b, m]) => m - n || b.signals - a.signals || (a.id < b.id ? -1 : 1))
      .slice(0, most)
      .map(([entity]) => entity);
  }

  private name(entity: KnownEntity, key: string): void {
    const same = this.byKey.get(key) ?? [];
    if (!same.includes(entity)) this.byKey.set(key, [...same, entity]);
    for (const block of blocksOf(key)) {
      const of = this.byBlock.get(block) ?? new Set();
      of.add(entity);
      this.byBlock.set(block, of);
    }
  }
}

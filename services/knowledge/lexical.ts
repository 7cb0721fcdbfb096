import type { Logger } from 'pino';
import type { Database } from '../../adapters/postgres/database.ts';
import type { LexicalHit } from '../../engines/retrieval/fusion.ts';
import { Background, within } from './lexical-background.ts';
import { ScopeIndex } from '../../engines/retrieval/lexical-index.ts';
import { loadInto } from './lexical-load.ts';
import { byRareWords, idfsOfRareWords } from './lexical-pruned.ts';
import { idfsOf, score, type ScopeView } from '../../engines/retrieval/lexical-score.ts';
import { inTurns, merged } from '../../engines/retrieval/lexical-segment.ts';
import type { DocumentVersion, Look } from '../../engines/retrieval/lexical-look.ts';
import { activeDocuments, look, unchanged } from './lexical-sql.ts';
import { byWords, idfsByRows, type Scope } from './search-sql.ts';

type Query = Database['query'];
type Settled = ScopeIndex['settled'];

/** A scope in a search's snapshot, and its index. */
export interface Seen {
  look: Look;
  index: ScopeIndex | null;
  /** Set when the snapshot equals the settled state of the index. */
  settled: Settled;
}

export interface LexicalOptions {
  /** Total memory of all indexes. */
  maxMb: number;
  log?: Pick<Logger, 'warn'>;
  /** How long a search waits for an index before it uses Postgres, in ms. Default 300. */
  patienceMs?: number;
  /** Pause after a failure before a retry, in ms. Default 5,000. */
  retryMs?: number;
}

/**
 * Chunks that load within a search's patience, and chunks that a search may load for all others in its own
 * transaction.
 */
const worthWaiting = 10_000;
const inline = 1_000;
/** Up to this size Postgres scores exactly; beyond, rare words choose the candidates. */
const exactUpTo = 10_000;
const loadsAtOnce = 2;

const megabyte = 1024 * 1024;
/**
 * Estimated size of an index before it exists: postings, chunks, documents, and distinct words, which grow with the
 * square root of the text.
 */
const estimate = ({ terms, chunks, documents }: Look): number => terms * 4 + chunks * 32 + documents * 320 + 6_000 * Math.sqrt(terms);

/**
 * BM25 in memory: an index per knowledge base, read from the postings on first use and updated in each search's own
 * snapshot, so that it finds exactly what the tables contain. Scopes that are not loaded, or do not fit, are searched
 * in Postgres.
 */
export class LexicalIndexes {
  private readonly maxBytes: number;
  private readonly patience: number;
  private readonly retry: number;
  private readonly background: Background;
  /** Least recently used first. */
  private readonly indexes = new Map<string, ScopeIndex>();
  private readonly locks = new WeakMap<ScopeIndex, Promise<unknown>>();
  private readonly tidying = new WeakSet<ScopeIndex>();

  constructor(db: Database, { maxMb, log, patienceMs = 300, retryMs = 5_000 }: LexicalOptions) {
    this.maxBytes = maxMb * megabyte;
    this.patience = patienceMs;
    this.retry = retryMs;
    this.background = new Background(db, { atOnce: loadsAtOnce, retryMs, log });
  }

  /** Approximate memory of the indexes. */
  get bytes(): number {
    return [...this.indexes.values()].reduce((sum, index) => sum + index.bytes, 0);
  }

  /** Statistics of the scopes in this snapshot, in one statement, and the data that `search` needs. */
  async statistics(
    query: Query,
    tenant: string,
    scopes: readonly number[],
  ): Promise<Pick<Scope, 'hidden' | 'chunks' | 'averageTerms' | 'seen'>> {
    const seen = await this.look(query, tenant, scopes);
    const sum = (of: (seen: Look) => number): number => seen.reduce((total, each) => total + of(each.look), 0);
    const chunks = sum((each) => each.chunks);
    return {
      hidden: seen.flatMap((each) => each.look.hidden),
      chunks,
      averageTerms: chunks > 0 ? sum((each) => each.terms) / chunks : 0,
      seen,
    };
  }

  /**
   * Passages by their words; the fast form of `byWords`, with the same result.
   * @param query runs in a repeatable-read transaction, in which `scope` was read
   * @param terms each with its number of occurrences in the query, or another factor of its idf
   */
  async search(
    query: Query,
    scope: Scope,
    terms: ReadonlyMap<string, number>,
    limit: number,
  ): Promise<{ hits: LexicalHit[]; idfs: number[] }> {
    const views = await this.views(query, scope);
    if (views) return score(views, { ...scope, terms, limit });
    return await (scope.chunks <= exactUpTo ? byWords : byRareWords)(query, scope, terms, limit);
  }

  /** The idf of each term in this snapshot, in the given order; `query` and `scope` as for `search`. */
  async idfs(query: Query, scope: Scope, terms: readonly string[]): Promise<Map<string, number>> {
    const views = await this.views(query, scope);
    if (views) return idfsOf(views, terms, scope.chunks);
    return await (scope.chunks <= exactUpTo ? idfsByRows : idfsOfRareWords)(query, scope, terms);
  }

  private async look(query: Query, tenant: string, scopes: readonly number[]): Promise<Seen[]> {
    const indexes = scopes.map((scope) => this.indexes.get(key(tenant, scope)) ?? null);
    const settled = indexes.map((index) => index?.settled ?? null);
    const known = settled.flatMap((each) => (each ? [{ scope: each.look.scope, horizon: each.horizon, rows: each.look.rows }] : []));
    if (scopes.length > 0 && known.length === scopes.length && (await unchanged(query, tenant, known))) {
      return settled.map((each, i) => ({ look: each!.look, index: indexes[i]!, settled: each }));
    }
    const looks = await look(
      query,
      tenant,
      scopes.map((scope, i) => ({ scope, horizon: indexes[i]?.horizon ?? null })),
    );
    return looks.map((each) => ({ look: each, index: indexes[scopes.indexOf(each.scope)] ?? null, settled: null }));
  }

  /**
   * Each scope's index as of the snapshot.
   * @returns null when Postgres must be searched
   */
  private async views(query: Query, scope: Scope): Promise<ScopeView[] | null> {
    const { tenant, scopes } = scope;
    let seen = scope.seen ?? (await this.look(query, tenant, scopes));
    if (seen.some(lacksIndex)) {
      if (!(await this.loaded(tenant, seen))) return null;
      // The index may be older or newer than this snapshot.
      seen = await this.look(query, tenant, scopes);
      if (seen.some(lacksIndex)) return null;
    }
    const used = seen.flatMap(({ index, ...rest }) => (index ? [{ index, ...rest }] : []));
    for (const { index } of used) this.touch(tenant, index);
    const all = new Map<ScopeIndex, DocumentVersion[]>();
    for (let attempt = 0; attempt < 4; attempt += 1) {
      for (const each of used) {
        if (each.settled !== null && each.settled === each.index.settled) continue;
        if (!(await this.catchUp(query, tenant, each.index, each.look, all.get(each.index)))) return null;
      }
      // No await from here until all is scored: others could add to an index.
      const views = used.map(({ index, look: told, settled }): ScopeView | ScopeIndex => {
        if (settled !== null && settled === index.settled) return { index, hidden: settled.hidden };
        const documents = all.get(index);
        const hidden = documents ? index.hiddenBut(told, documents).hidden : index.hidden(told);
        return hidden === 'needsAll' ? index : { index, hidden };
      });
      const unsure = views.filter((view) => view instanceof ScopeIndex);
      if (unsure.length === 0) return views as ScopeView[];
      for (const index of unsure) all.set(index, await activeDocuments(query, tenant, index.scope));
    }
    return null;
  }

  /** Whether all indexes are loaded in time. */
  private async loaded(tenant: string, seen: readonly Seen[]): Promise<boolean> {
    // Others may have loaded it since the look.
    const wanted = seen.filter((each) => lacksIndex(each) && !this.indexes.has(key(tenant, each.look.scope)));
    if (seen.reduce((sum, each) => sum + (each.index?.bytes ?? estimate(each.look)), 0) > this.maxBytes) return false;
    const loads = wanted.flatMap((each) => this.load(tenant, each.look.scope) ?? []);
    if (loads.length < wanted.length || wanted.some((each) => each.look.chunks > worthWaiting)) return false;
    return (await within(Promise.all(loads), this.patience))?.every((done) => done === true) ?? false;
  }

  /**
   * Adds everything in the snapshot to the index.
   * @returns false when that takes too long
   */
  private async catchUp(query: Query, tenant: string, index: ScopeIndex, seen: Look, all: DocumentVersion[] | undefined): Promise<boolean> {
    const missing = (): DocumentVersion[] => (all ? index.hiddenBut(seen, all).missing : index.note(seen));
    const found = missing();
    if (found.length > 0) {
      const many = found.reduce((sum, version) => sum + version.chunks, 0) > inline;
      const load = async (): Promise<void> => {
        const left = missing();
        if (left.length > 0) await loadInto(query, tenant, index, seen, left);
      };
      const started = many ? this.advance(tenant, index) : this.exclusively(index, load, this.patience);
      if (started === null || (await within(started, many ? this.patience : Infinity)) !== true || missing().length > 0) return false;
      this.tidy(tenant, index);
    }
    index.caughtUp(seen);
    return true;
  }

  /**
   * Loads a scope's index in the background.
   * @returns null when it is not retried yet
   */
  private load(tenant: string, scope: number): Promise<boolean> | null {
    const name = key(tenant, scope);
    return this.background.run(name, tenant, async (query) => {
      const [seen] = await look(query, tenant, [{ scope, horizon: null }]);
      const index = new ScopeIndex(scope);
      await loadInto(query, tenant, index, seen!, await activeDocuments(query, tenant, scope));
      index.caughtUp(seen!);
      this.indexes.delete(name);
      this.indexes.set(name, index);
      this.evict(name);
    });
  }

  /** Adds large changes in the background. */
  private advance(tenant: string, index: ScopeIndex): Promise<boolean> | null {
    return this.background.run(`${key(tenant, index.scope)} advance`, tenant, async (query) => {
      const [seen] = await look(query, tenant, [{ scope: index.scope, horizon: index.horizon }]);
      await this.exclusively(index, async () => {
        const missing = index.note(seen!);
        if (missing.length > 0) await loadInto(query, tenant, index, seen!, missing);
        index.caughtUp(seen!);
      });
    });
  }

  /** @returns false when others kept it busy for longer than `patience` ms */
  private async exclusively(index: ScopeIndex, work: () => Promise<void>, patience = Infinity): Promise<boolean> {
    const until = performance.now() + patience;
    for (let busy = this.locks.get(index); busy; busy = this.locks.get(index)) {
      if ((await within(busy, until - performance.now())) === null) return false;
    }
    const running = work();
    // Resolves for waiters, whatever the result.
    this.locks.set(
      index,
      running.then(
        () => true,
        () => true,
      ),
    );
    try {
      await running;
      return true;
    } finally {
      this.locks.delete(index);
    }
  }

  private touch(tenant: string, index: ScopeIndex): void {
    const name = key(tenant, index.scope);
    if (this.indexes.get(name) !== index) return;
    this.indexes.delete(name);
    this.indexes.set(name, index);
  }

  /** After additions: merges small segments, drops dead entries, and limits memory. */
  private tidy(tenant: string, index: ScopeIndex): void {
    this.evict(key(tenant, index.scope));
    if (index.deadChunks > 2_000 && index.deadChunks > index.chunks / 4) void this.load(tenant, index.scope);
    const parts = index.small();
    if (parts.length === 0 || this.tidying.has(index)) return;
    this.tidying.add(index);
    void inTurns(merged(parts))
      .then((segment) => index.replace(parts, segment))
      .finally(() => this.tidying.delete(index));
  }

  /** @param newest is evicted last, but also if it alone is too big */
  private evict(newest: string): void {
    for (const name of [...this.indexes.keys()].filter((each) => each !== newest).concat(newest)) {
      if (this.bytes <= this.maxBytes) return;
      this.indexes.delete(name);
      if (name === newest) this.background.postpone(name, 60 * this.retry);
    }
  }
}

/** Certain that no passage of these scopes is of a conversation; false also when that is not known. */
export const noConversation = (seen: readonly Seen[] | undefined): boolean =>
  seen?.every(({ index, settled }) => settled !== null && index?.conversations === false) ?? false;

const key = (tenant: string, scope: number): string => `${tenant}/${scope}`;
const lacksIndex = (seen: Seen): boolean => seen.index === null && seen.look.documents > 0;

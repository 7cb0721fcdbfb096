import type { Evidence, Fact } from '../../contracts/graph/graph.ts';
import { fuse, type LexicalHit, type Ranked } from '../../engines/retrieval/fusion.ts';
import { bm25, idf, termFrequencies, terms } from '../../engines/retrieval/terms.ts';
import { distancesFrom, queryVector } from './search-nodes.ts';
import { factsCountedInScope } from './scoped-counts.ts';
import { factCandidates, factEvidence, factOf, factsByMeaning, type FactRow, type When } from './search-facts-sql.ts';
import { Service } from '../kernel/service.ts';

export interface FactQuery {
  query: string;
  limit: number;
  /** Facts that held at this time; default: now. ISO. */
  asOf?: string | undefined;
  /** With the knowledge of this time. ISO. */
  knownAt?: string | undefined;
  /** Also facts that no longer hold, after those that do. Default true; ignored with `asOf`. */
  includeClosed?: boolean | undefined;
  /** An entity: facts close to it come first. */
  center?: string | undefined;
}

export interface FoundFact extends Fact {
  /** 0 to 1, comparable within one answer. */
  score: number;
  /** Whether it holds at the requested time. */
  holds: boolean;
}

/** Factor on the score of a fact that no longer holds. */
const closedShare = 0.6;
/** Facts ordered by distance from the centre, per wanted fact. */
const aroundCenter = 5;

/** Finds dated facts by words and meaning. */
export class FactSearch extends Service<'embedder'> {
  /**
   * Best first; current facts before ended ones.
   * @returns warnings when something was left out
   */
  async search(tenant: string, asked: FactQuery): Promise<{ facts: FoundFact[]; warnings: string[] }> {
    const { query } = this.db;
    const when: When = {
      asOf: asked.asOf ?? null,
      knownAt: asked.knownAt ?? null,
      closedToo: asked.asOf === undefined && asked.includeClosed !== false,
    };
    const warnings: string[] = [];
    const vector = await queryVector(this.deps.embedder, asked.query, warnings);
    const wanted = terms(asked.query);
    const [byWords, near] = await Promise.all([
      factCandidates(query, tenant, wanted, asked.query, when),
      vector ? factsByMeaning(query, tenant, vector, when) : Promise.resolve([]),
    ]);
    const rows = new Map([...byWords, ...near].map((row) => [row.id, row]));
    const { hits, idfs } = lexical(wanted, [...rows.values()]);
    const dense: Ranked[] = near.map(({ id, cosine }) => ({ id, score: cosine }));
    let scored = fuse(hits, dense, { idfs })
      .map(({ id, score }) => ({ row: rows.get(id)!, score: score * (rows.get(id)!.holds ? 1 : closedShare) }))
      .sort((a, b) => b.score - a.score || (a.row.id < b.row.id ? -1 : 1));
    if (asked.center !== undefined) {
      const some = scored.slice(0, asked.limit * aroundCenter);
      const away = await distancesFrom(
        query,
        tenant,
        asked.center,
        some.flatMap(({ row }) => endsOf(row)),
      );
      const distance = (row: FactRow): number => Math.min(...endsOf(row).map((id) => away.get(id)!));
      scored = some.sort((a, b) => distance(a.row) - distance(b.row) || b.score - a.score);
    }
    const best = scored.slice(0, asked.limit);
    const evidence = await factEvidence(
      query,
      tenant,
      best.map(({ row }) => row.id),
    );
    const found = best.map(({ row, score }) => view(row, score, evidence.get(row.id) ?? []));
    const facts = await factsCountedInScope(query, tenant, found);
    return { facts: [...facts.filter((fact) => fact.holds), ...facts.filter((fact) => !fact.holds)], warnings };
  }
}

const endsOf = ({ subject_id, object_id }: FactRow): string[] => (object_id === null ? [subject_id] : [subject_id, object_id]);

/** BM25 over the candidates: their statements and subjects. */
function lexical(wanted: readonly string[], rows: readonly FactRow[]): { hits: LexicalHit[]; idfs: number[] } {
  const texts = rows.map((row) => {
    const words = [row.statement, row.predicate.replaceAll('_', ' '), row.subject_name, row.object_name ?? row.object_text ?? ''];
    const frequencies = termFrequencies(words.join(' '));
    return { id: row.id, frequencies, length: [...frequencies.values()].reduce((a, b) => a + b, 0) };
  });
  const average = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length);
  const holding = (term: string): number => texts.filter((text) => text.frequencies.has(term)).length;
  const df = new Map([...new Set(wanted)].map((term) => [term, holding(term)]));
  const idfs = wanted.map((term) => idf(df.get(term)!, texts.length));
  const whole = idfs.reduce((a, b) => a + b, 0) || 1;
  const hits = texts.flatMap(({ id, frequencies, length }): LexicalHit[] => {
    let score = 0;
    for (const [term, n] of df) {
      const tf = frequencies.get(term);
      if (tf) score += bm25(tf, length, average, n, texts.length);
    }
    const has = wanted.reduce((sum, term, i) => sum + (frequencies.has(term) ? idfs[i]! : 0), 0);
    return score > 0 ? [{ id, score, coverage: has / whole }] : [];
  });
  return { hits: hits.sort((a, b) => b.score - a.score), idfs };
}

const view = (row: FactRow, score: number, evidence: Evidence[]): FoundFact => ({
  ...factOf(row, evidence),
  score: Math.round(score * 1000) / 1000,
});

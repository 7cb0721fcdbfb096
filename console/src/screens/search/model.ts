/** Pure: why passages are in their order. */
import type { SearchHit } from '../../../../contracts/knowledge/knowledge.ts';
import type { Trajectory } from '../../../../contracts/knowledge/trajectory.ts';

/** One retriever's say about a passage. */
export interface Retriever {
  name: 'words' | 'meaning' | 'graph' | 'rerank';
  score: number;
  /** 1 is the best; absent: this retriever ranks nothing. */
  rank?: number;
  /** 0 to 1, compared with the best of all passages shown. */
  share: number;
}

const fields = [
  ['words', 'bm25', 'bm25_rank'],
  ['meaning', 'cosine', 'cosine_rank'],
  ['graph', 'graph', ''],
  ['rerank', 'rerank', ''],
] as const;

/** What each retriever said about each passage, by citation; figures are those of the trajectory. */
export function retrieversOf({ sources }: Pick<Trajectory, 'sources'>): Map<string, Retriever[]> {
  const best = new Map(fields.map(([, field]) => [field, Math.max(0, ...sources.map(({ scores }) => scores?.[field] ?? 0))]));
  return new Map(
    sources.map(({ id, scores = {} }) => [
      id,
      fields.flatMap(([name, field, rankField]) => {
        const score = scores[field];
        if (score === undefined) return [];
        const most = best.get(field)!;
        const rank = scores[rankField];
        return { name, score, share: most > 0 ? Math.max(0, score) / most : 0, ...(rank === undefined ? {} : { rank }) };
      }),
    ]),
  );
}

const given = (scores: SearchHit['metadata']['scores']): Record<string, number> =>
  Object.fromEntries(Object.entries(scores).flatMap(([name, score]) => (score === undefined ? [] : [[name, score]])));

/** What the answer itself tells, until its trajectory is there. */
export const scoresOf = (hits: readonly SearchHit[]): Map<string, Retriever[]> =>
  retrieversOf({ sources: hits.map(({ citation, metadata }) => ({ type: 'chunk', id: citation, scores: given(metadata.scores) })) });

export interface Filters {
  kb: string;
  tag: string;
  code: string;
  graph: string;
  mode: string;
}

/** The chosen filters as chips, each with the change that removes it. */
export function chipsOf({ kb, tag, code, graph, mode }: Filters): { text: string; off: Partial<Filters> }[] {
  return [
    ...(kb === '' ? [] : [{ text: `base ${kb}`, off: { kb: '' } }]),
    ...(tag === '' ? [] : [{ text: `tag ${tag}`, off: { tag: '' } }]),
    ...(code === '' ? [] : [{ text: 'with code', off: { code: '' } }]),
    ...(graph === '' ? [] : [{ text: 'over the graph', off: { graph: '' } }]),
    ...(mode === 'hybrid' ? [] : [{ text: 'by meaning only', off: { mode: 'hybrid' } }]),
  ];
}

/** Arguments of index.chunk.search. */
export const searchArgs = (query: string, { kb, tag, code, graph, mode }: Filters): object => ({
  query,
  mode,
  limit: 25,
  include_matches: true,
  ...(graph === '' ? {} : { include_graph: true }),
  ...(kb === '' && tag === '' && code === ''
    ? {}
    : {
        filters: {
          ...(kb === '' ? {} : { kb_id: kb }),
          ...(tag === '' ? {} : { tags: [tag] }),
          ...(code === '' ? {} : { has_code: true }),
        },
      }),
});

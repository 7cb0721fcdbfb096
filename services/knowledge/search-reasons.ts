import type { TrajectoryStep } from '../../contracts/knowledge/trajectory.ts';
import type { Fused, LexicalHit, Ranked, Weights } from '../../engines/retrieval/fusion.ts';
import type { Decision } from '../../engines/retrieval/whole-query.ts';
import { citationOf } from './rules.ts';
import type { Expanded } from './search-graph.ts';
import type { FoundChunk, Scope } from './search-sql.ts';
import { rounded } from './search-view.ts';

/** Explains a search in plain words: plan and steps of its trajectory. */
export class Reasons {
  readonly plan: string[] = [];
  readonly steps: TrajectoryStep[] = [];

  private add(plan: string, thought: string, data?: Record<string, unknown>): void {
    this.plan.push(plan);
    this.steps.push({ thought, ...(data ? { data } : {}) });
  }

  scope(scope: Scope, filters: object): void {
    const given = Object.entries(filters as Record<string, unknown>).filter(
      ([, value]) => value !== undefined && (!Array.isArray(value) || value.length > 0),
    );
    const named = given.map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(', ') : String(value)}`).join('; ');
    this.add(
      'Settle what is searched',
      `${scope.chunks} passages in ${scope.scopes.length} knowledge ${scope.scopes.length === 1 ? 'base' : 'bases'} may be found${named ? `, of those only what the filters let through: ${named}` : ''}${scope.sources ? ` (${scope.sources.length} sources)` : ''}.`,
      { passages: scope.chunks, ...(given.length > 0 ? { filters: Object.fromEntries(given) } : {}) },
    );
  }

  byWords(terms: ReadonlyMap<string, number>, hits: readonly LexicalHit[]): void {
    const [best] = hits;
    this.add(
      'Search by words (BM25)',
      best
        ? `By words (${[...terms.keys()].slice(0, 12).join(', ')}${terms.size > 12 ? ', …' : ''}): ${counted(hits.length)}; the best has a BM25 score of ${best.score.toFixed(2)} and ${percent(best.coverage)} of the query.`
        : 'By words: no passage has any word of the query.',
      { terms: terms.size, candidates: hits.length, ...(best ? { best: rounded(best.score), coverage: rounded(best.coverage) } : {}) },
    );
  }

  byMeaning(model: string, hits: readonly Ranked[]): void {
    const [best] = hits;
    this.add(
      'Search by meaning (vectors)',
      best
        ? `By meaning (${model}): ${counted(hits.length)} with cosine similarities from ${best.score.toFixed(3)} to ${hits.at(-1)!.score.toFixed(3)}.`
        : `By meaning (${model}): no passage has a vector.`,
      { model, candidates: hits.length, ...(best ? { best: rounded(best.score), last: rounded(hits.at(-1)!.score) } : {}) },
    );
  }

  fused(weights: Weights, candidates: number): void {
    const { coverage, overlooked, spread } = weights;
    const words =
      coverage >= 0.66 ? 'have nearly all of the query' : coverage >= 0.33 ? 'have part of the query' : 'have little of the query';
    const meaning =
      spread >= 0.2 ? 'tell passages apart well' : spread >= 0.12 ? 'tell passages apart somewhat' : 'hardly tell passages apart';
    this.add(
      'Fuse both, weighed for this query',
      `The best passages by words ${words} (${percent(coverage)}), and the cosines ${meaning} (${spread.toFixed(3)} from first to last)${overlooked ? ', but overlook the passages that have the whole query' : ''}: words count ${percent(weights.lexical)}, meaning ${percent(weights.dense)}.`,
      {
        weight_words: rounded(weights.lexical),
        weight_meaning: rounded(weights.dense),
        coverage: rounded(coverage),
        spread: rounded(spread),
        candidates,
      },
    );
  }

  /** @param added best first; empty: none were added */
  widened(why: string, added: readonly string[]): void {
    this.add(
      'Add words of the best passages',
      added.length > 0
        ? `Searched by words again, with words that the best passages share (${added.join(', ')}), because ${why}.`
        : `No words of the best passages were added, because ${why}.`,
      { added: [...added] },
    );
  }

  threshold(threshold: number, kept: number, of: number): void {
    this.add('Apply the similarity threshold', `${kept} of ${counted(of)} stay at a similarity of at least ${threshold}.`, {
      threshold,
      kept,
      candidates: of,
    });
  }

  /** @param ranked after sharing */
  beside(ranked: readonly Fused[]): void {
    const moved = ranked.filter((hit) => hit.beside !== undefined);
    const fresh = moved.filter((hit) => !hit.lexical && !hit.dense).length;
    this.add(
      'Look beside what was found in conversations',
      moved.length === 0
        ? 'In conversations: nothing stands beside the best passages.'
        : `In conversations: ${moved.length} ${moved.length === 1 ? 'passage counts' : 'passages count'} more for what stands beside ${moved.length === 1 ? 'it' : 'them'} or who speaks, ${fresh} of them not found before.`,
      { beside: moved.length, fresh },
    );
  }

  second({ run, why }: Decision): void {
    this.add('Decide about a second round', `${run ? 'A second round follows names and titles' : 'No second round'}, because ${why}.`, {
      second_round: run,
    });
  }

  /** @param ranked after following the graph */
  linked({ asked, rounds }: Pick<Expanded, 'asked' | 'rounds'>, ranked: readonly Fused[], chunks: ReadonlyMap<string, FoundChunk>): void {
    const led = ranked.filter((hit) => hit.graph !== undefined);
    const by = [...new Set(led.map((hit) => hit.graph!.by))].slice(0, 5);
    const cited = (id: string): string | undefined => {
      const chunk = chunks.get(id);
      return chunk && citationOf(chunk.document_id, chunk.ordinal);
    };
    const paths = led.slice(0, 10).flatMap((hit) => {
      const to = cited(hit.id);
      const from = cited(hit.graph!.from);
      return to ? [{ to, ...(from ? { from } : {}), by: hit.graph!.by, share: rounded(hit.graph!.share) }] : [];
    });
    const fresh = led.filter((hit) => !hit.lexical && !hit.dense).length;
    const about = asked.length > 0 ? ` speak of ${asked.slice(0, 5).join(', ')}, as the query does, and` : '';
    this.add(
      'Follow the graph to further passages',
      led.length === 0
        ? 'By the graph: the best passages lead to no others by a telling name, so the order stays.'
        : `By the graph: the best passages${about} lead by ${by.join(', ')} to ${led.length} ${led.length === 1 ? 'passage' : 'passages'}, ${fresh} of them not found before${rounds > 1 ? '; some in two steps' : ''}.`,
      { asked: asked.slice(0, 10), led: led.length, rounds, paths },
    );
  }

  reranked(id: string, count: number, moved: number): void {
    this.add('Rerank', `${id} read the query with each of the first ${count} passages; ${moved} changed their place.`, {
      reranker: id,
      count,
      moved,
    });
  }

  notReranked(why: string): void {
    this.add('Rerank', `Not reranked: ${why}`);
  }

  returned(count: number, best: number | undefined): void {
    this.add(
      'Answer with the best',
      count === 0
        ? 'Nothing was found.'
        : `${count} ${count === 1 ? 'passage' : 'passages'} returned, the best with a score of ${best!.toFixed(3)}.`,
    );
  }
}

const counted = (candidates: number): string => `${candidates} ${candidates === 1 ? 'candidate' : 'candidates'}`;
const percent = (share: number): string => `${Math.round(100 * share)} %`;

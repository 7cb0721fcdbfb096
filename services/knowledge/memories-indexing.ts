import type { Block } from '../../adapters/parsers/types.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import { chunk } from '../../engines/retrieval/chunking.ts';
import { termFrequencies, terms } from '../../engines/retrieval/terms.ts';
import { Service } from '../kernel/service.ts';
import type { Indexed } from './memories-index.ts';
import type { NewMemory } from './memories-records.ts';
import { vectorText } from './records.ts';

/** How long a save waits for its vectors, in ms: the words are saved in any case. */
const embedWithin = 5_000;
/** Memories that one sweep completes. */
const perSweep = 200;

type Prepared = Omit<Indexed, 'id'> & Pick<NewMemory, 'terms' | 'vector'>;

/** Computes what a memory is found by. */
export class MemoryIndexing extends Service<'embedder'> {
  /** @param warnings why there is no vector is added to them */
  async prepared(
    tenant: string,
    { key, content, category }: { key: string; content: string; category: string },
    warnings: string[],
  ): Promise<Prepared> {
    const known = await this.db.query(
      'select 1 from memories where tenant_id = $1 and coalesce(key, id) = $2 and valid_to is null and (expires_at is null or expires_at > now())',
      [tenant, key],
    );
    const chunks = chunk({ format: 'memory', metadata: {}, blocks: blocksOf(content) });
    const vectors = known.length > 0 ? null : await this.vectorsOf(chunks, warnings);
    return {
      category,
      title: titleOf(content),
      contentHash: hashOf(content),
      passages: chunks.map((passage, i) => ({
        chunk: passage,
        frequencies: termFrequencies(passage.text),
        vector: vectors?.made[i] ?? null,
      })),
      model: vectors?.model ?? null,
      terms: terms(content),
      vector: vectors ? mean(vectors.made) : null,
    };
  }

  /** Completes memories that were saved before words and vectors stood with them, or with another model. @returns how many */
  async tend(tenant: string): Promise<number> {
    const { embedder } = this.deps;
    const model = embedder?.id ?? null;
    const rows = await this.db.query<{ id: string; content: string }>(
      `select id, content from memories where tenant_id = $1 and (terms = '{}' or ($2::text is not null and model is distinct from $2))
       order by created_at desc limit ${perSweep}`,
      [tenant, model],
    );
    for (const { id, content } of rows) {
      const chunks = chunk({ format: 'memory', metadata: {}, blocks: blocksOf(content) });
      const made = embedder
        ? await embedder.embed(
            chunks.map((passage) => passage.text),
            { priority: 'batch' },
          )
        : [];
      await this.db.query(
        `update memories set terms = $3, model = coalesce($4, model), embedding = coalesce($5::halfvec, embedding)
         where tenant_id = $1 and id = $2`,
        [
          tenant,
          id,
          terms(content).map((term) => term.toWellFormed()),
          made.length > 0 ? model : null,
          made.length > 0 ? vectorText(mean(made)) : null,
        ],
      );
    }
    return rows.length;
  }

  private async vectorsOf(
    chunks: readonly { text: string }[],
    warnings: string[],
  ): Promise<{ made: Float32Array[]; model: string } | null> {
    if (!this.deps.embedder) {
      warnings.push('No embedding model is available: this memory is found by its words, not by meaning.');
      return null;
    }
    try {
      const texts = chunks.map((passage) => passage.text);
      const made = await this.deps.embedder.embed(texts, { priority: 'query', signal: AbortSignal.timeout(embedWithin) });
      return { made, model: this.deps.embedder.id };
    } catch (error) {
      const why = error instanceof AppError ? error.message : 'the embedding model did not answer in time.';
      warnings.push(`Saved, but for now found by its words only: ${why}`);
      return null;
    }
  }
}

/** The vector of a memory of several passages: their mean, of length 1. */
function mean(vectors: readonly Float32Array[]): Float32Array {
  if (vectors.length === 1) return vectors[0]!;
  const sum = new Float32Array(vectors[0]!.length);
  for (const vector of vectors) for (let i = 0; i < sum.length; i += 1) sum[i]! += vector[i]!;
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}

/** Splits into paragraphs, so that a long memory is cut between them. */
function blocksOf(content: string): Block[] {
  let line = 1;
  return content.split(/(\n\s*\n)/).flatMap((text) => {
    const place = { line };
    line += text.split('\n').length - 1;
    return text.trim() === '' ? [] : [{ kind: 'paragraph' as const, text, place }];
  });
}

function titleOf(content: string): string {
  const [first = ''] = content.split('\n', 1);
  return first.length <= 80 ? first : `${first.slice(0, 79).toWellFormed()}…`;
}

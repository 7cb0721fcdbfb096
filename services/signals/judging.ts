import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Draft, Judge } from '../../engines/evidence/types.ts';
import type { SignalClassifiers } from './classifiers.ts';
import type { Judging } from './judged.ts';

export interface DocumentJudge {
  judge: Judge;
  /** Names the models and corrections. */
  classifier: string;
  /** Embedding model of the vectors; null: judged by words. */
  readonly model: string | null;
  /** Of a text that was judged. */
  vectorOf(text: string): Float32Array | null;
}

/** Texts embedded together. */
const embeddedAtOnce = 32;
const embedWithin = 60_000;

/** Judges the drafts of one document with the tenant's classifier. Vectors of its former signals are used again. */
export async function judgeOf(
  { db, embedder, classifiers }: { db: Database; embedder: Embedder | null; classifiers: SignalClassifiers },
  tenant: string,
  documentId: string,
  { beat, signal }: Pick<Judging, 'beat' | 'signal'>,
): Promise<DocumentJudge> {
  const vectors = new Map<string, Float32Array>();
  let model = embedder?.id ?? null;
  if (model !== null) {
    const rows = await db.query<{ statement: string; embedding: string }>(
      'select statement, embedding::text from signals where tenant_id = $1 and document_id = $2 and model = $3 and embedding is not null',
      [tenant, documentId, model],
    );
    for (const row of rows) vectors.set(row.statement, Float32Array.from(JSON.parse(row.embedding) as number[]));
  }
  const embed = async (texts: readonly string[]): Promise<void> => {
    const missing = [...new Set(texts)].filter((text) => text !== '' && !vectors.has(text));
    for (let from = 0; from < missing.length; from += embeddedAtOnce) {
      beat();
      signal.throwIfAborted();
      const slice = missing.slice(from, from + embeddedAtOnce);
      const made = await embedder!.embed(slice, { priority: 'batch', signal: AbortSignal.timeout(embedWithin) });
      // Rounded as stored, so that new and reused vectors are equal.
      slice.forEach((text, i) => vectors.set(text, made[i]!.map(Math.f16round)));
    }
  };
  const encoder = model === null ? undefined : embedder!.encoder;
  const encode = async (drafts: readonly Draft[]): Promise<Float32Array[]> => {
    const encoded: Float32Array[] = [];
    for (let from = 0; from < drafts.length; from += embeddedAtOnce) {
      beat();
      signal.throwIfAborted();
      const slice = drafts.slice(from, from + embeddedAtOnce).map(({ text, context }) => ({ text, context }));
      encoded.push(...(await encoder!.encode(slice, { priority: 'batch', signal: AbortSignal.timeout(embedWithin) })));
    }
    return encoded;
  };
  const of = (text: string): Float32Array | null => (model === null ? null : (vectors.get(text) ?? null));
  const classifier = await classifiers.of(tenant, model, { pause, encoder: encoder?.id });
  const byWords = model === null ? classifier : await classifiers.of(tenant, null, { pause });
  return {
    get classifier() {
      return model === null ? byWords.id : classifier.id;
    },
    get model() {
      return model;
    },
    vectorOf: of,
    async judge(drafts) {
      let encoded: Float32Array[] = [];
      try {
        if (model !== null) await embed(drafts.map(({ text }) => text));
        if (encoder && classifier.encodes) encoded = await encode(drafts);
      } catch (error) {
        if (!(error instanceof AppError) && !(error instanceof Error && error.name === 'TimeoutError')) throw error;
        model = null;
        encoded = [];
      }
      const shares = [];
      for (const [i, { text, context }] of drafts.entries()) {
        const statement = { text, vector: of(text), context, encoded: encoded[i] ?? null };
        shares.push((model === null ? byWords : classifier).judge(statement));
        if (i % 50 === 49) {
          beat();
          await pause();
        }
      }
      return shares;
    },
  };
}

/** Yield to the event loop: this process also serves claims. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Draft, Judge, Shares } from '../../engines/evidence/types.ts';
import { kindOf, type SignalClassifiers } from './classifiers.ts';
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

interface JudgingDeps {
  db: Database;
  /** Makes the vectors of signals. */
  embedder: Embedder | null;
  /** Of the shipped classifier, if the embedder is another model. Default: the embedder. */
  localEmbedder?: Embedder | null | undefined;
  classifiers: SignalClassifiers;
}

/**
 * Judges the drafts of one document with the tenant's classifier. Vectors of its former signals are used again. The shipped
 * classifier knows the vectors of its own model only: where signals have another one's, it gets vectors for itself.
 */
export async function judgeOf(
  { db, embedder, localEmbedder, classifiers }: JudgingDeps,
  tenant: string,
  documentId: string,
  { beat, signal }: Pick<Judging, 'beat' | 'signal'>,
): Promise<DocumentJudge> {
  const told = { beat, signal };
  const own = new Texts(embedder, told);
  if (own.model !== null) {
    const rows = await db.query<{ statement: string; embedding: string }>(
      'select statement, embedding::text from signals where tenant_id = $1 and document_id = $2 and model = $3 and embedding is not null',
      [tenant, documentId, own.model],
    );
    for (const row of rows) own.keep(row.statement, Float32Array.from(JSON.parse(row.embedding) as number[]));
  }
  const local = kindOf(own.model) === 'vector' ? null : (localEmbedder ?? null);
  const judging = local !== null && kindOf(idOf(local)) === 'vector' ? new Texts(local, told) : own;
  const encoder = judging.embedder?.encoder;
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
  const classifier = await classifiers.of(tenant, judging.model, { pause, encoder: encoder?.id });
  const byWords = judging.model === null ? classifier : await classifiers.of(tenant, null, { pause });
  const current = () => (judging.model === null ? byWords : classifier);
  const sharesOf = async (drafts: readonly Draft[], share: (draft: Draft, i: number) => Shares): Promise<Shares[]> => {
    const shares = [];
    for (const [i, draft] of drafts.entries()) {
      shares.push(share(draft, i));
      if (i % 50 === 49) {
        beat();
        await pause();
      }
    }
    return shares;
  };
  return {
    get classifier() {
      return current().id;
    },
    get model() {
      return own.model;
    },
    vectorOf: (text) => own.of(text),
    async judge(drafts, by) {
      if (by === 'words') return await sharesOf(drafts, ({ text, context }) => byWords.judge({ text, vector: null, context }));
      const texts = drafts.map(({ text }) => text);
      let encoded: Float32Array[] = [];
      await judging.embed(texts);
      if (own !== judging) await own.embed(texts);
      if (judging.model !== null && encoder && classifier.encodes) {
        encoded = await encode(drafts).catch((error: unknown) => {
          judging.giveUp(error);
          return [];
        });
      }
      return await sharesOf(drafts, ({ text, context }, i) =>
        current().judge({ text, vector: judging.of(text), context, encoded: encoded[i] ?? null }),
      );
    },
  };
}

/** Vectors of one model. When it cannot be used, there are none from then on. */
class Texts {
  readonly embedder: Embedder | null;
  model: string | null;
  private readonly vectors = new Map<string, Float32Array>();
  private readonly told: Pick<Judging, 'beat' | 'signal'>;

  constructor(embedder: Embedder | null, told: Pick<Judging, 'beat' | 'signal'>) {
    this.embedder = embedder;
    this.model = embedder?.id ?? null;
    this.told = told;
  }

  keep(text: string, vector: Float32Array): void {
    this.vectors.set(text, vector);
  }

  of(text: string): Float32Array | null {
    return this.model === null ? null : (this.vectors.get(text) ?? null);
  }

  async embed(texts: readonly string[]): Promise<void> {
    if (this.model === null) return;
    const missing = [...new Set(texts)].filter((text) => text !== '' && !this.vectors.has(text));
    for (let from = 0; from < missing.length; from += embeddedAtOnce) {
      this.told.beat();
      this.told.signal.throwIfAborted();
      const slice = missing.slice(from, from + embeddedAtOnce);
      try {
        const made = await this.embedder!.embed(slice, { priority: 'batch', signal: AbortSignal.timeout(embedWithin) });
        // Rounded as stored, so that new and reused vectors are equal.
        slice.forEach((text, i) => this.vectors.set(text, made[i]!.map(Math.f16round)));
      } catch (error) {
        this.giveUp(error);
        return;
      }
    }
  }

  /** @throws what is a defect */
  giveUp(error: unknown): void {
    if (!(error instanceof AppError) && !(error instanceof Error && error.name === 'TimeoutError')) throw error;
    this.model = null;
  }
}

/** Null: its files cannot be read. */
function idOf(embedder: Embedder): string | null {
  try {
    return embedder.id;
  } catch {
    return null;
  }
}

/** Yield to the event loop: this process also serves claims. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The shipped classifier as a judge of statements. Vectors are kept in the temporary folder, so that a second run takes seconds. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Embedder } from '../adapters/models/embedder.ts';
import { hashOf } from '../contracts/ids.ts';
import { judge } from '../engines/classifier/judge.ts';
import { shipped } from '../engines/classifier/shipped.ts';
import type { Judge } from '../engines/evidence/types.ts';
import { kindOf } from '../services/signals/classifiers.ts';

export interface KeptJudge {
  judge: Judge;
  /** Of a text that was judged. */
  vectorOf(text: string): Float32Array | null;
  /** Keeps the vectors for the next run. */
  keep(): void;
}

export function shippedJudge(embedder: Embedder | null): KeptJudge {
  const models = shipped().kinds[kindOf(embedder?.id ?? null)];
  const file = join(tmpdir(), `signalbox-eval-vectors-${hashOf(embedder?.id ?? '').slice(0, 12)}.json`);
  const vectors = embedder ? readVectors(file) : new Map<string, Float32Array>();
  return {
    async judge(drafts) {
      const texts = [...new Set(drafts.flatMap(({ text, context }) => [text, context]))].filter(
        (text) => text !== '' && !vectors.has(text),
      );
      if (embedder && texts.length > 0) {
        const made = await embedder.embed(texts, { priority: 'batch' });
        // Rounded as stored.
        texts.forEach((text, i) => vectors.set(text, made[i]!.map(Math.f16round)));
      }
      return drafts.map(({ text, context }) =>
        judge(models, { text, context, vector: vectors.get(text) ?? null, contextVector: vectors.get(context) ?? null }),
      );
    },
    vectorOf: (text) => vectors.get(text) ?? null,
    keep() {
      if (embedder) writeVectors(file, vectors);
    },
  };
}

function readVectors(file: string): Map<string, Float32Array> {
  if (!existsSync(file)) return new Map();
  const kept = JSON.parse(readFileSync(file, 'utf8')) as [string, string][];
  return new Map(kept.map(([text, vector]) => [text, new Float32Array(Uint8Array.from(Buffer.from(vector, 'base64')).buffer)]));
}

/** Several runs may write at once: the last one wins. */
function writeVectors(file: string, vectors: ReadonlyMap<string, Float32Array>): void {
  const kept = [...vectors].map(([text, { buffer, byteOffset, byteLength }]) => [
    text,
    Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
  ]);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(kept));
  renameSync(draft, file);
}

/** The shipped classifier as a judge of statements. What the models give is kept in the temporary folder, so that a second run takes seconds. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Embedder } from '../adapters/models/embedder.ts';
import { hashOf } from '../contracts/ids.ts';
import { judge } from '../engines/classifier/judge.ts';
import { shipped } from '../engines/classifier/shipped.ts';
import type { Draft, Judge } from '../engines/evidence/types.ts';
import { kindOf } from '../services/signals/classifiers.ts';

export interface KeptJudge {
  judge: Judge;
  /** Of a text that was judged. */
  vectorOf(text: string): Float32Array | null;
  /** Keeps what the models gave for the next run. */
  keep(): void;
}

export function shippedJudge(embedder: Embedder | null): KeptJudge {
  const models = shipped().kinds[kindOf(embedder?.id ?? null)];
  const byWords = shipped().kinds[kindOf(null)];
  const encoder = embedder?.encoder?.id === shipped().encoder ? embedder.encoder : undefined;
  const file = join(tmpdir(), `signalbox-eval-vectors-${hashOf([embedder?.id ?? null, encoder?.id ?? null]).slice(0, 12)}.json`);
  const known = embedder ? readVectors(file) : new Map<string, Float32Array>();
  const missing = (keys: readonly string[]): string[] => [...new Set(keys)].filter((key) => !known.has(key));
  return {
    async judge(drafts, by) {
      if (by === 'words') return drafts.map(({ text, context }) => judge(byWords, { text, context, vector: null }));
      const texts = embedder ? missing(drafts.map(({ text }) => text)) : [];
      if (texts.length > 0) {
        const made = await embedder!.embed(texts, { priority: 'batch' });
        // Rounded as stored.
        texts.forEach((text, i) => known.set(text, made[i]!.map(Math.f16round)));
      }
      const keys = encoder ? missing(drafts.map(keyOf)) : [];
      if (keys.length > 0) {
        const statements = keys.map((key) => JSON.parse(key) as [string, string]).map(([text, context]) => ({ text, context }));
        const made = await encoder!.encode(statements, { priority: 'batch' });
        keys.forEach((key, i) => known.set(key, made[i]!));
      }
      return drafts.map((draft) =>
        judge(models, {
          text: draft.text,
          context: draft.context,
          vector: known.get(draft.text) ?? null,
          encoded: known.get(keyOf(draft)) ?? null,
        }),
      );
    },
    vectorOf: (text) => known.get(text) ?? null,
    keep() {
      if (embedder) writeVectors(file, known);
    },
  };
}

/** Of a statement in its context. */
const keyOf = ({ text, context }: Draft): string => JSON.stringify([text, context]);

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

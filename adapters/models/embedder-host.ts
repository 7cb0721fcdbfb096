/** The process that holds an embedding model (started by embedder.ts). */
import { serve } from '../../platform/pool/serve.ts';
import { openEncoder } from './encoder-host.ts';
import type { EncoderFiles } from './encoder.ts';
import type { Pooling } from './model-facts.ts';
import { openModel, type Output } from './model-host.ts';

export interface EmbedderSettings {
  pooling: Pooling;
  /** Length of the vectors. */
  dimensions: number;
  /** Tokens that are read of a text. */
  maxTokens: number;
  encoder: EncoderFiles | null;
}

/** A text to embed, or a statement to encode. */
export type EmbedderRequest = string | { text: string; context: string };

await serve(async ({ dir, pooling, dimensions, maxTokens, encoder }: EmbedderSettings & { dir: string }) => {
  const run = await openModel(dir, maxTokens);
  // A process that encodes no statement does not need the memory.
  let opened: Promise<[Awaited<ReturnType<typeof openModel>>, Awaited<ReturnType<typeof openEncoder>>]> | undefined;
  return async (request: EmbedderRequest): Promise<Float32Array> => {
    if (typeof request !== 'string') {
      if (!encoder) throw new Error('the model has no encoder');
      // A statement needs only the lower layers of the model.
      const [lower, encode] = await (opened ??= Promise.all([openModel(dir, maxTokens, encoder.tensor), openEncoder(encoder.file)]));
      return await encode(await lower(request.text, request.context === '' ? undefined : request.context));
    }
    const vector = normalise(pool(await run(request), pooling));
    if (vector.length === dimensions) return vector;
    throw new Error(`its vectors have ${vector.length} dimensions, ${dimensions} were expected`);
  };
});

/** Combines the model's vectors per token into one vector. Some models give one vector per text themselves. */
function pool({ data, dims }: Output, pooling: Pooling): Float32Array {
  if (dims.length === 2) return data.slice();
  const [, tokens = 1, width = data.length / tokens] = dims;
  if (pooling === 'cls') return data.slice(0, width);
  if (pooling === 'last') return data.slice((tokens - 1) * width, tokens * width);
  const mean = new Float32Array(width);
  for (let t = 0; t < tokens; t++) for (let i = 0; i < width; i++) mean[i]! += data[t * width + i]! / tokens;
  return mean;
}

function normalise(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const norm = Math.sqrt(square) || 1;
  return vector.map((value) => value / norm);
}

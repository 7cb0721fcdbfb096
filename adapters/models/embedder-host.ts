/** The process that holds an embedding model (started by embedder.ts). */
import { serve } from '../../platform/pool/serve.ts';
import { openModel, type Output } from './model-host.ts';

export interface EmbedderSettings {
  pooling: 'cls' | 'mean';
  /** Length of the vectors. */
  dimensions: number;
}

await serve(async ({ dir, pooling, dimensions }: EmbedderSettings & { dir: string }) => {
  const run = await openModel(dir);
  return async (text: string): Promise<Float32Array> => {
    const vector = normalise(pool(await run(text), pooling));
    if (vector.length === dimensions) return vector;
    throw new Error(`its vectors have ${vector.length} dimensions, ${dimensions} were expected`);
  };
});

/** Combines the model's vectors per token into one vector. */
function pool({ data, dims: [, tokens = 1, width = data.length / tokens] }: Output, pooling: 'cls' | 'mean'): Float32Array {
  if (pooling === 'cls') return data.slice(0, width);
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

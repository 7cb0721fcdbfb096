/** The process that holds a cross-encoder (started by reranker-local.ts). */
import { serve } from '../../platform/pool/serve.ts';
import { openModel } from './model-host.ts';

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

await serve(async ({ dir }: { dir: string }) => {
  const run = await openModel(dir);
  return async ({ query, document }: { query: string; document: string }) => {
    const { data } = await run(query, document);
    // One logit is the score itself; of two classes the second one means "relevant".
    return sigmoid(data.length === 1 ? data[0]! : data[data.length - 1]! - data[0]!);
  };
});

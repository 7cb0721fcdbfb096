/** A model with its tokenizer, inside the process that holds it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';

const maxTokens = 512;
/** Cuts to the model's window, but keeps the end token, which ends the text or the pair. */
const cut = (values: number[]): number[] => (values.length <= maxTokens ? values : [...values.slice(0, maxTokens - 1), values.at(-1)!]);

export interface Output {
  data: Float32Array;
  /** Shape of `data`. */
  dims: readonly number[];
}

/** @returns a function that gives the model's first output for a text, or for a pair as the tokenizer joins it */
export async function openModel(dir: string): Promise<(text: string, pair?: string) => Promise<Output>> {
  const tokenizer = new Tokenizer(JSON.parse(await readFile(join(dir, 'tokenizer.json'), 'utf8')), {});
  const session = await InferenceSession.create(join(dir, 'model.onnx'), {
    // A second thread gains little; a second process gains more (embedder.ts).
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // The arena would keep the memory of the longest text ever seen; the speed is the same without it.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  });
  return async (text, pair) => {
    const { ids, token_type_ids: types } = tokenizer.encode(text, { text_pair: pair ?? null, return_token_type_ids: true });
    const inputs: Record<string, number[]> = { input_ids: cut(ids), token_type_ids: cut(pair === undefined ? ids.map(() => 0) : types) };
    const length = inputs['input_ids']!.length;
    const feeds: Record<string, Tensor> = {};
    for (const name of session.inputNames) {
      const values = inputs[name] ?? Array.from({ length }, () => 1);
      feeds[name] = new Tensor('int64', BigInt64Array.from(values, BigInt), [1, length]);
    }
    const output = (await session.run(feeds))[session.outputNames[0] ?? ''];
    if (!(output?.data instanceof Float32Array) || output.data.length === 0) throw new Error('the model gave no float output');
    return { data: output.data, dims: output.dims };
  };
}

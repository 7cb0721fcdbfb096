/** A model with its tokenizer, inside the process that holds it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { endingAt } from './onnx-bytes.ts';

/** Cuts to the model's window, but keeps the end token, which ends the text or the pair. */
const cutTo = (most: number, values: number[]): number[] =>
  values.length <= most ? values : [...values.slice(0, most - 1), values.at(-1)!];

export const sessionOptions: InferenceSession.SessionOptions = {
  // A second thread gains little; a second process gains more (embedder.ts).
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  // The arena would keep the memory of the longest text ever seen; the speed is the same without it.
  enableCpuMemArena: false,
  logSeverityLevel: 3,
};

export interface Output {
  data: Float32Array;
  /** Shape of `data`. */
  dims: readonly number[];
}

export interface Outcome extends Output {
  /** Per token: 0 text, 1 pair. */
  types: number[];
}

/**
 * @param maxTokens tokens that are read of a text
 * @param until name of a tensor of the graph: the model is run until there, and gives that tensor
 * @returns a function that gives the model's first output for a text, or for a pair as the tokenizer joins it
 */
export async function openModel(dir: string, maxTokens = 512, until?: string): Promise<(text: string, pair?: string) => Promise<Outcome>> {
  const cut = (values: number[]): number[] => cutTo(maxTokens, values);
  const tokenizer = new Tokenizer(JSON.parse(await readFile(join(dir, 'tokenizer.json'), 'utf8')), {});
  const file = join(dir, 'model.onnx');
  const session = await (until === undefined
    ? InferenceSession.create(file, sessionOptions)
    : InferenceSession.create(endingAt(await readFile(file), until), sessionOptions));
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
    return { data: output.data, dims: output.dims, types: inputs['token_type_ids']! };
  };
}

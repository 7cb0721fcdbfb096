/** A model with its tokenizer, inside the process that holds it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';

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
  /** The tensor that was asked for when the model was opened. */
  inner: Output | null;
  /** Per token: 0 text, 1 pair. */
  types: number[];
}

/**
 * @param inner name of a further tensor of the graph to return
 * @param maxTokens tokens that are read of a text
 * @returns a function that gives the model's first output for a text, or for a pair as the tokenizer joins it
 */
export async function openModel(dir: string, inner?: string, maxTokens = 512): Promise<(text: string, pair?: string) => Promise<Outcome>> {
  const cut = (values: number[]): number[] => cutTo(maxTokens, values);
  const tokenizer = new Tokenizer(JSON.parse(await readFile(join(dir, 'tokenizer.json'), 'utf8')), {});
  const file = join(dir, 'model.onnx');
  const session = await (inner === undefined
    ? InferenceSession.create(file, sessionOptions)
    : InferenceSession.create(exposing(await readFile(file), inner), sessionOptions));
  const floats = (output: Tensor | undefined): Output => {
    if (!(output?.data instanceof Float32Array) || output.data.length === 0) throw new Error('the model gave no float output');
    return { data: output.data, dims: output.dims };
  };
  return async (text, pair) => {
    const { ids, token_type_ids: types } = tokenizer.encode(text, { text_pair: pair ?? null, return_token_type_ids: true });
    const inputs: Record<string, number[]> = { input_ids: cut(ids), token_type_ids: cut(pair === undefined ? ids.map(() => 0) : types) };
    const length = inputs['input_ids']!.length;
    const feeds: Record<string, Tensor> = {};
    for (const name of session.inputNames) {
      const values = inputs[name] ?? Array.from({ length }, () => 1);
      feeds[name] = new Tensor('int64', BigInt64Array.from(values, BigInt), [1, length]);
    }
    const outputs = await session.run(feeds);
    return {
      ...floats(outputs[session.outputNames[0] ?? '']),
      inner: inner === undefined ? null : floats(outputs[inner]),
      types: inputs['token_type_ids']!,
    };
  };
}

/**
 * The bytes of a model that has a tensor of its graph as a further output. Protobuf messages merge when concatenated, so
 * it is enough to append ModelProto { graph (7): GraphProto { output (12): ValueInfoProto { name (1) } } }.
 */
function exposing(model: Buffer, tensor: string): Buffer {
  const field = (number: number, content: Buffer): Buffer => Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
  // One byte holds a length below 128.
  if (tensor.length > 120) throw new Error('the name of the tensor is too long');
  return Buffer.concat([model, field(7, field(12, field(1, Buffer.from(tensor, 'latin1'))))]);
}

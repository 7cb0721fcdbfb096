import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Embedder } from '../../../adapters/models/embedder.ts';
import { hashOf } from '../../../contracts/ids.ts';
import { discriminants } from '../../../engines/retrieval/discriminant.ts';
import type { AnyTool } from '../define.ts';
import { intentsOf } from './words.ts';

/** Names how weights are computed: another way needs another name. */
export const method = 'discriminant 1';
/** Written by `npm run gen`. */
export const learntFile = new URL('./learnt.json', import.meta.url);
/** The largest weight of a tool in 16 bits. With 8, one query in a hundred found other tools. */
const most = 32_767;

/** Weights of our own tools for the usual embedding model, so that searches by meaning work from the first second. */
interface Learnt {
  method: string;
  /** Id of the embedding model. */
  model: string;
  tools: Record<string, Packed>;
}

interface Packed {
  /** Hash of the texts it was learned from. */
  texts: string;
  bias: number;
  /** The largest weight. */
  scale: number;
  /** Two signed bytes per dimension, little-endian, in base64. */
  weights: string;
}

/** The texts that say what a tool is for. */
export const textsOf = (tool: AnyTool): string[] => [`${tool.title}. ${tool.description}`, tool.title, ...intentsOf(tool)];

const hashOfTexts = (tool: AnyTool): string => hashOf(textsOf(tool)).slice(0, 16);

/** Per tool one weight per dimension and the constant. Takes a minute or two for all tools. */
export async function learnWeights(tools: readonly AnyTool[], embedder: Embedder): Promise<Float32Array[]> {
  const vectors = await Promise.all(tools.map((tool) => embedder.embed(textsOf(tool), { priority: 'batch' })));
  return await discriminants(vectors, () => nextTurn());
}

export function packWeights(tools: readonly AnyTool[], weights: readonly Float32Array[], model: string): Learnt {
  const packed = tools.map((tool, i): [string, Packed] => {
    const own = weights[i]!.subarray(0, -1);
    const scale = own.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 1e-9);
    const steps = Int16Array.from(own, (weight) => Math.round((weight / scale) * most));
    return [
      tool.name,
      {
        texts: hashOfTexts(tool),
        bias: Number(weights[i]!.at(-1)!.toPrecision(6)),
        scale: Number(scale.toPrecision(6)),
        weights: Buffer.from(steps.buffer).toString('base64'),
      },
    ];
  });
  return { method, model, tools: Object.fromEntries(packed) };
}

/** @returns null where a tool's texts have changed since, or another model is used */
export function unpackWeights(learnt: Learnt, tools: readonly AnyTool[], model: string): Float32Array[] | null {
  if (learnt.method !== method || learnt.model !== model) return null;
  const weights: Float32Array[] = [];
  for (const tool of tools) {
    const own = learnt.tools[tool.name];
    if (own?.texts !== hashOfTexts(tool)) return null;
    const steps = new Int16Array(Uint8Array.from(Buffer.from(own.weights, 'base64')).buffer);
    weights.push(Float32Array.from([...Array.from(steps, (step) => (step / most) * own.scale), own.bias]));
  }
  return weights;
}

export function readLearnt(): Learnt | null {
  try {
    return JSON.parse(readFileSync(learntFile, 'utf8')) as Learnt;
  } catch {
    // Lost or damaged: they are learned again.
    return null;
  }
}

export function shippedWeights(tools: readonly AnyTool[], model: string): Float32Array[] | null {
  const learnt = readLearnt();
  return learnt && unpackWeights(learnt, tools, model);
}

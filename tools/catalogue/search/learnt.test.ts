import { expect, it } from 'vitest';
import { discriminate } from '../../../engines/retrieval/discriminant.ts';
import { tools } from '../../index.ts';
import { packWeights, readLearnt, shippedWeights, unpackWeights } from './learnt.ts';

const some = tools.slice(0, 3);
const weights = some.map((_, i) => Float32Array.from({ length: 9 }, (__, d) => Math.sin(i * 9 + d) / (d + 1)));

it('keeps weights in two bytes each, near enough for the same scores', () => {
  const learnt = packWeights(some, weights, 'a model');
  const back = unpackWeights(structuredClone(learnt), some, 'a model')!;
  const vector = Float32Array.from({ length: 8 }, (_, d) => Math.cos(d) / 2);
  for (const [i, own] of back.entries()) expect(discriminate(own, vector)).toBeCloseTo(discriminate(weights[i]!, vector), 4);
});

it('serves some of the tools, but none whose texts have changed, that is unknown, or that asks another model', () => {
  const learnt = packWeights(some, weights, 'a model');
  expect(unpackWeights(learnt, some.slice(1), 'a model')).toHaveLength(2);
  expect(unpackWeights(learnt, [{ ...some[0]!, description: 'Something else.' }], 'a model')).toBeNull();
  expect(unpackWeights(learnt, tools.slice(0, 4), 'a model')).toBeNull();
  expect(unpackWeights(learnt, some, 'another model')).toBeNull();
  expect(unpackWeights({ ...learnt, method: 'a former one' }, some, 'a model')).toBeNull();
});

it('ships them for every tool, of the length of the model’s vectors', () => {
  const shipped = shippedWeights(tools, readLearnt()!.model);
  expect(shipped).toHaveLength(tools.length);
  expect(new Set(shipped!.map((own) => own.length))).toEqual(new Set([385]));
});

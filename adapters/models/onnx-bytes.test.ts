import { describe, expect, it } from 'vitest';
import { endingAt } from './onnx-bytes.ts';

const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]);
const field = (number: number, content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
};
const irVersion = Buffer.from([8, 9]);
const node = (input: string[], output: string): Buffer =>
  field(1, Buffer.concat([...input.map((name) => field(1, name)), field(2, output), field(4, 'Add')]));
const weight = (name: string, size: number): Buffer =>
  field(5, Buffer.concat([Buffer.from([16, 1]), field(8, name), field(9, Buffer.alloc(size, 7))]));
const input = field(11, field(1, 'text'));
const output = (name: string): Buffer => field(12, field(1, name));
const model = (...graph: Buffer[]): Buffer => Buffer.concat([irVersion, field(7, Buffer.concat(graph)), field(8, 'opset')]);

const lower = node(['text', 'w1'], 'a');
const middle = node(['a', 'w2'], 'b');
const upper = node(['b', 'w3'], 'c');
const [w1, w2, w3] = [weight('w1', 20), weight('w2', 300), weight('w3', 70_000)] as const;
const whole = model(lower, middle, upper, w1, w2, w3, input, output('c'));

describe('a model that ends at a tensor', () => {
  it('has the nodes and weights that the tensor needs, in their order, and this output alone', () => {
    expect(endingAt(whole, 'b')).toEqual(
      Buffer.concat([irVersion, field(8, 'opset'), field(7, Buffer.concat([lower, middle, input, w1, w2, output('b')]))]),
    );
  });

  it('is the whole model at its last tensor', () => {
    const all = Buffer.concat([lower, middle, upper, input, w1, w2, w3, output('c')]);
    expect(endingAt(whole, 'c')).toEqual(Buffer.concat([irVersion, field(8, 'opset'), field(7, all)]));
  });

  it('is refused where the tensor is missing, and for bytes that are no model', () => {
    expect(() => endingAt(whole, 'nowhere')).toThrow('no tensor "nowhere"');
    expect(() => endingAt(whole.subarray(0, whole.length - 20), 'b')).toThrow('cut off');
    expect(() => endingAt(Buffer.from('version https://git-lfs'), 'b')).toThrow(/cut off|not the bytes/);
  });
});

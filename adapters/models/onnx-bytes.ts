/** Pure: the bytes of an ONNX model, a protobuf message. */

interface Field {
  number: number;
  /** Key and content. */
  whole: Buffer;
  /** Of a field with a length: what it holds. */
  content: Buffer;
}

/** Of protobuf: a varint, eight bytes, a length and its bytes, four bytes. */
const wireTypes = { varint: 0, eight: 1, length: 2, four: 5 };
/** Fields of ModelProto, GraphProto, NodeProto, TensorProto and ValueInfoProto. */
const numbers = {
  model: { graph: 7 },
  graph: { node: 1, initializer: 5, output: 12 },
  node: { input: 1, output: 2 },
  tensor: { name: 8 },
  value: { name: 1 },
};

/**
 * The bytes of a model that ends at a tensor of its graph: the only output, with the nodes and weights that it needs. The runtime
 * computes every node of a model, also those that no output needs.
 * @throws {Error} when these are not the bytes of a model, or it has no such tensor
 */
export function endingAt(model: Buffer, tensor: string): Buffer {
  const rest: Buffer[] = [];
  const graph: Field[] = [];
  for (const field of fieldsOf(model)) {
    if (field.number === numbers.model.graph) graph.push(...fieldsOf(field.content));
    else rest.push(field.whole);
  }
  const needed = new Set([tensor]);
  const kept: Buffer[] = [];
  // Nodes follow those whose outputs they read.
  for (const { number, whole, content } of graph.toReversed()) {
    if (number === numbers.graph.output) continue;
    if (number === numbers.graph.node) {
      if (!namesIn(content, numbers.node.output).some((name) => needed.has(name))) continue;
      for (const name of namesIn(content, numbers.node.input)) needed.add(name);
    }
    if (number !== numbers.graph.initializer) kept.push(whole);
  }
  if (!kept.some((whole) => whole[0] === numbers.graph.node * 8 + wireTypes.length)) throw new Error(`the model has no tensor "${tensor}"`);
  const weights = graph.filter(
    ({ number, content }) => number === numbers.graph.initializer && namesIn(content, numbers.tensor.name).some((name) => needed.has(name)),
  );
  const output = delimited(numbers.graph.output, delimited(numbers.value.name, [Buffer.from(tensor, 'utf8')]));
  const parts = [...kept.reverse(), ...weights.map((field) => field.whole), ...output];
  // Copied once: a model has tens of megabytes.
  return Buffer.concat([...rest, ...delimited(numbers.model.graph, parts)]);
}

const namesIn = (message: Buffer, number: number): string[] =>
  [...fieldsOf(message)].flatMap((field) => (field.number === number ? [field.content.toString('utf8')] : []));

function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = message[at++];
      if (byte === undefined) throw new Error('the model is cut off');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
  };
  while (at < message.length) {
    const from = at;
    const key = varint();
    const wire = key % 8;
    let start = at;
    if (wire === wireTypes.varint) varint();
    else if (wire === wireTypes.eight) at += 8;
    else if (wire === wireTypes.four) at += 4;
    else if (wire === wireTypes.length) {
      const length = varint();
      start = at;
      at += length;
    } else throw new Error('these are not the bytes of a model');
    if (at > message.length) throw new Error('the model is cut off');
    yield { number: Math.floor(key / 8), whole: message.subarray(from, at), content: message.subarray(start, at) };
  }
}

/** A field with its length, as pieces. */
function delimited(number: number, content: readonly Buffer[]): Buffer[] {
  const head: number[] = [number * 8 + wireTypes.length];
  let length = content.reduce((sum, each) => sum + each.length, 0);
  for (; length >= 128; length = Math.floor(length / 128)) head.push((length % 128) + 128);
  return [Buffer.from([...head, length]), ...content];
}

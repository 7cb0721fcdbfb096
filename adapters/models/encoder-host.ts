/** The statement encoder inside the process of the embedding model: layers that continue from one of the model's tensors. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sessionOptions, type Outcome } from './model-host.ts';

/** @returns a function that gives the encoder's outputs, one after the other, for the tensor that it continues from */
export async function openEncoder(file: string): Promise<(outcome: Outcome) => Promise<Float32Array>> {
  const session = await InferenceSession.create(file, sessionOptions);
  return async ({ data, dims, types }) => {
    const outputs = await session.run({
      states: new Tensor('float32', data, dims),
      // Means are of the statement alone, not of its context.
      own: new Tensor(
        'float32',
        Float32Array.from(types, (type) => 1 - type),
        [1, types.length],
      ),
    });
    return Float32Array.from(session.outputNames.flatMap((name) => [...(outputs[name]!.data as Float32Array)]));
  };
}

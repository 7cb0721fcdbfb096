/** The two APIs that servers of embeddings speak. */
import { z } from 'zod';

export interface EmbedRequest {
  model: string;
  texts: readonly string[];
  as: 'query' | 'passage';
  /** Length of the vectors that the server shall make; undefined: the model's own. */
  dimensions: number | undefined;
}

interface Api {
  request(wanted: EmbedRequest): Record<string, unknown>;
  /**
   * One vector per text, in order.
   * @throws Error when the answer has another form, or not as many vectors
   */
  vectors(body: unknown, count: number): number[][];
}

const vector = z.array(z.number()).min(1);
const openAi = z.object({ data: z.array(z.object({ index: z.number().int().min(0).optional(), embedding: vector })) });
const cohere = z.object({ embeddings: z.object({ float: z.array(vector) }) });

export const dialects = {
  /** `POST /v1/embeddings` */
  openai: {
    request: ({ model, texts, dimensions }) => ({ model, input: texts, ...(dimensions === undefined ? {} : { dimensions }) }),
    vectors(body, count) {
      const { data } = openAi.parse(body);
      const vectors = Array.from({ length: count }, (): number[] => []);
      for (const [i, { index = i, embedding }] of data.entries()) vectors[index] = embedding;
      return counted(vectors, count);
    },
  },
  /** `POST /v2/embed` */
  cohere: {
    request: ({ model, texts, as, dimensions }) => ({
      model,
      texts,
      input_type: as === 'query' ? 'search_query' : 'search_document',
      embedding_types: ['float'],
      ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
    }),
    vectors: (body, count) => counted(cohere.parse(body).embeddings.float, count),
  },
} satisfies Record<string, Api>;

export type Dialect = keyof typeof dialects;

function counted(vectors: number[][], count: number): number[][] {
  if (vectors.length !== count || vectors.some(({ length }) => length === 0)) throw new Error('not one vector per text');
  return vectors;
}

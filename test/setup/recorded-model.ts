/**
 * A language model that answers from files, each named by the hash of its request. With LLM_RECORD=true and a model
 * configured (LLM_PROVIDER, …) it asks that model instead and writes the files.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { LanguageModel, ObjectRequest } from '../../adapters/language/types.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { ModelUsage } from '../../contracts/language.ts';

interface Recording {
  model: string;
  purpose: string;
  /** Readable for people; the hash covers these and the schema. */
  system: string;
  prompt: string;
  value: unknown;
  usage: ModelUsage;
}

export const hasRecordings = (folder: string): boolean => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.json'));

/** @param live asked and recorded; null: what is not in the folder fails */
export function recordedModel(folder: string, live: LanguageModel | null = null): LanguageModel {
  const fileOf = <T>({ system, prompt, schema, maxOutputTokens }: ObjectRequest<T>): string =>
    join(folder, `${hashOf({ system, prompt, schema: z.toJSONSchema(schema), maxOutputTokens }).slice(0, 32)}.json`);
  return {
    id: live?.id ?? 'recorded',
    price: live?.price ?? null,
    async object(request) {
      request.signal?.throwIfAborted();
      const file = fileOf(request);
      if (live) {
        const { value, usage } = await live.object(request);
        const { purpose, system, prompt } = request;
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, `${JSON.stringify({ model: live.id, purpose, system, prompt, value, usage } satisfies Recording, null, 2)}\n`);
        return { value, usage };
      }
      if (!existsSync(file)) {
        throw new Error(
          `No answer is recorded for this request of purpose ${request.purpose}: run the test with LLM_RECORD=true and a model configured.`,
        );
      }
      const { value, usage } = JSON.parse(readFileSync(file, 'utf8')) as Recording;
      return { value: request.schema.parse(value), usage };
    },
    close: async () => await live?.close(),
  };
}

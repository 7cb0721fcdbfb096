import { z } from 'zod';
import { severities, signalClasses, statementStates, tones } from '../../../contracts/signals/signals.ts';
import { nameTypes, predicates, type Answer, type AskedRecord, type Predicate } from '../../../engines/evidence/model-types.ts';
import { fence } from './fence.ts';
import type { LanguageService, Reply } from './index.ts';
import { prompt } from './prompts.ts';

const instructions = prompt('read-statements@2');
/** Prompt and version: kept answers and statements name it. */
export const readPrompt = instructions.id;

/** Output per question: for the structure, for models that think first, and per token of text. */
const tokensBefore = 3_000;
const tokensPerUnit = 60;
const tokensPerCharacter = 0.5;

/** Every field is required, because some providers allow nothing else. */
export const answerSchema: z.ZodType<Answer> = z.object({
  units: z.array(
    z.object({
      id: z.string(),
      statements: z.array(
        z.object({
          n: z.number(),
          quote: z.string(),
          end: z.string(),
          class: z.enum([...signalClasses, 'none']),
          tone: z.enum(tones),
          severity: z.enum(severities),
          state: z.enum(statementStates),
          confidence: z.number(),
          features: z.array(z.string()),
          competitors: z.array(z.string()),
          settles: z.number(),
        }),
      ),
      names: z.array(z.object({ name: z.string(), type: z.enum(nameTypes), same_as: z.string() })),
      facts: z.array(
        z.object({
          quote: z.string(),
          subject: z.string(),
          predicate: z.enum(Object.keys(predicates) as [Predicate, ...Predicate[]]),
          object: z.string(),
          from: z.string(),
          to: z.string(),
        }),
      ),
    }),
  ),
});

/** Asks what customers state in the units u1, u2, … of a document, with the names that are known. */
export function readUnits(
  language: Pick<LanguageService, 'ask'>,
  records: readonly AskedRecord[],
  about: { day: string; kind: string; known: Record<string, string> },
  { tenant, signal }: { tenant: string; signal?: AbortSignal | undefined },
): Promise<Reply<Answer>> {
  const asked = records.filter(({ id }) => id !== 'context');
  const characters = asked.reduce((sum, { text }) => sum + text.length, 0);
  const { day, kind, known } = about;
  return language.ask({
    tenant,
    purpose: 'read',
    prompt: instructions,
    content: `Read the units ${asked[0]!.id} to ${asked.at(-1)!.id}.\n\n${fence([{ id: 'document', day, kind, ...known }, ...records])}`,
    schema: answerSchema,
    maxOutputTokens: Math.round(tokensBefore + tokensPerUnit * asked.length + tokensPerCharacter * characters),
    signal,
  });
}

import { z } from 'zod';
import { planTask, type PlanTask } from '../../contracts/work/plans.ts';
import { priorities } from '../../contracts/work/work.ts';
import { checkPlan } from '../../engines/planning/check.ts';
import type { KnownPhase } from '../../engines/planning/phases.ts';
import { AppError } from '../../contracts/errors.ts';
import { fence } from '../kernel/language/fence.ts';
import type { LanguageService } from '../kernel/language/index.ts';
import { prompt } from '../kernel/language/prompts.ts';

const instructions = prompt('plan-work@1');

/** Longer texts are read by rules. */
const mostAsked = 60_000;

/** Every field is required, because some providers allow nothing else. */
const answer = z.object({
  tasks: z.array(
    z.object({
      ref: z.string(),
      title: z.string(),
      description: z.string(),
      phase_id: z.number(),
      priority: z.enum(priorities),
      tags: z.array(z.string()),
      after: z.array(z.string()),
      part_of: z.string(),
    }),
  ),
});

/**
 * Asks the language model for a plan and checks it as any other.
 * @returns the tasks; or why there are none, if a model is configured
 */
export async function planByModel(
  language: Pick<LanguageService, 'ask' | 'model'>,
  text: string,
  phases: readonly KnownPhase[],
  { tenant, signal }: { tenant: string; signal?: AbortSignal | undefined },
): Promise<{ tasks: PlanTask[] } | { warning: string | null }> {
  if (language.model === null) return { warning: null };
  if (text.length > mostAsked) return { warning: `The text has more than ${mostAsked} characters; it was read by rules.` };
  const reply = await language.ask({
    tenant,
    purpose: 'plan',
    prompt: instructions,
    content: fence([...phases.map(({ id, name }) => ({ id: 'phase', phase_id: id, name })), { id: 'work', text }]),
    schema: answer,
    maxOutputTokens: 4_000 + Math.round(text.length / 2),
    signal,
  });
  if (!reply.ok) return { warning: reply.warning };
  const read = z.array(planTask).safeParse(
    reply.value.tasks.map(({ description, part_of, ...task }) => ({
      ...task,
      ...(description.trim() ? { description } : {}),
      part_of: part_of || null,
    })),
  );
  if (!read.success) return { warning: 'The answer of the language model was no valid plan; the text was read by rules.' };
  try {
    checkPlan(read.data);
    const strange = read.data.find((task) => !phases.some(({ id }) => id === task.phase_id));
    if (strange) return { warning: 'The language model named an unknown phase; the text was read by rules.' };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { warning: `The plan of the language model was refused (${error.message}); the text was read by rules.` };
  }
  return { tasks: read.data };
}
